//! A list of RUCs or vouchers in a file that a person uploads or pastes.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io;

use csv::StringRecord;
use kuraka_domain::Ruc;

use crate::columns::{ALL, COLUMNS, ListColumn, Positions, has_vouchers, named, unnamed};
use crate::date_cell::date_cell;
use crate::reader::{TableError, TableReader};
use crate::ruc_cell::{RucCellError, ruc_cell, without_decimals};
use crate::xlsx_file::XlsxLimits;

/// The unpacked size of an uploaded workbook. Empty cells with a format compress by any ratio.
const LIMITS: XlsxLimits = XlsxLimits { text: TEXT, ratio: 1, ratio_from: TEXT };
const TEXT: u64 = 16 << 20;
/// Rows in which the columns' names are searched: titles may stand above them.
const HEADER_ROWS: usize = 20;
/// Characters of a cell that are kept. No valid value is longer.
const CELL: usize = 100;

const RUC_ALONE: Positions = [Some(0), None, None, None, None, None, None];

/// A list of RUCs or vouchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The recognised columns, each with its name in the file; `""` in a file without names.
    pub columns: Vec<(ListColumn, String)>,
    /// Whether the rows are vouchers.
    pub has_vouchers: bool,
    /// The rows that are not empty, in order.
    pub rows: Vec<ListRow>,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// The line of the text, or the row of the sheet, from 1.
    pub line: u64,
    /// The RUC, or why there is none.
    pub ruc: Result<Ruc, RucCellError>,
    cells: [String; COLUMNS],
}

impl ListRow {
    /// A cell as the operations take it, if it can be read: the kind has two digits, the date is `YYYY-MM-DD`, the
    /// total has a point. Other cells are as in the file.
    #[must_use]
    pub fn cell(&self, column: ListColumn) -> &str {
        self.cells.get(column as usize).map_or("", String::as_str)
    }
}

/// Reads a list from the bytes of a CSV or an xlsx workbook. A file of 2 MB costs at most 64 MB.
///
/// # Errors
/// [`TableError`]; [`TableError::TooManyRows`] beyond `max_rows` rows that are not empty; an interruption between two
/// rows as soon as `is_wanted` is false.
pub fn read_list(bytes: &[u8], max_rows: usize, is_wanted: impl Fn() -> bool + Sync) -> Result<List, TableError> {
    let mut reading = Reading { max_rows, start: Vec::new(), list: None };
    TableReader::new(bytes, LIMITS)?.rows(|line, row| {
        if is_wanted() { reading.push(line, row) } else { Err(io::Error::from(io::ErrorKind::Interrupted).into()) }
    })?;
    reading.recognise()?;
    reading.list.map(|(_, list)| list).ok_or(TableError::NoRuc)
}

struct Reading {
    max_rows: usize,
    /// The rows before the columns are known.
    start: Vec<(u64, StringRecord)>,
    list: Option<(Positions, List)>,
}

impl Reading {
    fn push(&mut self, line: u64, row: &StringRecord) -> Result<(), TableError> {
        if row.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        match &mut self.list {
            Some((positions, list)) => add(list, positions, self.max_rows, line, row),
            None => {
                let cells: Vec<_> = row.iter().map(cut).collect();
                self.start.push((line, StringRecord::from(cells)));
                if self.start.len() < HEADER_ROWS { Ok(()) } else { self.recognise() }
            }
        }
    }

    fn recognise(&mut self) -> Result<(), TableError> {
        if self.list.is_some() {
            return Ok(());
        }
        let start = std::mem::take(&mut self.start);
        if start.is_empty() {
            return Err(TableError::Empty);
        }
        // A register begins with the buyer's RUC and name, so a row with a RUC is no header.
        let headers = start.iter().enumerate().filter(|(_, (_, row))| row.iter().all(|cell| ruc_cell(cell).is_err()));
        let header = headers
            .filter_map(|(at, (_, row))| Some((at + 1, named(row)?)))
            .max_by_key(|(at, positions)| (positions.iter().flatten().count(), Reverse(*at)));
        let without = || start.iter().find_map(|(_, row)| Some((0, unnamed(row)?)));
        let (first, positions) = header.or_else(without).ok_or(TableError::NoRuc)?;
        let names = first.checked_sub(1).and_then(|header| start.get(header)).map(|(_, row)| row);
        let name = |position| names.and_then(|names| names.get(position)).map(str::trim).unwrap_or_default().to_owned();
        let has_vouchers = has_vouchers(&positions);
        let is_used = |column| has_vouchers || matches!(column, ListColumn::Ruc | ListColumn::Date);
        let columns = ALL.into_iter().zip(positions).filter(|(column, _)| is_used(*column));
        let columns = columns.filter_map(|(column, position)| Some((column, name(position?)))).collect();
        let mut list = List { columns, has_vouchers, rows: Vec::new() };
        for (line, row) in start.iter().skip(first) {
            add(&mut list, &positions, self.max_rows, *line, row)?;
        }
        self.list = Some((positions, list));
        Ok(())
    }
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
        let cell = positions.get(column as usize).copied().flatten().and_then(|position| row.get(position));
        cell.unwrap_or_default().trim()
    };
    let cells = ALL.map(|column| {
        let cell = &*cut(text(column));
        let is_normal = list.has_vouchers || column == ListColumn::Date;
        let cell = if is_normal { normal(column, cell) } else { cell.to_owned() };
        cell.chars().take(CELL).collect()
    });
    list.rows.push(ListRow { line, ruc: ruc_cell(text(ListColumn::Ruc)), cells });
    Ok(())
}

/// A cell without what is not kept. The sign at its end is no part of a valid value.
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
        ListColumn::Kind => {
            let code = without_decimals(cell).split([' ', '-']).next().unwrap_or_default();
            if code.len() == 1 { format!("0{code}") } else { code.to_owned() }
        }
        ListColumn::Series | ListColumn::Currency => cell.to_uppercase(),
        ListColumn::Date => date_cell(cell).map_or_else(|| cell.to_owned(), |date| date.to_string()),
        ListColumn::Total => amount(cell),
    }
}

/// An amount with a decimal point: `S/ 1,180.00`, `1.180,00` and `1 180` become `1180.00` or `1180`. A register has
/// credit notes with a minus, which the voucher does not have.
fn amount(cell: &str) -> String {
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
