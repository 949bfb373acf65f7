//! Reads tables in any form: CSV with any delimiter and encoding, or a workbook.

use std::io::{self, Cursor, Read};

use csv::{ByteRecord, ReaderBuilder, StringRecord, Terminator};
use encoding_rs::WINDOWS_1252;
use thiserror::Error;

use crate::columns::Unsure;
use crate::xlsx_file::{XlsxError, XlsxLimits};
use crate::xlsx_reader::{ROW, XlsxCell, number_text, xlsx_sheets};

/// Bytes that tell the form.
const START: u64 = 64 << 10;
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Why a table is not read.
#[derive(Debug, Error)]
pub enum TableError {
    #[error("the file cannot be read")]
    Io(#[from] io::Error),
    #[error("the file is empty")]
    Empty,
    /// Spreadsheet programs call it "Unicode text".
    #[error("the text is UTF-16; save it as CSV UTF-8")]
    Utf16,
    #[error("it is a PDF, not a table; export the list as xlsx or CSV")]
    Pdf,
    #[error("line {line}: the row is too long; a quote is not closed")]
    LongRow {
        /// From 1.
        line: u64,
    },
    #[error("no column has RUCs; name it ruc in the first row")]
    NoRuc,
    #[error("more than one column can have the RUCs: {}", .0.found.join(", "))]
    Unsure(Unsure),
    /// It has the buyers' RUCs.
    #[error("it is a register of sales, not of purchases")]
    Sales,
    #[error("the file has more than {limit} rows")]
    TooManyRows { limit: usize },
    #[error(transparent)]
    Xlsx(#[from] XlsxError),
}

/// A table whose rows are not read yet.
#[derive(Debug)]
pub struct TableReader<R> {
    input: io::Chain<Cursor<Vec<u8>>, R>,
    /// `None` = a workbook.
    delimiter: Option<u8>,
    limits: XlsxLimits,
}

impl<R: Read> TableReader<R> {
    /// Recognises the form. `limits` are for workbooks: CSV is read row by row.
    ///
    /// # Errors
    /// [`TableError::Io`], [`TableError::Empty`], [`TableError::Utf16`], [`TableError::Pdf`] and workbooks of older programs.
    pub fn new(mut input: R, limits: XlsxLimits) -> Result<Self, TableError> {
        let mut start = Vec::new();
        input.by_ref().take(START).read_to_end(&mut start)?;
        let delimiter = match start.as_slice() {
            [] => return Err(TableError::Empty),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(TableError::Utf16),
            [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => None,
            [b'%', b'P', b'D', b'F', ..] => return Err(TableError::Pdf),
            text if is_html(text) => return Err(XlsxError::HtmlPage.into()),
            text => Some(delimiter(text)),
        };
        Ok(Self { input: Cursor::new(start).chain(input), delimiter, limits })
    }

    /// A comma for a workbook.
    pub fn delimiter(&self) -> u8 {
        self.delimiter.unwrap_or(b',')
    }

    /// Calls `each` with every row that has a cell: its line or row in the first sheet, from 1, and its cells in UTF-8,
    /// which `each` may take.
    ///
    /// # Errors
    /// [`TableError`], or the first error of `each`.
    pub fn rows<E: From<TableError> + From<XlsxError> + Send>(
        self,
        mut each: impl FnMut(u64, &mut StringRecord) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        self.read(1, |_, line, row| each(line, row))
    }

    /// The rows of so many sheets; `each` is called with the sheet's name too, which is empty in a CSV.
    pub(crate) fn read<E: From<TableError> + From<XlsxError> + Send>(
        self,
        sheets: usize,
        mut each: impl FnMut(&str, u64, &mut StringRecord) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        match self.delimiter {
            Some(delimiter) => csv_rows(self.input, delimiter, |line, row| each("", line, row)),
            None => {
                let mut bytes = Vec::new();
                let read = self.input.take(self.limits.text + 1).read_to_end(&mut bytes);
                read.map_err(TableError::Io)?;
                let mut row = StringRecord::new();
                xlsx_sheets(&bytes, self.limits, sheets, |sheet, number, cells| {
                    row.clear();
                    for (column, cell) in cells {
                        while row.len() < *column {
                            row.push_field("");
                        }
                        row.push_field(&text(cell));
                    }
                    each(sheet, number, &mut row)
                })
                .map(drop)
            }
        }
    }
}

/// As the sheet shows it; a date is `YYYY-MM-DD`.
fn text<'a>(cell: &'a XlsxCell<'_>) -> std::borrow::Cow<'a, str> {
    match cell {
        XlsxCell::Text(text) => text.as_ref().into(),
        XlsxCell::Number { day: Some(day), is_date: true, .. } => day.to_string().into(),
        XlsxCell::Number { value, .. } => number_text(*value).into(),
    }
}

fn csv_rows<E: From<TableError>>(
    input: io::Chain<Cursor<Vec<u8>>, impl Read>,
    delimiter: u8,
    mut each: impl FnMut(u64, &mut StringRecord) -> Result<(), E>,
) -> Result<(), E> {
    let start = input.get_ref().0.get_ref();
    let has_old_line_ends = memchr::memchr(b'\n', start).is_none();
    let input = Input { input, has_old_line_ends, left: ROW, bytes: 0, last: 0 };
    let mut reader = ReaderBuilder::new();
    // With `CRLF` the reader's line numbers would be wrong, so carriage returns stay in the last cell.
    reader
        .buffer_capacity(ROW / 8)
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        // SUNAT's files quote nothing, and a quote in a name may have no pair.
        .quoting(delimiter != b'|')
        .terminator(Terminator::Any(b'\n'));
    let mut reader = reader.from_reader(input);
    let (mut bytes, mut trimmed) = (ByteRecord::new(), ByteRecord::new());
    loop {
        reader.get_mut().left = ROW;
        let line = reader.position().line();
        match reader.read_byte_record(&mut bytes) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(error) => return Err(failed(error, line).into()),
        }
        let (end, input) = (reader.position(), reader.get_ref());
        let has_line_end = end.byte() != input.bytes || input.last == b'\n';
        let inner = memchr::memchr_iter(b'\n', bytes.as_slice()).count();
        let line = end.line() - inner as u64 - u64::from(has_line_end);
        if bytes.as_slice().ends_with(b"\r") {
            trimmed.clear();
            let last = bytes.len() - 1;
            for (at, cell) in bytes.iter().enumerate() {
                trimmed.push_field(if at == last { cell.strip_suffix(b"\r").unwrap_or(cell) } else { cell });
            }
            std::mem::swap(&mut bytes, &mut trimmed);
        }
        if bytes.as_slice().is_empty() && bytes.len() < 2 {
            continue;
        }
        let mut row = match StringRecord::from_byte_record(bytes) {
            Ok(row) => row,
            // Each row has its own encoding, so that nothing is read twice.
            Err(error) => {
                let cells = error.into_byte_record();
                cells.iter().map(|cell| WINDOWS_1252.decode_without_bom_handling(cell).0).collect()
            }
        };
        each(line, &mut row)?;
        bytes = row.into_byte_record();
    }
}

fn failed(error: csv::Error, line: u64) -> TableError {
    // The CSV reader has no other error here.
    let csv::ErrorKind::Io(error) = error.into_kind() else { return TableError::Io(io::ErrorKind::InvalidData.into()) };
    if error.kind() == io::ErrorKind::FileTooLarge { TableError::LongRow { line } } else { TableError::Io(error) }
}

/// Fails in a row that is too long.
struct Input<R> {
    input: R,
    /// Line ends of old Macs, changed to line feeds.
    has_old_line_ends: bool,
    /// Left for this row.
    left: usize,
    bytes: u64,
    last: u8,
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let room = buffer.len().min(self.left);
        let read = self.input.read(buffer.get_mut(..room).unwrap_or_default())?;
        let read_bytes = buffer.get_mut(..read).unwrap_or_default();
        if self.has_old_line_ends {
            read_bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        self.last = read_bytes.last().copied().unwrap_or(self.last);
        self.left -= read;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Some programs name a web page `.xls`.
fn is_html(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    text.starts_with(b"<")
}

/// The most frequent one outside quotes in the first line that has one; else a comma.
fn delimiter(start: &[u8]) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut is_quoted = false;
    for &byte in start {
        is_quoted ^= byte == b'"';
        if matches!(byte, b'\n' | b'\r') && !is_quoted && counts != [0; DELIMITERS.len()] {
            break;
        }
        if let Some((_, count)) = DELIMITERS.iter().zip(&mut counts).find(|(known, _)| **known == byte && !is_quoted) {
            *count += 1;
        }
    }
    let most = DELIMITERS.into_iter().zip(counts).rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(delimiter, _)| delimiter)
}
