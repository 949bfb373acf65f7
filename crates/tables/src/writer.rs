//! Writes tables that are safe to open in a spreadsheet program.

use std::borrow::Cow;
use std::io;

use csv::{Terminator, WriterBuilder};

use crate::workbook::{Shade, TableCell, TableSheet};
use crate::workbook_file::write_workbook;

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
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// Writes a table with these columns; a row without the last ones has them empty. `numbers` are the columns whose cells are numbers in a workbook, if they can be read
/// as such.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn write_table(
    form: TableForm,
    columns: &[&str],
    numbers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<Vec<u8>, io::Error> {
    let is_number: Vec<bool> =
        columns.iter().map(|column| form == TableForm::Xlsx && numbers.contains(column)).collect();
    let cell = |cell: String, is_number: &bool| match is_number.then(|| TableCell::of_text(&cell)) {
        Some(number @ (TableCell::Number(_) | TableCell::Amount(_))) => number,
        Some(TableCell::Text(_) | TableCell::Day(_)) | None => TableCell::Text(cell),
    };
    let rows = rows.into_iter().map(|row| {
        let mut row = row.into_iter();
        (Shade::Plain, is_number.iter().map(|is_number| cell(row.next().unwrap_or_default(), is_number)).collect())
    });
    let headings = columns.iter().map(|column| (*column).to_owned()).collect();
    let rows = Box::new(rows);
    let table = TableSheet { name: "Kuraka", headings, plain_columns: 0, rows, has_filter: false };
    match form {
        TableForm::Csv => write_csv(b',', Vec::new(), table),
        TableForm::Xlsx => write_workbook(vec![table]),
    }
}

/// Writes a sheet as CSV for spreadsheet programs set to Peru: semicolons, a byte order mark, days as `dd/mm/aaaa`.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn write_people_csv(sheet: TableSheet<'_>) -> Result<Vec<u8>, io::Error> {
    write_csv(b';', "\u{feff}".into(), sheet)
}

/// Writes a sheet behind `start`.
fn write_csv(delimiter: u8, start: Vec<u8>, sheet: TableSheet<'_>) -> Result<Vec<u8>, io::Error> {
    let mut csv = csv_writer(delimiter).from_writer(start);
    csv.write_record(sheet.headings.iter().map(|heading| without_formula(heading).into_owned()))?;
    for (_, cells) in sheet.rows {
        for cell in &cells {
            match cell {
                TableCell::Text(text) => csv.write_field(without_formula(text).as_bytes())?,
                TableCell::Number(_) | TableCell::Amount(_) | TableCell::Day(_) => csv.write_field(cell.to_string())?,
            }
        }
        csv.write_record(None::<&[u8]>)?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// A CSV writer with this delimiter.
pub fn csv_writer(delimiter: u8) -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.delimiter(delimiter).terminator(Terminator::CRLF).flexible(true);
    builder
}

/// Adds an apostrophe wherever a spreadsheet program would begin a formula. Many begin another cell at a semicolon,
/// whatever the quotes.
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
