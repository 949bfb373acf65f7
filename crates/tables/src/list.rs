//! A list of RUCs or vouchers that a person uploads or pastes.

use std::borrow::Cow;

use csv::StringRecord;
use kuraka_domain::text::folded;
use kuraka_domain::{Dni, Ruc};

use crate::columns::{COLUMNS, ListColumn, Positions, RUC_ALONE, has_vouchers, position};
use crate::content::{amount, bare, currency, kind, sign, voucher};
use crate::date_cell::{date_cell, date_or_serial};
use crate::document::ruc_of_row;
use crate::heading::{Header, words};
use crate::reader::TableError;
use crate::recognise::Recognised;
use crate::ruc_cell::{RucCellError, ruc_cell, without_decimals};

/// Characters of a cell that are kept. No valid value is longer.
const CELL: usize = 100;
/// The largest amount that is read, as of a voucher. Sums of a row do not overflow.
const MAX_AMOUNT: i64 = 999_999_999_999;

/// Tables with so many columns may have totals and notes.
const REGISTER: usize = 4;
/// Kinds of vouchers that reduce an earlier one.
const CREDIT_NOTES: [&str; 3] = ["07", "87", "97"];
/// How rows of totals, and of what a page carries over, begin.
const TOTALS: [&str; 5] = ["TOTAL", "SUBTOTAL", "SUB TOTAL", "VAN", "VIENEN"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// From 1, in the text or the sheet.
    pub line: u64,
    pub ruc: Result<Ruc, RucCellError>,
    /// The total in hundredths of the currency; a credit note's is negative.
    pub total: Option<i64>,
    /// The IGV, likewise; the sum of all columns of IGV.
    pub igv: Option<i64>,
    /// The currency of the amounts: `PEN`, `USD`, or as in the file.
    pub currency: String,
    cells: [String; COLUMNS],
}

impl ListRow {
    /// The DNI that the row has in place of a RUC.
    pub fn dni(&self) -> Option<Dni> {
        if self.ruc == Err(RucCellError::OtherDocument) {
            return None;
        }
        Dni::parse(without_decimals(self.cell(ListColumn::Ruc))).ok()
    }

    /// The cell normalised, if it can be read: a kind has two digits, a date is `YYYY-MM-DD`, a total has a point.
    pub fn cell(&self, column: ListColumn) -> &str {
        self.cells.get(column as usize).map_or("", String::as_str)
    }
}

/// The list in the rows of a sheet, in order, without empty ones.
pub(crate) fn list_of(
    rows: &[(u64, StringRecord)],
    found: &Recognised,
    max_rows: usize,
) -> Result<Vec<ListRow>, TableError> {
    let Recognised { header, columns: positions, .. } = found;
    let mut list = Vec::new();
    if position(positions, ListColumn::Ruc).is_none() {
        return Ok(list);
    }
    let is_register = header.headings.len() >= REGISTER || has_vouchers(positions);
    for (line, row) in rows.iter().skip(header.rows) {
        if !(is_register && (is_no_entry(row, positions) || is_heading(row, header, positions))) {
            add(&mut list, found, positions, max_rows, *line, row)?;
        }
    }
    Ok(list)
}

/// The headings again, as at the top of each page.
fn is_heading(row: &StringRecord, header: &Header, positions: &Positions) -> bool {
    let ruc = position(positions, ListColumn::Ruc);
    let repeated = ruc.and_then(|at| Some((words(row.get(at)?), header.heading(at))));
    repeated.is_some_and(|(words, heading)| !words.is_empty() && heading.own.ends_with(&words))
}

/// A total or a note: no RUC, and a word for a total, amounts alone, or one text.
fn is_no_entry(row: &StringRecord, positions: &Positions) -> bool {
    let cell = |column| position(positions, column).and_then(|at| row.get(at)).map(str::trim).unwrap_or_default();
    let mut cells = row.iter().map(str::trim).filter(|cell| !cell.is_empty());
    let is_total = |cell: &str| {
        let folded = folded(cell);
        TOTALS.iter().any(|total| {
            folded == *total || folded.strip_prefix(total).is_some_and(|rest| rest.starts_with([' ', 'E']))
        })
    };
    let has_total = cells.clone().any(is_total);
    let is_note = cells.clone().count() == 1 && cells.clone().all(|cell| amount(cell).is_none());
    (cell(ListColumn::Ruc).is_empty() || is_total(cell(ListColumn::Ruc)))
        && (has_total || is_note || cells.all(|cell| amount(cell).is_some() && date_cell(cell).is_none()))
}

