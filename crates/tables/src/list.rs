//! A list of RUCs or vouchers that a person uploads or pastes.

use std::borrow::Cow;
use std::io;

use csv::StringRecord;
use kuraka_domain::Ruc;
use kuraka_domain::text::folded;

use crate::columns::{ALL, COLUMNS, ListColumn, Positions, RUC_ALONE, Unsure, has_vouchers, position};
use crate::content::{amount, kind, voucher};
use crate::date_cell::date_cell;
use crate::reader::{TableError, TableReader};
use crate::recognise::{Recognised, recognise};
use crate::ruc_cell::{RucCellError, ruc_cell, without_decimals};
use crate::xlsx_file::XlsxLimits;

/// Empty cells with a format compress by any ratio.
const LIMITS: XlsxLimits = XlsxLimits { text: TEXT, ratio: 1, ratio_from: TEXT };
const TEXT: u64 = 16 << 20;
/// Rows above a list.
const HEADER_ROWS: usize = 40;
/// Of a row.
const CELLS: usize = 256;
/// No valid value is longer.
const CELL: usize = 100;

/// Tables with so many columns may have totals and notes.
const REGISTER: usize = 4;
/// How rows of totals and of amounts carried over begin.
const TOTALS: [&str; 5] = ["TOTAL", "SUBTOTAL", "SUB TOTAL", "VAN", "VIENEN"];

/// A list of RUCs or vouchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// With their names in the file, or `""`.
    pub columns: Vec<(ListColumn, String)>,
    /// Columns that are not read, because several can be them.
    pub unsure: Vec<Unsure>,
    /// Whether the rows are vouchers.
    pub has_vouchers: bool,
    /// In order, without empty ones.
    pub rows: Vec<ListRow>,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// From 1, in the text or the sheet.
    pub line: u64,
    /// The RUC, or why there is none.
    pub ruc: Result<Ruc, RucCellError>,
    cells: [String; COLUMNS],
}

impl ListRow {
    /// The cell normalised, if it can be read: a kind has two digits, a date is `YYYY-MM-DD`, a total has a point.
    #[must_use]
    pub fn cell(&self, column: ListColumn) -> &str {
        self.cells.get(column as usize).map_or("", String::as_str)
    }
}

/// Reads a CSV or the first sheet with RUCs of an xlsx workbook. A file of 2 MB costs at most 64 MB.
///
/// # Errors
/// [`TableError`]; [`TableError::TooManyRows`] beyond `max_rows`; an interruption as soon as `is_wanted` is false.
pub fn read_list(bytes: &[u8], max_rows: usize, is_wanted: impl Fn() -> bool + Sync) -> Result<List, TableError> {
    let mut reading = Reading { max_rows, sheet: 0, rows: Vec::new(), found: Err(TableError::Empty) };
    TableReader::new(bytes, LIMITS)?.sheets(|sheet, line, row| {
        if is_wanted() {
            reading.push(sheet, line, row);
            Ok(())
        } else {
            Err(TableError::from(io::Error::from(io::ErrorKind::Interrupted)))
        }
    })?;
    reading.end_sheet();
    reading.found
}

struct Reading {
    max_rows: usize,
    sheet: usize,
    /// Of the sheet, without empty ones.
    rows: Vec<(u64, StringRecord)>,
    /// The list, or why there is none so far.
    found: Result<List, TableError>,
}

impl Reading {
    fn push(&mut self, sheet: usize, line: u64, row: &StringRecord) {
        if sheet != self.sheet {
            self.end_sheet();
            self.sheet = sheet;
        }
        let is_empty = row.iter().all(|cell| cell.trim().is_empty());
        // One row too many is enough to know it.
        if self.found.is_ok() || is_empty || self.rows.len() > self.max_rows + HEADER_ROWS {
            return;
        }
        let mut cells = StringRecord::new();
        row.iter().take(CELLS).for_each(|cell| cells.push_field(&cut(cell)));
        self.rows.push((line, cells));
    }

