//! Writes tables for people: a workbook of several sheets with numbers, dates and colours, or one sheet as CSV for
//! spreadsheet programs set to Peru.

use csv::Terminator;
use kuraka_domain::Date;
use rust_xlsxwriter::{Color, ExcelDateTime, Format, Workbook};

use crate::content::amount;
use crate::date_cell::{date_cell, is_only_date};
use crate::list::cents;
use crate::ruc_cell::ruc_cell;
use crate::writer::{WriteTableError, csv_writer, without_formula};
use crate::xlsx_reader::number_text;

/// A column's maximum width, in pixels.
const WIDTH: u32 = 320;
/// Maximum bytes of a cell, which may have so many UTF-16 units. A longer text is cut.
const CELL: usize = 32_767;
/// The first year whose days a workbook has.
const FIRST_YEAR: u16 = 1900;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// A text; may be empty.
    Text(String),
    /// A number without decimals: a RUC, a count.
    Number(f64),
    /// An amount in hundredths.
    Amount(i128),
    /// A day.
    Day(Date),
}

/// The colour of a row's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// None.
    Plain,
    /// At risk.
    Red,
    /// To be looked at.
    Amber,
    /// Not known.
    Grey,
    /// In order.
    Green,
}

/// A sheet: one row of headings, which stays in sight, and rows.
#[derive(Clone, Debug)]
pub struct TableSheet {
    /// Its name.
    pub name: &'static str,
    /// The headings.
    pub headings: Vec<String>,
    /// Columns before the first that has the rows' colours.
    pub plain_columns: usize,
    /// The rows with their colours.
    pub rows: Vec<(Shade, Vec<TableCell>)>,
    /// Whether the headings filter the rows.
    pub has_filter: bool,
}

impl TableCell {
    /// The cell of another file as a number or a date, if it is one: a code with leading zeros stays a text.
    #[must_use]
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
    #[must_use]
    pub fn of_ruc(text: &str) -> Self {
        let is_alone = !text.contains(|c: char| c.is_alphabetic());
        let ruc = ruc_cell(text).ok().filter(|_| is_alone);
        ruc.map_or_else(|| Self::of_text(text), |ruc| Self::Number(ruc.get() as f64))
    }

    /// The cell of a column of amounts in another file, with its sign. One with more decimals, or with another currency
    /// than soles, stays as it is.
    #[must_use]
    pub fn of_amount(text: &str) -> Self {
        let cell = text.trim().trim_start_matches(['-', '(']);
        let is_plain =
            cell.starts_with("S/") || !cell.starts_with(|c: char| c.is_alphabetic() || matches!(c, '$' | '€'));
        let exact = cents(text).filter(|(_, is_exact)| *is_exact && is_plain && amount(text).is_some());
        exact.map_or_else(|| Self::of_text(text), |(cents, _)| Self::Amount(cents.into()))
    }
}

impl Shade {
    const ALL: [Self; 5] = [Self::Plain, Self::Red, Self::Amber, Self::Grey, Self::Green];

    fn format(self) -> Format {
        let format = Format::new();
        match self {
            Self::Plain => format,
            Self::Red => format.set_background_color(Color::RGB(0x00F8_D7D9)),
            Self::Amber => format.set_background_color(Color::RGB(0x00FB_E9C3)),
            Self::Grey => format.set_background_color(Color::RGB(0x00E8_E6E3)),
            Self::Green => format.set_background_color(Color::RGB(0x00DC_EEDD)),
        }
    }
}

/// The bytes of a workbook with these sheets.
///
/// # Errors
/// [`WriteTableError`].
pub fn write_workbook(sheets: &[TableSheet]) -> Result<Vec<u8>, WriteTableError> {
    let mut workbook = Workbook::new();
    let formats = Shade::ALL.map(|shade| {
        let plain = shade.format();
        let [amount, day] = ["#,##0.00", "dd/mm/yyyy"].map(|form| plain.clone().set_num_format(form));
        [plain.clone().set_num_format("0"), amount, day, plain]
    });
    let heading = Format::new().set_bold().set_text_wrap().set_background_color(Color::RGB(0x00F3_EDE4));
    for written in sheets {
        let sheet = workbook.add_worksheet();
        sheet.set_name(written.name)?.set_freeze_panes(1, 0)?;
        for (column, text) in (0..).zip(&written.headings) {
            sheet.write_string_with_format(0, column, text, &heading)?;
        }
        for (row, (shade, cells)) in (1..).zip(&written.rows) {
            for (column, cell) in (0_u16..).zip(cells) {
                let shade = if usize::from(column) < written.plain_columns { Shade::Plain } else { *shade };
                let Some([number, amount, day, plain]) = formats.get(shade as usize) else { continue };
                match cell {
                    TableCell::Number(value) => {
                        let format = if value.fract() == 0.0 { number } else { plain };
                        sheet.write_number_with_format(row, column, *value, format)?
                    }
                    TableCell::Amount(cents) => {
                        sheet.write_number_with_format(row, column, *cents as f64 / 100.0, amount)?
                    }
                    TableCell::Day(date) => match ExcelDateTime::from_ymd(date.year(), date.month(), date.day()) {
                        Ok(date) => sheet.write_datetime_with_format(row, column, &date, day)?,
                        Err(_) => sheet.write_string_with_format(row, column, dmy(*date), plain)?,
                    },
                    TableCell::Text(text) if text.is_empty() => sheet.write_blank(row, column, plain)?,
                    TableCell::Text(text) => {
                        let text = text.get(..text.floor_char_boundary(CELL)).unwrap_or_default();
                        sheet.write_string_with_format(row, column, text, plain)?
                    }
                };
            }
        }
        let (rows, columns) = (written.rows.len() as u32, written.headings.len() as u16);
        if written.has_filter && columns > 0 {
            sheet.autofilter(0, 0, rows, columns - 1)?;
        }
        sheet.set_autofit_max_width(WIDTH).autofit();
    }
    Ok(workbook.save_to_buffer()?)
}

/// A sheet as CSV: semicolons, a byte order mark, days as `dd/mm/aaaa`.
///
/// # Errors
/// [`WriteTableError`].
pub fn write_people_csv(sheet: &TableSheet) -> Result<Vec<u8>, WriteTableError> {
    let mut csv = csv_writer(b';').terminator(Terminator::CRLF).from_writer("\u{feff}".as_bytes().to_vec());
    csv.write_record(sheet.headings.iter().map(|heading| without_formula(heading).into_owned()))?;
    for (_, cells) in &sheet.rows {
        for cell in cells {
            match cell {
                TableCell::Text(text) => csv.write_field(without_formula(text).as_bytes())?,
                TableCell::Number(value) => csv.write_field(number_text(*value))?,
                TableCell::Amount(cents) => {
                    let sign = if *cents < 0 { "-" } else { "" };
                    csv.write_field(format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100))?;
                }
                TableCell::Day(date) => {
                    csv.write_field(dmy(*date))?;
                }
            }
        }
        csv.write_record(None::<&[u8]>)?;
    }
    Ok(csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

fn dmy(date: Date) -> String {
    format!("{:02}/{:02}/{}", date.day(), date.month(), date.year())
}