fn add(
    list: &mut Vec<ListRow>,
    found: &Recognised,
    positions: &Positions,
    max_rows: usize,
    line: u64,
    row: &StringRecord,
) -> Result<(), TableError> {
    let has_vouchers = has_vouchers(&found.columns);
    if found.header.headings.is_empty()
        && !has_vouchers
        && row.len() > 1
        && row.iter().all(|cell| ruc_cell(cell).is_ok())
    {
        // RUCs in one line, as people paste them.
        let mut rucs = row.iter();
        return rucs.try_for_each(|ruc| add(list, found, &RUC_ALONE, max_rows, line, &StringRecord::from(vec![ruc])));
    }
    if list.len() == max_rows {
        return Err(TableError::TooManyRows { limit: max_rows });
    }
    let text = |column: ListColumn| {
        let cell = position(positions, column).and_then(|position| row.get(position)).map(bare).unwrap_or_default();
        part(column, positions, cell).unwrap_or(cell.into())
    };
    let cells = ListColumn::ALL.map(|column| {
        let cell = &*text(column);
        let is_normal = has_vouchers || column == ListColumn::Date;
        let cell = if is_normal { normal(column, cell) } else { cell.to_owned() };
        cell.chars().take(CELL).collect()
    });
    let kind = kind(&text(ListColumn::Kind)).filter(|_| position(positions, ListColumn::Kind).is_some());
    let is_credit = kind.is_some_and(|kind| CREDIT_NOTES.contains(&kind.as_str()));
    let signed = |amount: i64| if is_credit { -amount.abs() } else { amount };
    let igv = position(positions, ListColumn::Igv).into_iter().chain(found.more_igv.iter().copied());
    let igv: Vec<i64> = igv.filter_map(|at| Some(cents(row.get(at)?)?.0)).collect();
    let is_moved = found.moved.binary_search(&line).is_ok();
    list.push(ListRow {
        line,
        ruc: match position(positions, ListColumn::Ruc) {
            _ if is_moved => Err(RucCellError::Moved),
            Some(at) => ruc_of_row(row, at, found.documents),
            None => Err(RucCellError::Empty),
        },
        total: cents(&text(ListColumn::Total)).map(|(cents, _)| signed(cents)).filter(|_| !is_moved),
        igv: (!igv.is_empty() && !is_moved).then(|| signed(igv.iter().sum())),
        currency: match &*text(ListColumn::Currency) {
            _ if found.is_in_soles => currency(""),
            "" => currency(sign(&text(ListColumn::Total)).unwrap_or_default()),
            written => currency(written),
        },
        cells,
    });
    Ok(())
}

/// Kind, series or number of a cell that has several of them.
fn part<'a>(column: ListColumn, positions: &Positions, cell: &'a str) -> Option<Cow<'a, str>> {
    let at = position(positions, ListColumn::Series)?;
    if position(positions, column) != Some(at) || position(positions, ListColumn::Number) != Some(at) {
        return None;
    }
    let (kind, series, number) = voucher(cell)?;
    match column {
        ListColumn::Kind => kind.map(Cow::Owned),
        ListColumn::Series => Some(series.into()),
        ListColumn::Number => Some(number.into()),
        ListColumn::Ruc
        | ListColumn::Date
        | ListColumn::Total
        | ListColumn::Currency
        | ListColumn::Igv
        | ListColumn::Code => None,
    }
}

/// A cell without what is not kept. The sign at its end is no part of a valid value.
pub(crate) fn cut(cell: &str) -> Cow<'_, str> {
    if cell.len() <= CELL {
        return cell.into();
    }
    let cell = cell.trim();
    let end = cell.char_indices().nth(CELL).and_then(|(end, _)| cell.get(..end));
    end.map_or(cell.into(), |start| format!("{start}…").into())
}

/// Unchanged if it cannot be read.
pub(crate) fn normal(column: ListColumn, cell: &str) -> String {
    match column {
        ListColumn::Ruc => ruc_cell(cell).map_or_else(|_| without_decimals(cell).to_owned(), |ruc| ruc.to_string()),
        ListColumn::Number => without_decimals(cell).to_owned(),
        ListColumn::Kind => kind(cell).unwrap_or_else(|| cell.to_owned()),
        ListColumn::Series | ListColumn::Currency => cell.to_uppercase(),
        ListColumn::Date => date_or_serial(cell).map_or_else(|| cell.to_owned(), |date| date.to_string()),
        ListColumn::Total | ListColumn::Igv => decimal(amount(cell).unwrap_or(cell)),
        ListColumn::Code => cell.to_owned(),
    }
}

/// An amount with its sign, in hundredths, rounded; and whether it was exact.
pub(crate) fn cents(cell: &str) -> Option<(i64, bool)> {
    let number = decimal(amount(cell)?);
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let digit = |at: usize| i64::from(fraction.as_bytes().get(at).map_or(0, |digit| digit.saturating_sub(b'0')));
    let is_exact = fraction.trim_end_matches('0').len() <= 2;
    let fraction = digit(0) * 10 + digit(1) + i64::from(digit(2) >= 5);
    let cents = whole.parse::<i64>().ok().filter(|whole| *whole <= MAX_AMOUNT)? * 100 + fraction;
    let is_negative = cell.contains('-') || cell.trim_start().starts_with('(');
    Some((if is_negative { -cents } else { cents }, is_exact))
}

/// An amount with a decimal point: `S/ 1,180.00`, `1.180,00` and `1 180` become `1180.00` or `1180`. A register has
/// credit notes with a minus, which the voucher does not have.
fn decimal(cell: &str) -> String {
    let from = cell.find(|c: char| c.is_ascii_digit()).unwrap_or(cell.len());
    // `.50` begins with its mark, `S/.50` does not.
    let is_fraction = |before: &str| {
        before.strip_suffix(['.', ',']).is_some_and(|rest| rest.ends_with([' ', '-']) || rest.is_empty())
    };
    let from = from - usize::from(cell.get(..from).is_some_and(is_fraction));
    let number = cell.get(from..).unwrap_or_default();
    let number: String = number.chars().filter(|c| !c.is_whitespace() && *c != '\'').collect();
    let decimals = number.rfind(['.', ',']).filter(|at| {
        let (whole, decimals) = number.split_at(*at);
        let is_repeated = decimals.chars().next().is_some_and(|mark| whole.contains(mark));
        // A comma before three digits separates thousands; a point does not, because sheets have `1.185` too.
        !(is_repeated || decimals.len() == 4 && decimals.starts_with(','))
    });
    let (whole, decimals) = number.split_at(decimals.unwrap_or(number.len()));
    let whole = if whole.is_empty() && !decimals.is_empty() { "0" } else { whole };
    format!("{}{}", whole.replace(['.', ','], ""), decimals.replace(',', "."))
}
