//! The first sheet of a workbook as rows. The cells of dropped columns are not copied from the xlsx reader.

use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use calamine::{Data, DataRef, Reader, Xlsx};
use kuraka_domain::{Date, Ruc};
use sha2::{Digest, Sha256};

use super::bad_lines::{Reason, Refused};
use super::decode::fold;
use super::error::{Problem, ReadError};
use super::header::Layout;
use super::report::Report;
use super::row_fields::RowFields;
use super::text_file::check_name;
use super::workbook::Workbook;
use crate::dataset::{Dataset, DateForm, FieldKind, Limits, Subjects, Value};

/// Serial numbers of days are counted from here; before 1 March 1900 they differ.
const EPOCH_1900: i32 = -25_569;
const FIRST_SERIAL: f64 = 61.0;
/// Days from the epoch of older workbooks on a Mac, 1904-01-01, to that of 1900.
const EPOCH_1904: f64 = 1_462.0;
/// Columns that are looked at. A published sheet has nine.
const COLUMNS: usize = 256;

/// Reads the workbook at `path`.
pub(super) fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    path: &Path,
    bytes_read: &AtomicU64,
    each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    let failed = |problem| E::from(ReadError { dataset: dataset.name, problem });
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    check_name(dataset, &name).map_err(failed)?;
    let Workbook { bytes, text_bytes } = Workbook::open(path, dataset.limits).map_err(failed)?;
    bytes_read.store(bytes.len() as u64, Ordering::Relaxed);
    // On a thread of its own, so that a panic of the xlsx reader is an error of this file.
    let parsed = thread::scope(|scope| scope.spawn(|| Sheet::parse(dataset, &bytes)).join());
    let sheet = parsed.unwrap_or_else(|_| Err(Problem::workbook("the xlsx reader failed"))).map_err(failed)?;
    let mut report = Report {
        unknown_columns: sheet.layout.unknown.clone(),
        sha256: Sha256::digest(&bytes).into(),
        file_bytes: bytes.len() as u64,
        text_bytes,
        ..Report::default()
    };
    let mut fields = RowFields::new(dataset.absent);
    for row in &sheet.rows {
        if dataset.subjects == Subjects::LegalPersons && !row.key.starts_with("20") {
            report.left_out += 1;
            continue;
        }
        match row.values(&sheet.layout, &mut fields) {
            Ok((ruc, values)) => {
                report.rows += 1;
                each(ruc, &values)?;
            }
            Err(refused) => report.bad_lines.add(row.number, 0, &refused),
        }
    }
    (report.unread_values, report.unlisted_values) = (fields.unread, fields.unlisted);
    report.unlisted_wordings = fields.unlisted_wordings;
    Ok(report)
}

/// The rows of a sheet, as far as they are kept.
struct Sheet {
    layout: Layout,
    rows: Vec<SheetRow>,
}

/// One row: its number in the sheet, and the texts of its key and its fields.
struct SheetRow {
    number: u64,
    key: String,
    fields: Vec<String>,
}

impl SheetRow {
    fn values<'a>(&'a self, layout: &Layout, fields: &mut RowFields) -> Result<(Ruc, Vec<Value<'a>>), Refused<'a>> {
        let key = self.key.as_bytes();
        let no_ruc = |_| Refused { reason: Reason::BadRuc, ruc: None, cell: Some((layout.ruc_header, key)) };
        let ruc = Ruc::from_ascii(key).map_err(no_ruc)?;
        let values = layout.fields.iter().zip(&self.fields).map(|(field, text)| {
            let cell = Some((field.header, text.as_bytes()));
            fields.value(field, Ok(text), false).map_err(|reason| Refused { reason, ruc: Some(ruc), cell })
        });
        Ok((ruc, values.collect::<Result<_, _>>()?))
    }
}

impl Sheet {
    fn parse(dataset: &Dataset, bytes: &[u8]) -> Result<Self, Problem> {
        let unreadable = |error: &dyn std::fmt::Display| Problem::workbook(error.to_string());
        let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
        let epoch_1904 = workbook.has_1904_epoch();
        let name = workbook.sheet_names().first().cloned().ok_or_else(|| Problem::workbook("it has no sheet"))?;
        let mut cells = workbook.worksheet_cells_reader(&name).map_err(|error| unreadable(&error))?;
        let mut rows = Rows { dataset, epoch_1904, limits: dataset.limits, copied: 0, layout: None, rows: Vec::new() };
        let mut row = Vec::new();
        let mut number = 0;
        while let Some(cell) = cells.next_cell().map_err(|error| unreadable(&error))? {
            let (at, column) = cell.get_position();
            if at != number {
                rows.push(number, &row)?;
                row.clear();
                number = at;
            }
            if (column as usize) < COLUMNS {
                row.push((column as usize, cell.get_value().clone()));
            }
        }
        rows.push(number, &row)?;
        Ok(Self { layout: rows.layout.ok_or(Problem::Empty)?, rows: rows.rows })
    }
}

