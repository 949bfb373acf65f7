//! Reads a text on two threads, so that two cores are busy: one inflates, and the caller's reads the lines.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::sync_channel;
use std::thread;

use kuraka_domain::Ruc;

use super::error::{Problem, ReadError};
use super::line_reader::LineReader;
use super::report::Report;
use crate::dataset::{ALL, Dataset, LineEnd, TextForm, Value, is_named};
use crate::text::{Ending, Lines, Source, SourceError};

/// Chunks of text on their way between the two threads.
const IN_FLIGHT: usize = 4;

/// Reads the text at `path`.
pub(super) fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    form: TextForm,
    path: &Path,
    read: &AtomicU64,
    each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    let failed = |problem| E::from(ReadError { dataset: dataset.name, problem });
    let source = open(dataset, path, read).map_err(failed)?;
    let (file_bytes, entry_date) = (source.bytes, source.entry_date);
    let mut reader = LineReader::new(dataset, form);
    let mut lines = Lines::new(match form.line_end {
        LineEnd::Lf => Ending::Lf,
        LineEnd::LfOrCr => Ending::LfOrCr,
    });
    let (filled, chunks) = sync_channel(IN_FLIGHT);
    let (free, free_chunks) = sync_channel(IN_FLIGHT);
    for _ in 1..IN_FLIGHT {
        // The channel has room for all of them.
        let _ = free.send(Vec::new());
    }
    let (streamed, read) = thread::scope(|scope| {
        let streaming = scope.spawn(move || {
            source.stream(Vec::new(), |chunk| {
                filled.send(chunk).ok()?;
                free_chunks.recv().ok()
            })
        });
        // This thread's ends of the channels are dropped before it waits, so that the other thread ends.
        let (chunks, free) = (chunks, free);
        let mut read = Ok(());
        for chunk in &chunks {
            reader.decoder.observe(&chunk);
            read = lines.feed(&chunk, &mut |number, line| reader.line(number, line, each));
            if read.is_err() {
                break;
            }
            // The streaming thread ends after its last chunk.
            let _ = free.send(chunk);
        }
        drop((chunks, free));
        (streaming.join().unwrap_or(Err(SourceError::Interrupted)), read)
    });
    read?;
    let complete = streamed.map_err(|error| failed(Problem::Source(error)))?;
    lines.finish(&mut |number, line| reader.line(number, line, each))?;
    let LineReader { decoder, layout, fields, report, .. } = reader;
    let Some(layout) = layout else { return Err(failed(Problem::Empty)) };
    Ok(Report {
        unread_values: fields.unread,
        unlisted_values: fields.unlisted,
        unlisted_wordings: fields.unlisted_wordings,
        unknown_columns: layout.unknown,
        encoding: decoder.encoding(),
        entry_date,
        sha256: complete.sha256,
        file_bytes,
        text_bytes: complete.text_bytes,
        ..report
    })
}

/// Opens the text of `dataset`. The file of another dataset is refused by its name.
pub(crate) fn open<'a>(dataset: &Dataset, path: &Path, read: &'a AtomicU64) -> Result<Source<'a>, Problem> {
    let source = Source::open(path, dataset.limits, read).map_err(|error| {
        if matches!(error, SourceError::Entries { .. }) && is_workbook(path) {
            Problem::UnexpectedWorkbook
        } else {
            Problem::Source(error)
        }
    })?;
    let own_name = || path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check_name(dataset, &source.entry_name.clone().unwrap_or_else(own_name))?;
    Ok(source)
}

/// Refuses the file name of another dataset. An unknown name is accepted, because publishers change it.
pub(super) fn check_name(dataset: &Dataset, found: &str) -> Result<(), Problem> {
    let has = |dataset: &Dataset| dataset.file_names.iter().any(|name| is_named(name, found));
    match ALL.iter().find(|other| other.name != dataset.name && has(other)) {
        Some(other) if !has(dataset) => Err(Problem::OtherFile { found: found.to_owned(), dataset: other.name }),
        _ => Ok(()),
    }
}

/// Whether a zip begins with an entry that workbooks begin with.
fn is_workbook(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(100).read_to_end(&mut start));
    let name = start.get(30..).unwrap_or_default();
    read.is_ok() && [&b"[Content_Types].xml"[..], b"_rels/", b"xl/", b"docProps/"].iter().any(|it| name.starts_with(it))
}
