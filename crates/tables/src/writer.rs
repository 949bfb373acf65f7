//! Writes tables that are safe to open in a spreadsheet program.

use std::borrow::Cow;
use std::io;

use csv::{Terminator, WriterBuilder};
use rust_xlsxwriter::{Format, IgnoreError, Workbook};
use thiserror::Error;

/// A workbook's cells have so many UTF-16 units; longer texts are cut.
pub(crate) const MAX_CELL_BYTES: usize = 32_767;
/// In pixels.
const WIDTH: u32 = 400;

/// The form of a written table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableForm {
    /// Commas, CRLF, UTF-8 without byte order mark, quotes by RFC 4180. A cell that a spreadsheet program would read as
    /// a formula begins with an apostrophe.
    Csv,
    /// One sheet of texts, so that a RUC keeps its digits, and of numbers in the columns that have them.
    Xlsx,
}

impl TableForm {
    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// The ending of its file names.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// Why a table is not written.
#[derive(Debug, Error)]
pub enum WriteTableError {
    /// CSV failed.
    #[error("the table cannot be written")]
    Csv(#[from] csv::Error),
    /// The buffer failed.
    #[error("the table cannot be written")]
    Io(#[from] io::Error),
    /// More rows or columns than a sheet has.
    #[error("the workbook cannot be written")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
}

/// A table that is being written to memory.
pub struct TableWriter(Rows);

enum Rows {
    Csv(Box<csv::Writer<Vec<u8>>>),
    Xlsx {
        workbook: Box<Workbook>,
        row: u32,
        /// For each column, whether it has numbers.
        numbers: Vec<bool>,
    },
}

impl TableWriter {
    /// `numbers` are the columns whose cells are numbers in a workbook, if they can be read as such.
    ///
    /// # Errors
    /// See [`WriteTableError`].
    pub fn new(form: TableForm, header: &[&str], numbers: &[&str]) -> Result<Self, WriteTableError> {
        let mut table = Self(match form {
            TableForm::Csv => Rows::Csv(Box::new(csv_writer(b',').from_writer(Vec::new()))),
            TableForm::Xlsx => {
                let mut workbook = Workbook::new();
                let sheet = workbook.add_worksheet();
                sheet.set_name("Kuraka")?.set_freeze_panes(1, 0)?.set_row_format(0, &Format::new().set_bold())?;
                let numbers = header.iter().map(|column| numbers.contains(column)).collect();
                Rows::Xlsx { workbook: Box::new(workbook), row: 0, numbers }
            }
        });
        table.row(header.iter().copied())?;
        Ok(table)
    }

    ///
    /// # Errors
    /// See [`WriteTableError`].
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> Result<(), WriteTableError> {
        match &mut self.0 {
            Rows::Csv(csv) => {
                for cell in cells {
                    csv.write_field(without_formula(cell).as_bytes())?;
                }
                csv.write_record(None::<&[u8]>)?;
            }
            Rows::Xlsx { workbook, row, numbers } => {
                let sheet = workbook.worksheet_from_index(0)?;
                for (column, cell) in (0..).zip(cells) {
                    let is_number = numbers.get(usize::from(column)).is_some_and(|is_number| *is_number);
                    match number(cell).filter(|_| is_number) {
                        Some((number, format)) => sheet.write_number_with_format(*row, column, number, &format)?,
                        None => {
                            let text = cell.get(..cell.floor_char_boundary(MAX_CELL_BYTES)).unwrap_or_default();
                            sheet.write_string(*row, column, text)?
                        }
                    };
                }
                *row += 1;
            }
        }
        Ok(())
    }

    ///
    /// # Errors
    /// See [`WriteTableError`].
    pub fn finish(self) -> Result<Vec<u8>, WriteTableError> {
        match self.0 {
            Rows::Csv(csv) => Ok(csv.into_inner().map_err(csv::IntoInnerError::into_error)?),
            Rows::Xlsx { mut workbook, row, .. } => {
                let sheet = workbook.worksheet_from_index(0)?;
                // Else the program marks each RUC, a number stored as text, as an error.
                sheet.ignore_error_range(0, 0, row, u16::MAX >> 2, IgnoreError::NumberStoredAsText)?;
                sheet.set_autofit_max_width(WIDTH).autofit();
                Ok(workbook.save_to_buffer()?)
            }
        }
    }
}

/// A decimal number of which a workbook keeps all digits, and its format.
fn number(cell: &str) -> Option<(f64, Format)> {
    let is_decimal = cell.len() <= 15 && cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = cell.parse().ok().filter(|_| is_decimal)?;
    let decimals = cell.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((number, Format::new().set_num_format(format!("{:.decimals$}", 0.0))))
}

/// A CSV writer with this delimiter.
#[must_use]
pub fn csv_writer(delimiter: u8) -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.delimiter(delimiter).terminator(Terminator::CRLF).flexible(true);
    builder
}

/// Adds an apostrophe wherever a spreadsheet program would begin a formula. Many begin another cell at a semicolon,
/// whatever the quotes.
#[must_use]
pub fn without_formula(cell: &str) -> Cow<'_, str> {
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];
    let is_break = |letter: char| SEPARATORS.contains(&letter);
    let (mut safe, mut copied, mut starts) = (String::new(), 0, true);
    for (place, letter) in cell.char_indices() {
        if (starts && SIGNS.contains(&letter)) || (place == 0 && letter != ';' && is_break(letter)) {
            safe.push_str(cell.get(copied..place).unwrap_or_default());
            safe.push('\'');
            copied = place;
        }
        starts = is_break(letter);
    }
    if safe.is_empty() {
        return cell.into();
    }
    safe.push_str(cell.get(copied..).unwrap_or_default());
    safe.into()
}
