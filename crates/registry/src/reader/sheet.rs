//! The first sheet of a workbook as typed rows.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_domain::{Date, Ruc};
use kuraka_tables::{XlsxCell, XlsxLimits, number_text, xlsx_rows};
use sha2::{Digest, Sha256};

use super::bad_lines::{Reason, RefusedLine};
use super::decode::fold;
use super::error::{FileProblemError, ReadError};
use super::header::Layout;
use super::report::Report;
use super::row_fields::RowFields;
use super::text_file::check_name;
use crate::dataset::{Dataset, DateForm, FieldKind, Subjects, Value};
use crate::text::SourceError;

pub(super) fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    path: &Path,
    bytes_read: &AtomicU64,
    each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    let failed = |problem| E::from(ReadError { dataset: dataset.name, problem });
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    check_name(dataset, &name).map_err(failed)?;
    let limits = dataset.limits;
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(limits.text + 1).read_to_end(&mut bytes));
    file.map_err(|error| failed(SourceError::Io(error).into()))?;
    bytes_read.store(bytes.len() as u64, Ordering::Relaxed);
    let mut sheet = Sheet { dataset, layout: None, rows: Vec::new() };
    let limits = XlsxLimits { text: limits.text, ratio: limits.ratio, ratio_from: 1 << 20 };
    let text_bytes = xlsx_rows(&bytes, limits, |number, cells| sheet.push(number, cells)).map_err(failed)?;
    let Sheet { layout: Some(layout), rows, .. } = sheet else { return Err(failed(FileProblemError::Empty)) };
    let mut fields = RowFields::new(dataset.absent);
    for row in &rows {
        if dataset.subjects == Subjects::LegalPersons && !row.key.starts_with("20") {
            fields.report.left_out += 1;
            continue;
        }
        match row.values(&layout, &mut fields) {
            Ok((ruc, values)) => {
                fields.report.rows += 1;
                each(ruc, &values)?;
            }
            Err(refused) => fields.report.bad_lines.add(Some(row.number), 0, &refused),
        }
    }
    Ok(Report {
        unknown_columns: layout.unknown,
        sha256: Sha256::digest(&bytes).into(),
        file_bytes: bytes.len() as u64,
        text_bytes,
        ..fields.report
    })
}

struct SheetRow {
    number: u64,
    key: String,
    fields: Vec<String>,
}

impl SheetRow {
    fn values<'a>(&'a self, layout: &Layout, fields: &mut RowFields) -> Result<(Ruc, Vec<Value<'a>>), RefusedLine<'a>> {
        let key = self.key.as_bytes();
        let no_ruc = |_| RefusedLine { reason: Reason::BadRuc, ruc: None, cell: Some((layout.ruc_header, key)) };
        let ruc = Ruc::from_ascii(key).map_err(no_ruc)?;
        let values = layout.fields.iter().zip(&self.fields).map(|(field, text)| {
            let cell = Some((field.header, text.as_bytes()));
            fields.value(field, Ok(text), false).map_err(|reason| RefusedLine { reason, ruc: Some(ruc), cell })
        });
        Ok((ruc, values.collect::<Result<_, _>>()?))
    }
}

/// Collects the rows. The first row that is not empty is the header. Cells of dropped columns are not copied.
struct Sheet {
    dataset: &'static Dataset,
    layout: Option<Layout>,
    rows: Vec<SheetRow>,
}

impl Sheet {
    fn push(&mut self, number: u64, cells: &[(usize, XlsxCell<'_>)]) -> Result<(), FileProblemError> {
        let text = |position: usize, kind: Option<FieldKind>| {
            let cell = cells.iter().find(|(column, _)| *column == position);
            cell.map(|(_, cell)| text(cell, kind)).unwrap_or_default()
        };
        let Some(layout) = &self.layout else {
            let width = cells.iter().map(|(column, _)| column + 1).max().unwrap_or(0);
            let mut names: Vec<String> = (0..width).map(|position| text(position, None)).collect();
            names.truncate(names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1));
            if !names.is_empty() {
                self.layout = Some(Layout::new(self.dataset, &names)?);
            }
            return Ok(());
        };
        let key = text(layout.ruc, None);
        let fields: Vec<String> = layout.fields.iter().map(|field| text(field.position, Some(field.kind))).collect();
        if key.is_empty() && fields.iter().all(String::is_empty) {
            return Ok(());
        }
        self.rows.push(SheetRow { number, key, fields });
        Ok(())
    }
}

/// A cell as a text file would have it. A number in a column of dates is a day.
fn text(cell: &XlsxCell<'_>, kind: Option<FieldKind>) -> String {
    let form = match kind {
        Some(FieldKind::Date(form)) => Some(form),
        _ => None,
    };
    match cell {
        XlsxCell::Text(text) => written(text, form),
        XlsxCell::Number { value, day, .. } => {
            form.zip(*day).map_or_else(|| number_text(*value), |(form, day)| in_form(day, form))
        }
    }
}

/// A text with single blanks; an ISO date, with or without a time, in the published form.
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