/// Collects the rows of a sheet. The first row that is not empty is the header.
struct Rows<'d> {
    dataset: &'d Dataset,
    epoch_1904: bool,
    limits: Limits,
    /// Bytes of text in the rows. One text of a workbook can be in many cells.
    copied: u64,
    layout: Option<Layout>,
    rows: Vec<SheetRow>,
}

impl Rows<'_> {
    fn push(&mut self, index: u32, cells: &[(usize, DataRef<'_>)]) -> Result<(), Problem> {
        let text = |position: usize, kind: Option<FieldKind>| {
            let cell = cells.iter().find(|(column, _)| *column == position);
            cell.map(|(_, value)| self.text(value, kind)).unwrap_or_default()
        };
        let Some(layout) = &self.layout else {
            let width = cells.iter().map(|(column, _)| column + 1).max().unwrap_or(0);
            let mut names: Vec<String> = (0..width).map(|position| text(position, None)).collect();
            names.truncate(names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1));
            if !names.is_empty() {
                self.layout = Some(Layout::of(self.dataset, &names)?);
            }
            return Ok(());
        };
        let key = text(layout.ruc, None);
        let fields: Vec<String> = layout.fields.iter().map(|field| text(field.position, Some(field.kind))).collect();
        if key.is_empty() && fields.iter().all(String::is_empty) {
            return Ok(());
        }
        self.copied += fields.iter().chain([&key]).map(|text| text.len() as u64).sum::<u64>();
        if self.copied > self.limits.text {
            return Err(crate::text::SourceError::TooLarge { limit: self.limits.text }.into());
        }
        self.rows.push(SheetRow { number: u64::from(index) + 1, key, fields });
        Ok(())
    }

    /// A cell as it would stand in a text file.
    fn text(&self, value: &DataRef<'_>, kind: Option<FieldKind>) -> String {
        let form = match kind {
            Some(FieldKind::Date(form)) => Some(form),
            _ => None,
        };
        match value {
            DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => written(text, form),
            DataRef::SharedString(text) => written(text, form),
            DataRef::Float(number) => self.number(*number, form),
            DataRef::Int(number) => self.number(*number as f64, form),
            DataRef::DateTime(serial) => self.number(serial.as_f64(), form),
            DataRef::Bool(_) | DataRef::Error(_) => Data::from(value.clone()).to_string(),
            DataRef::Empty => String::new(),
        }
    }

    /// A number, which is a day's serial number in a column of dates.
    fn number(&self, number: f64, form: Option<DateForm>) -> String {
        let serial = if self.epoch_1904 { number + EPOCH_1904 } else { number };
        let date = form.zip(day(serial)).map(|(form, day)| in_form(day, form));
        date.unwrap_or_else(|| if number.fract() == 0.0 { format!("{number:.0}") } else { number.to_string() })
    }
}

/// A text with single blanks; a date in ISO's form, with or without a time, in the published form.
fn written(text: &str, form: Option<DateForm>) -> String {
    let iso = form.zip(text.trim().get(..10).and_then(|day| Date::parse(day).ok()));
    iso.map(|(form, day)| in_form(day, form)).unwrap_or_else(|| {
        let mut out = String::new();
        fold(text, &mut out);
        out
    })
}

fn in_form(day: Date, form: DateForm) -> String {
    match form {
        DateForm::DayMonthYear => day.dmy().to_string(),
        DateForm::YearMonthDay => format!("{:04}{:02}{:02}", day.year(), day.month(), day.day()),
    }
}

/// The day of a serial number; its fraction is a time.
fn day(serial: f64) -> Option<Date> {
    let days = serial.floor();
    let fits = (FIRST_SERIAL..=f64::from(i32::MAX / 2)).contains(&days);
    if fits { Date::from_days_since_epoch(days as i32 + EPOCH_1900) } else { None }
}
