//! Reads a text by the described columns.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use kuraka_domain::Ruc;

use super::error::{FileProblemError, ReadError};
use super::line_reader::LineReader;
use super::report::Report;
use crate::dataset::{ALL, Dataset, TextForm, Value, is_named};
use crate::text::{Lines, Source, SourceError};

pub(super) fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    form: TextForm,
    path: &Path,
    read: &AtomicU64,
    each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    let failed = |problem| E::from(ReadError { dataset: dataset.name, problem });
    let source = open(dataset, path, read).map_err(failed)?;
    let (file_bytes, entry_date) = (source.bytes, source.entry.as_ref().and_then(|entry| entry.date));
    let mut reader = LineReader::new(dataset, form);
    let mut lines = Lines::new(form.line_end);
    let complete = source.read(|chunk| {
        reader.decoder.observe(chunk);
        lines.feed(chunk, &mut |number, line| reader.line(number, line, each))
    })?;
    let complete = complete.map_err(|error| failed(FileProblemError::Source(error)))?;
    lines.finish(&mut |number, line| reader.line(number, line, each))?;
    let LineReader { decoder, layout, fields, .. } = reader;
    let Some(layout) = layout else { return Err(failed(FileProblemError::Empty)) };
    Ok(Report {
        unknown_columns: layout.unknown,
        encoding: decoder.encoding,
        entry_date,
        sha256: complete.sha256,
        file_bytes,
        text_bytes: complete.text_bytes,
        ..fields.report
    })
}

/// Opens the text of `dataset`; refuses another dataset's file name.
pub(crate) fn open<'a>(dataset: &Dataset, path: &Path, read: &'a AtomicU64) -> Result<Source<'a>, FileProblemError> {
    let source = Source::open(path, dataset.limits, read).map_err(|error| {
        if matches!(error, SourceError::Entries { .. }) && is_workbook(path) {
            FileProblemError::UnexpectedWorkbook
        } else {
            FileProblemError::Source(error)
        }
    })?;
    let own_name = path.file_name().unwrap_or_default().to_string_lossy();
    check_name(dataset, source.entry.as_ref().map_or(&*own_name, |entry| &*entry.name))?;
    Ok(source)
}

/// Refuses the file name of another dataset; accepts unknown names, because publishers change them.
pub(super) fn check_name(dataset: &Dataset, found: &str) -> Result<(), FileProblemError> {
    let has = |dataset: &Dataset| dataset.file_names.iter().any(|name| is_named(name, found));
    match ALL.iter().find(|other| other.name != dataset.name && has(other)) {
        Some(other) if !has(dataset) => {
            Err(FileProblemError::OtherFile { found: found.to_owned(), dataset: other.name })
        }
        _ => Ok(()),
    }
}

/// Whether a zip begins like a workbook.
fn is_workbook(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(100).read_to_end(&mut start));
    let name = start.get(30..).unwrap_or_default();
    read.is_ok() && [&b"[Content_Types].xml"[..], b"_rels/", b"xl/", b"docProps/"].iter().any(|it| name.starts_with(it))
}
