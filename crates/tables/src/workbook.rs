//! What a sheet has: texts, numbers, dates and colours.

use std::fmt;

use kuraka_domain::Date;

use crate::content::amount;
use crate::date_cell::{date_cell, is_only_date};
use crate::list::cents;
use crate::ruc_cell::ruc_cell;
use crate::xlsx_reader::number_text;

/// The first year whose days a workbook has.
const FIRST_YEAR: u16 = 1900;

#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// A text; may be empty.
    Text(String),
    /// A number without decimals: a RUC, a count.
    Number(f64),
    /// An amount in hundredths.
    Amount(i128),
    Day(Date),
}

/// The colour of a row's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    Plain,
    Red,
    /// To be looked at.
    Amber,
    /// Not known.
    Grey,
    /// In order.
    Green,
}

/// A sheet: one row of headings, which stays in sight, and rows.
pub struct TableSheet<'a> {
    pub name: &'static str,
    pub headings: Vec<String>,
    /// Columns before the first that has the rows' colours.
    pub plain_columns: usize,
    /// The rows with their colours, of which one is in memory at a time.
    pub rows: Box<dyn Iterator<Item = (Shade, Vec<TableCell>)> + 'a>,
    pub has_filter: bool,
}

impl fmt::Display for TableCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(value) => f.write_str(&number_text(*value)),
            Self::Amount(cents) => {
                let sign = if *cents < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
            }
            Self::Day(day) => day.dmy().fmt(f),
        }
    }
}

impl TableCell {
    /// The cell of another file as a number or a date, if it is one: a code with leading zeros stays a text.
    pub fn of_text(text: &str) -> Self {
        let cell = text.trim();
        let digits = cell.strip_prefix('-').unwrap_or(cell);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !whole.is_empty()
            && is_digits(whole)
            && is_digits(fraction)
            && digits.len() <= 15
            && !digits.ends_with('.')
            && (whole == "0" || !whole.starts_with('0'));
        match date_cell(cell) {
            Some(day) if is_only_date(cell) && day.year() >= FIRST_YEAR => Self::Day(day),
            _ if is_number && fraction.len() == 2 => match format!("{whole}{fraction}").parse::<i128>() {
                Ok(cents) => Self::Amount(if cell.starts_with('-') { -cents } else { cents }),
                Err(_) => Self::Text(text.to_owned()),
            },
            _ if is_number => cell.parse().map_or_else(|_| Self::Text(text.to_owned()), Self::Number),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// The cell of a column of RUCs in another file. A name beside the number stays.
    pub fn of_ruc(text: &str) -> Self {
        let is_alone = !text.contains(|c: char| c.is_alphabetic());
        let ruc = ruc_cell(text).ok().filter(|_| is_alone);
        ruc.map_or_else(|| Self::of_text(text), |ruc| Self::Number(ruc.get() as f64))
    }

    /// The cell of a column of amounts in another file, with its sign. One with more decimals, or with another currency
    /// than soles, stays as it is.
    pub fn of_amount(text: &str) -> Self {
        let cell = text.trim().trim_start_matches(['-', '(']);
        let is_plain =
            cell.starts_with("S/") || !cell.starts_with(|c: char| c.is_alphabetic() || matches!(c, '$' | '€'));
        let exact = cents(text).filter(|(_, is_exact)| *is_exact && is_plain && amount(text).is_some());
        exact.map_or_else(|| Self::of_text(text), |(cents, _)| Self::Amount(cents.into()))
    }
}