    fn end_sheet(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if self.found.is_ok() || rows.is_empty() {
            return;
        }
        match (list(rows, self.max_rows), &self.found) {
            // A question about one sheet says more than another sheet without RUCs.
            (Err(TableError::NoRuc), Err(known)) if !matches!(known, TableError::Empty) => {}
            (found, _) => self.found = found,
        }
    }
}

fn list(mut rows: Vec<(u64, StringRecord)>, max_rows: usize) -> Result<List, TableError> {
    let Recognised { header, columns: positions, unsure } = recognise(&mut rows)?;
    let has_vouchers = has_vouchers(&positions);
    let is_used = |column| has_vouchers || matches!(column, ListColumn::Ruc | ListColumn::Date);
    let name = |position| header.heading(position).text.clone();
    let columns = ALL.into_iter().zip(positions).filter(|(column, _)| is_used(*column));
    let columns = columns.filter_map(|(column, position)| Some((column, name(position?)))).collect();
    let mut list = List { columns, unsure, has_vouchers, rows: Vec::new() };
    let is_register = header.headings.len() >= REGISTER || has_vouchers;
    for (line, row) in rows.iter().skip(header.rows) {
        if !(is_register && is_no_entry(row, &positions)) {
            add(&mut list, &positions, max_rows, *line, row)?;
        }
    }
    Ok(list)
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
    cell(ListColumn::Ruc).is_empty()
        && (has_total || is_note || cells.all(|cell| amount(cell).is_some() && date_cell(cell).is_none()))
}

fn add(
    list: &mut List,
    positions: &Positions,
    max_rows: usize,
    line: u64,
    row: &StringRecord,
) -> Result<(), TableError> {
    let is_nameless = list.columns.iter().all(|(_, name)| name.is_empty()) && !list.has_vouchers;
    if is_nameless && row.len() > 1 && row.iter().all(|cell| ruc_cell(cell).is_ok()) {
        // RUCs in one line, as people paste them.
        let mut rucs = row.iter();
        return rucs.try_for_each(|ruc| add(list, &RUC_ALONE, max_rows, line, &StringRecord::from(vec![ruc])));
    }
    if list.rows.len() == max_rows {
        return Err(TableError::TooManyRows { limit: max_rows });
    }
    let text = |column: ListColumn| {
        let cell = position(positions, column).and_then(|position| row.get(position)).unwrap_or_default().trim();
        part(column, positions, cell).unwrap_or(cell.into())
    };
    let cells = ALL.map(|column| {
        let cell = &*text(column);
        let is_normal = list.has_vouchers || column == ListColumn::Date;
        let cell = if is_normal { normal(column, cell) } else { cell.to_owned() };
        cell.chars().take(CELL).collect()
    });
    list.rows.push(ListRow { line, ruc: ruc_cell(&text(ListColumn::Ruc)), cells });
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
        ListColumn::Ruc | ListColumn::Date | ListColumn::Total | ListColumn::Currency => None,
    }
}

/// The sign at the end is in no valid value.
fn cut(cell: &str) -> Cow<'_, str> {
    if cell.len() <= CELL {
        return cell.into();
    }
    let cell = cell.trim();
    let end = cell.char_indices().nth(CELL).and_then(|(end, _)| cell.get(..end));
    end.map_or(cell.into(), |start| format!("{start}…").into())
}

/// Unchanged if it cannot be read.
fn normal(column: ListColumn, cell: &str) -> String {
    match column {
        ListColumn::Ruc | ListColumn::Number => without_decimals(cell).to_owned(),
        ListColumn::Kind => kind(cell).unwrap_or_else(|| cell.to_owned()),
        ListColumn::Series | ListColumn::Currency => cell.to_uppercase(),
        ListColumn::Date => date_cell(cell).map_or_else(|| cell.to_owned(), |date| date.to_string()),
        ListColumn::Total => decimal(cell),
    }
}

/// With a decimal point: `S/ 1,180.00`, `1.180,00` and `1 180` become `1180.00` or `1180`. The minus of a register's
/// credit notes goes.
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
