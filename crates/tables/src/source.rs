//! The cells of an uploaded file, which are kept instead of it: another choice of sheet, headings or columns reads them
//! again.

use std::io::{self, Read, Write};

use csv::{ReaderBuilder, StringRecord};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use kuraka_domain::Ruc;

use crate::columns::{Choice, ListColumn, Positions, Unsure, has_vouchers, position};
use crate::list::{ListRow, cut, list_of};
use crate::reader::{TableError, TableReader};
use crate::recognise::{Recognised, recognise};
use crate::writer::csv_writer;
use crate::xlsx_file::XlsxLimits;

/// The unpacked size of an uploaded workbook. Empty cells with a format compress by any ratio.
const LIMITS: XlsxLimits = XlsxLimits { text: TEXT, ratio: 1, ratio_from: TEXT };
const TEXT: u64 = 16 << 20;
/// Cells of a row that are read.
const CELLS: usize = 256;
/// Of a workbook. All may have the rows of so many lists.
const SHEETS: usize = 20;
const LISTS: usize = 3;
/// Bytes of a file's long cells that are not cut.
const LONG_CELLS: usize = 2 << 20;
/// Bytes of the longest cell that is not cut.
const LONG_CELL: usize = 4_096;
/// Maximum unpacked bytes of what was packed here.
const UNPACKED: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    sheets: Vec<Sheet>,
}

/// The rows of a sheet that are not empty, by their numbers; a CSV is one sheet without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sheet {
    name: String,
    rows: Vec<(u64, StringRecord)>,
}

/// A list, and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub sheets: Vec<String>,
    pub sheet: String,
    /// The number of the last row of headings; 0 = none.
    pub heading: u64,
    /// The heading of each column; empty without headings.
    pub names: Vec<String>,
    /// The rows of the sheet, with titles and headings, by their numbers.
    pub rows: Vec<(u64, StringRecord)>,
    /// Further columns of IGV, which are added to the first.
    pub more_igv: Vec<usize>,
    /// The column with the kinds of the documents in the column of the RUC.
    pub documents: Option<usize>,
    /// Whether it is a register of sales, whose RUCs are the buyers'.
    pub is_sales: bool,
    /// Columns that a person must choose.
    pub unsure: Vec<Unsure>,
    pub has_vouchers: bool,
    /// Empty while the column of the RUC is not chosen.
    pub list: Vec<ListRow>,
    pub(crate) positions: Positions,
}

impl Source {
    /// Reads the bytes of a CSV or an xlsx workbook with this file name. A file of 2 MB costs at most 64 MB.
    ///
    /// # Errors
    /// [`TableError`]; an interruption between two rows as soon as `is_wanted` is false.
    pub fn read(
        name: &str,
        bytes: &[u8],
        max_rows: usize,
        is_wanted: impl Fn() -> bool + Sync,
    ) -> Result<Self, TableError> {
        let (mut sheets, mut count, mut room): (Vec<Sheet>, _, _) = (Vec::new(), 0, LONG_CELLS);
        TableReader::new(bytes, LIMITS)?.read(SHEETS, |sheet, line, row| {
            if !is_wanted() {
                return Err(TableError::from(io::Error::from(io::ErrorKind::Interrupted)));
            }
            if row.iter().all(|cell| cell.trim().is_empty()) {
                return Ok(());
            }
            if sheets.last().is_none_or(|last| last.name != sheet) {
                sheets.push(Sheet { name: sheet.to_owned(), rows: Vec::new() });
            }
            count += 1;
            if count > max_rows * LISTS {
                return Err(TableError::TooManyRows { limit: max_rows });
            }
            let mut cells = StringRecord::new();
            for cell in row.iter().take(CELLS) {
                let kept = cut(cell);
                let long = if kept.len() == cell.len() { 0 } else { cell.len() };
                let is_whole = long <= room.min(LONG_CELL);
                room -= if is_whole { long } else { 0 };
                cells.push_field(if is_whole { cell } else { &kept });
            }
            if let Some(last) = sheets.last_mut() {
                last.rows.push((line, cells));
            }
            Ok(())
        })?;
        if sheets.is_empty() { Err(TableError::Empty) } else { Ok(Self { name: name.to_owned(), sheets }) }
    }

