//! The rows of a workbook's sheets.

use std::io::Cursor;
use std::thread;

use calamine::{Data, DataRef, DataType, Reader, SheetType, Xlsx};
use kuraka_domain::Date;

use crate::xlsx_file::{XlsxError, XlsxLimits, check};

/// Serial day numbers; before 1 March 1900 they differ.
pub(crate) const EPOCH_1900: i32 = -25_569;
pub(crate) const MIN_SERIAL: i32 = 61;
/// Older workbooks on a Mac count from 1904-01-01.
const EPOCH_1904: f64 = 1_462.0;
const COLUMNS: u32 = 256;
/// In a workbook or in CSV. Many cells can share one text of a workbook.
pub(crate) const ROW: usize = 1 << 20;

/// Not empty.
#[derive(Clone, Debug, PartialEq)]
pub enum XlsxCell<'a> {
    /// A text, truth value or error, as the sheet shows it.
    Text(std::borrow::Cow<'a, str>),
    Number {
        value: f64,
        /// The day with this serial number, if there is one.
        day: Option<Date>,
        is_date: bool,
    },
}

/// As a sheet shows it, with at most 15 significant digits.
pub fn number_text(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.14e}").parse().unwrap_or(value).to_string()
    }
}

/// Calls `each` with every row of the first sheet that has cells: its number from 1, and its cells with their columns
/// from 0. Returns the unpacked bytes.
///
/// # Errors
/// [`XlsxError`], or the first error of `each`.
pub fn xlsx_rows<E: From<XlsxError> + Send>(
    bytes: &[u8],
    limits: XlsxLimits,
    mut each: impl FnMut(u64, &[(usize, XlsxCell<'_>)]) -> Result<(), E> + Send,
) -> Result<u64, E> {
    xlsx_sheets(bytes, limits, 1, |_, number, row| each(number, row))
}

/// The rows of up to `sheets` sheets; `each` is called with the sheet's name too.
pub(crate) fn xlsx_sheets<E: From<XlsxError> + Send>(
    bytes: &[u8],
    limits: XlsxLimits,
    sheets: usize,
    mut each: impl FnMut(&str, u64, &[(usize, XlsxCell<'_>)]) -> Result<(), E> + Send,
) -> Result<u64, E> {
    let text_bytes = check(bytes, limits)?;
    // A panic of the xlsx reader becomes an error of this file.
    let read = thread::scope(|scope| scope.spawn(|| read_sheets(bytes, limits, sheets, &mut each)).join());
    read.unwrap_or_else(|_| Err(XlsxError::Damaged("the xlsx reader failed".to_owned()).into()))?;
    Ok(text_bytes)
}

fn read_sheets<E: From<XlsxError>>(
    bytes: &[u8],
    limits: XlsxLimits,
    sheets: usize,
    each: &mut impl FnMut(&str, u64, &[(usize, XlsxCell<'_>)]) -> Result<(), E>,
) -> Result<(), E> {
    let damaged = |error: calamine::XlsxError| XlsxError::Damaged(error.to_string());
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(damaged)?;
    let shift = if workbook.has_1904_epoch() { EPOCH_1904 } else { 0.0 };
    let names = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = names.map(|sheet| sheet.name.clone()).take(sheets).collect();
    if names.is_empty() {
        return Err(XlsxError::Damaged("it has no sheet".to_owned()).into());
    }
    let mut copied = 0;
    for sheet in &names {
        let mut cells = workbook.worksheet_cells_reader(sheet).map_err(damaged)?;
        let (mut row, mut number, mut left) = (Vec::new(), 0, ROW);
        while let Some(cell) = cells.next_cell().map_err(damaged)? {
            let (at, column) = cell.get_position();
            if at != number && !row.is_empty() {
                each(sheet, u64::from(number) + 1, &row)?;
                row.clear();
            }
            if at != number {
                left = ROW;
            }
            number = at;
            if column >= COLUMNS {
                continue;
            }
            let value = cell.get_value();
            let text = value.get_string().or(value.get_datetime_iso()).or(value.get_duration_iso()).map_or(0, str::len);
            copied += text as u64;
            limits.check(copied, bytes)?;
            let too_long = || XlsxError::Damaged(format!("row {} is too long", u64::from(number) + 1));
            left = left.checked_sub(text + size_of::<XlsxCell<'_>>()).ok_or_else(too_long)?;
            row.extend(read(value.clone(), shift).map(|cell| (column as usize, cell)));
        }
        if !row.is_empty() {
            each(sheet, u64::from(number) + 1, &row)?;
        }
    }
    Ok(())
}

fn read(value: DataRef<'_>, shift: f64) -> Option<XlsxCell<'_>> {
    let number = |value: f64, is_date| XlsxCell::Number { value, day: day(value + shift), is_date };
    Some(match value {
        DataRef::Empty => return None,
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => XlsxCell::Text(text.into()),
        DataRef::SharedString(text) => XlsxCell::Text(text.into()),
        DataRef::Float(value) => number(value, false),
        DataRef::Int(value) => number(value as f64, false),
        DataRef::DateTime(serial) => number(serial.as_f64(), true),
        other @ (DataRef::Bool(_) | DataRef::Error(_)) => XlsxCell::Text(Data::from(other).to_string().into()),
    })
}

/// The fraction is a time.
fn day(serial: f64) -> Option<Date> {
    let days = serial.floor();
    let fits = (f64::from(MIN_SERIAL)..=f64::from(i32::MAX / 2)).contains(&days);
    if fits { Date::from_days_since_epoch(days as i32 + EPOCH_1900) } else { None }
}
