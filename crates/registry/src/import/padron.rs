//! Reads the padrón on three threads, so that two cores are always busy: one inflates, one parses, and the caller's
//! thread numbers the words and puts the records into partitions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use encoding_rs::WINDOWS_1252;

use super::draft::{Draft, Drafter};
use super::encode::Encoder;
use super::error::ImportError;
use super::lines::{Ending, Line, Lines};
use super::marks::Mark;
use super::partition::Partition;
use super::progress::{Advance, Progress};
use super::rejects::Rejects;
use super::row::{Parsed, parse};
use super::source::{Complete, Source};
use super::source_error::SourceError;
use super::text::{Scratch, decode};
use super::vocabulary::Vocabulary;
use crate::dataset::padron::COLUMNS;

/// Chunks of text and drafts on their way between two threads.
const IN_FLIGHT: usize = 4;

/// The result of reading the padrón.
pub(crate) struct Rows {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) partitions: Vec<Partition>,
    pub(crate) rejects: Rejects,
    /// Lines of known noise.
    pub(crate) skipped: u64,
    /// Rows kept, including repeated RUCs.
    pub(crate) accepted: u64,
    pub(crate) complete: Complete,
}

/// Reads `source`; `read` counts the bytes read. Errors call the file `name`.
pub(crate) fn read(
    source: Source<'_>,
    vocabulary: Vocabulary,
    name: &str,
    read: &AtomicU64,
    progress: &dyn Progress,
) -> Result<Rows, ImportError> {
    let bytes_total = source.bytes;
    let mut reader = Reader::new(Drafter::new(vocabulary.hasher().clone()));
    let mut encoder = Encoder::new(vocabulary);
    let mut accepted = 0;
    let (chunk_filled, chunks) = sync_channel(IN_FLIGHT);
    let (chunk_free, free_chunks) = sync_channel(IN_FLIGHT);
    let (draft_filled, drafts) = sync_channel(IN_FLIGHT);
    let (draft_free, free_drafts) = sync_channel(IN_FLIGHT);
    for _ in 1..IN_FLIGHT {
        // The channels have room for all of them.
        let _ = chunk_free.send(Vec::new());
        let _ = draft_free.send(Draft::default());
    }
    let (streamed, drafted, encoded) = thread::scope(|scope| {
        let inflating = scope.spawn(move || {
            source.stream(Vec::new(), |chunk| {
                chunk_filled.send(chunk).ok()?;
                free_chunks.recv().ok()
            })
        });
        let drafting = scope.spawn(|| {
            // This thread owns its ends of the channels, so that the other threads end when it ends.
            let (chunks, chunk_free, draft_filled, free_drafts) = (chunks, chunk_free, draft_filled, free_drafts);
            let mut lines = Lines::new(Ending::Lf);
            let mut draft = Draft::default();
            for chunk in chunks {
                lines.feed(&chunk, &mut |number, line| reader.line(number, line, &mut draft))?;
                // The inflating thread ends after its last chunk; the encoding loop may have failed.
                let _ = chunk_free.send(chunk);
                let (Ok(()), Ok(next)) = (draft_filled.send(draft), free_drafts.recv()) else { return Ok(()) };
                draft = next;
                draft.clear();
            }
            lines.finish(&mut |number, line| reader.line(number, line, &mut draft))?;
            let _ = draft_filled.send(draft);
            Ok(())
        });
        let mut encoded = Ok(());
        for draft in drafts {
            accepted += draft.rows().len() as u64;
            match encoder.encode(draft) {
                Ok(next) => {
                    let _ = draft_free.send(next);
                }
                Err(error) => {
                    encoded = Err(error);
                    break;
                }
            }
            let bytes_read = read.load(Ordering::Relaxed);
            progress.advanced(Advance { bytes_read, bytes_total, rows: accepted });
        }
        // Without a free draft the other threads end.
        drop(draft_free);
        let streamed = inflating.join().unwrap_or(Err(SourceError::Interrupted));
        let drafted = drafting.join().unwrap_or(Err(SourceError::Interrupted));
        (streamed, drafted, encoded)
    });
    encoded?;
    let failed = |source| ImportError::Source { name: name.to_owned(), source };
    drafted.map_err(failed)?;
    let complete = streamed.map_err(failed)?;
    let Reader { rejects, skipped, header_seen, .. } = reader;
    if !header_seen {
        return Err(failed(SourceError::Header { detail: "the file is empty".to_owned() }));
    }
    let (vocabulary, partitions) = encoder.finish()?;
    Ok(Rows { vocabulary, partitions, rejects, skipped, accepted, complete })
}

/// Turns lines into drafts.
struct Reader {
    drafter: Drafter,
    rejects: Rejects,
    skipped: u64,
    scratch: Scratch,
    header_seen: bool,
}

impl Reader {
    fn new(drafter: Drafter) -> Self {
        Self { drafter, rejects: Rejects::default(), skipped: 0, scratch: Scratch::default(), header_seen: false }
    }

    /// Appends the line's row to `draft`, or counts the line as noise or rejected. Only a wrong header is an error.
    fn line(&mut self, number: u64, line: Line<'_>, draft: &mut Draft) -> Result<(), SourceError> {
        if !self.header_seen {
            self.header_seen = true;
            return check_header(match line {
                Line::Whole(line) => line.bytes(),
                Line::TooLong(_) => &[],
            });
        }
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(length) => {
                self.rejects.long_line(number, length);
                return Ok(());
            }
        };
        let decoded;
        let parsed = if line.find(Mark::Odd).is_none() {
            parse(line)
        } else {
            match decode(line, &mut self.scratch) {
                Ok(text) => {
                    decoded = text;
                    parse(decoded.whole())
                }
                Err(reason) => Parsed::Rejected(reason),
            }
        };
        match parsed {
            Parsed::Row(row) => self.drafter.push(&row, draft),
            Parsed::Noise => self.skipped += 1,
            Parsed::Rejected(reason) => self.rejects.line(number, reason, line.bytes()),
        }
        Ok(())
    }
}

/// The header must match exactly: a changed header means changed columns.
fn check_header(line: &[u8]) -> Result<(), SourceError> {
    let detail = header_difference(line);
    detail.map_or(Ok(()), |detail| Err(SourceError::Header { detail }))
}

fn header_difference(line: &[u8]) -> Option<String> {
    if !line.is_ascii() && std::str::from_utf8(line).is_ok() {
        return Some("it is UTF-8 instead of windows-1252".to_owned());
    }
    let text = WINDOWS_1252.decode_without_bom_handling(line).0;
    let Some(text) = text.strip_suffix('|') else {
        return Some(format!("it does not end with a pipe and the {} known columns", COLUMNS.len()));
    };
    let found: Vec<&str> = text.split('|').collect();
    for (number, (found, expected)) in (1..).zip(found.iter().zip(COLUMNS)) {
        if *found != expected {
            let found: String = found.chars().take(40).collect();
            return Some(format!("column {number} is {found:?} instead of {expected:?}"));
        }
    }
    (found.len() != COLUMNS.len()).then(|| format!("it has {} columns instead of {}", found.len(), COLUMNS.len()))
}