    /// Reads the list as it was chosen. Without a choice, it is the first sheet with vouchers, or else with RUCs; a
    /// cover may have one too.
    ///
    /// # Errors
    /// [`TableError::NoRuc`], [`TableError::TooManyRows`].
    pub fn reading(self, choice: &Choice, max_rows: usize) -> Result<Reading, TableError> {
        let Self { name: file, sheets } = self;
        let names: Vec<String> = sheets.iter().map(|sheet| sheet.name.clone()).collect();
        let chosen = choice.sheet.as_ref().filter(|name| names.contains(name));
        let mut best: Option<(u8, Result<Reading, TableError>)> = None;
        for sheet in sheets.into_iter().filter(|sheet| chosen.is_none_or(|name| sheet.name == *name)) {
            let reading = read_sheet(&file, sheet, choice, max_rows);
            let rank = match &reading {
                Ok(reading) => {
                    let is_unsure = reading.column(ListColumn::Ruc).is_none();
                    let rucs = reading.list.iter().filter(|row| row.ruc.is_ok()).take(2).count();
                    // A register before a list of suppliers or clients, and a list before a cover.
                    match reading.has_vouchers && !reading.is_sales {
                        true if is_unsure || rucs > 0 => 0,
                        _ if is_unsure || rucs > 1 => 1,
                        _ => 2,
                    }
                }
                Err(TableError::NoRuc) => 4,
                Err(_) => 3,
            };
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, reading));
            }
            if rank == 0 {
                break;
            }
        }
        let reading = best.map_or(Err(TableError::Empty), |(_, reading)| reading)?;
        Ok(Reading { sheets: names, ..reading })
    }

    /// The packed cells.
    ///
    /// # Errors
    /// Those of a writer to memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, io::Error> {
        let mut csv = csv_writer(b',').from_writer(DeflateEncoder::new(Vec::new(), Compression::default()));
        csv.write_record(["", &self.name])?;
        for sheet in &self.sheets {
            csv.write_record(["", &sheet.name])?;
            for (line, row) in &sheet.rows {
                csv.write_field(line.to_string())?;
                csv.write_record(row)?;
            }
        }
        csv.into_inner().map_err(csv::IntoInnerError::into_error)?.finish()
    }

    /// Unpacks [`Source::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, io::Error> {
        let text = DeflateDecoder::new(bytes).take(UNPACKED);
        let mut csv = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        let mut records = csv.records();
        let broken = || io::Error::from(io::ErrorKind::InvalidData);
        let first = records.next().ok_or_else(broken)??;
        let mut source = Self { name: first.get(1).unwrap_or_default().to_owned(), sheets: Vec::new() };
        for record in records {
            let record = record?;
            let line = record.get(0).unwrap_or_default();
            if line.is_empty() {
                let name = record.get(1).unwrap_or_default().to_owned();
                source.sheets.push(Sheet { name, rows: Vec::new() });
                continue;
            }
            let line = line.parse().map_err(|_| broken())?;
            let sheet = source.sheets.last_mut().ok_or_else(broken)?;
            sheet.rows.push((line, record.iter().skip(1).collect()));
        }
        Ok(source)
    }
}

fn read_sheet(file: &str, sheet: Sheet, choice: &Choice, max_rows: usize) -> Result<Reading, TableError> {
    let Sheet { name: sheet, mut rows } = sheet;
    let found = recognise(&mut rows, choice, file)?;
    let mut list = list_of(&rows, &found, max_rows)?;
    for row in list.iter_mut().filter(|_| choice.has_dnis) {
        row.ruc = row.dni().map_or(row.ruc, |dni| Ok(Ruc::from_dni(dni)));
    }
    let Recognised { header, columns, more_igv, documents, unsure, is_sales, .. } = found;
    let last = header.rows.checked_sub(1).and_then(|at| rows.get(at));
    Ok(Reading {
        sheets: Vec::new(),
        sheet,
        heading: last.filter(|_| !header.headings.is_empty()).map_or(0, |(line, _)| *line),
        names: header.headings.into_iter().map(|heading| heading.text).collect(),
        rows,
        more_igv,
        documents,
        is_sales,
        unsure,
        has_vouchers: has_vouchers(&columns),
        list,
        positions: columns,
    })
}

/// Reads a CSV or the first sheet with RUCs of an xlsx workbook. A file of 2 MB costs at most 64 MB.
///
/// # Errors
/// [`TableError`]; [`TableError::TooManyRows`] beyond `max_rows`; an interruption as soon as `is_wanted` is false.
pub fn read_list(bytes: &[u8], max_rows: usize, is_wanted: impl Fn() -> bool + Sync) -> Result<Reading, TableError> {
    let reading = Source::read("", bytes, max_rows, is_wanted)?.reading(&Choice::default(), max_rows)?;
    if reading.is_sales {
        return Err(TableError::Sales);
    }
    match reading.question(ListColumn::Ruc) {
        Some(several) => Err(TableError::Unsure(several.clone())),
        None => Ok(reading),
    }
}

impl Reading {
    /// The position of a column from 0; `None` = there is none, or a person must choose it.
    pub fn column(&self, column: ListColumn) -> Option<usize> {
        position(&self.positions, column)
    }

    /// Cells of the longest row.
    pub fn width(&self) -> usize {
        self.rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0)
    }

    /// The columns that a column can be, if a person must choose.
    pub fn question(&self, column: ListColumn) -> Option<&Unsure> {
        self.unsure.iter().find(|unsure| unsure.column == column)
    }
}

/// Compresses bytes.
///
/// # Errors
/// Those of a writer to memory.
pub fn packed(bytes: &[u8]) -> Result<Vec<u8>, io::Error> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Unpacks [`packed`], at most 64 MB.
///
/// # Errors
/// If the bytes are not whole.
pub fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, io::Error> {
    let mut text = Vec::new();
    DeflateDecoder::new(bytes).take(UNPACKED).read_to_end(&mut text)?;
    Ok(text)
}
