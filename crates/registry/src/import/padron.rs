//! The padrón read to its end: one thread inflates, this one parses, encodes and sets aside.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use encoding_rs::WINDOWS_1252;

use super::encode::Encoder;
use super::lines::{Ending, Line, Lines};
use super::partition::{PARTITION_BITS, PARTITIONS, Partition};
use super::rejects::Rejects;
use super::row::{COLUMNS, Parsed, parse};
use super::source::{Complete, Source};
use super::text::decode;
use super::{Advance, ImportError, Progress, SourceError};
use crate::slot::slot_of;

/// Chunks of text between the two threads.
const IN_FLIGHT: usize = 6;

/// Everything the padrón's lines gave.
pub(crate) struct Rows {
    pub(crate) partitions: Vec<Partition>,
    pub(crate) encoder: Encoder,
    pub(crate) rejects: Rejects,
    /// Lines of known noise.
    pub(crate) skipped: u64,
    /// Rows set aside, repeated RUCs included.
    pub(crate) accepted: u64,
    scratch: String,
    record: Vec<u8>,
    header_seen: bool,
}

/// Why a line ends the reading.
enum Stop {
    Source(SourceError),
    Import(ImportError),
}

impl Rows {
    pub(crate) fn new(encoder: Encoder) -> Self {
        Self {
            partitions: (0..PARTITIONS).map(|_| Partition::default()).collect(),
            encoder,
            rejects: Rejects::default(),
            skipped: 0,
            accepted: 0,
            scratch: String::new(),
            record: Vec::new(),
            header_seen: false,
        }
    }

    /// Reads `source`, of which `read` says how far it was read. `name` is what errors call it.
    pub(crate) fn read(
        &mut self,
        source: Source<'_>,
        name: &str,
        read: &AtomicU64,
        progress: &dyn Progress,
    ) -> Result<Complete, ImportError> {
        let bytes_total = source.bytes;
        let (full, filled) = sync_channel(IN_FLIGHT);
        let (free, empty) = sync_channel(IN_FLIGHT);
        for _ in 1..IN_FLIGHT {
            // The channel has room for all of them.
            let _ = free.send(Vec::new());
        }
        let (streamed, parsed) = thread::scope(|scope| {
            let inflate = scope.spawn(move || {
                source.stream(Vec::new(), |chunk| {
                    full.send(chunk).ok()?;
                    empty.recv().ok()
                })
            });
            let mut lines = Lines::new(Ending::Lf);
            let mut parsed = Ok(());
            for chunk in filled {
                parsed = lines.feed(&chunk, &mut |number, line| self.line(number, line));
                if parsed.is_err() {
                    break;
                }
                let _ = free.send(chunk);
                let bytes_read = read.load(Ordering::Relaxed);
                progress.advanced(Advance { bytes_read, bytes_total, rows: self.accepted });
            }
            // Without a free buffer the other thread ends.
            drop(free);
            let parsed = parsed.and_then(|()| lines.finish(&mut |number, line| self.line(number, line)));
            (inflate.join().unwrap_or(Err(SourceError::Interrupted)), parsed)
        });
        let failed = |source| ImportError::Source { name: name.to_owned(), source };
        match parsed {
            Err(Stop::Import(error)) => return Err(error),
            Err(Stop::Source(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        let complete = streamed.map_err(failed)?;
        if !self.header_seen {
            return Err(failed(SourceError::Header { detail: "the file is empty".to_owned() }));
        }
        Ok(complete)
    }

    fn line(&mut self, number: u64, line: Line<'_>) -> Result<(), Stop> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(length) if self.header_seen => {
                self.rejects.long_line(number, length);
                return Ok(());
            }
            Line::TooLong(_) => &[],
        };
        if !self.header_seen {
            check_header(line).map_err(Stop::Source)?;
            self.header_seen = true;
            return Ok(());
        }
        let text = match decode(line, &mut self.scratch) {
            Ok(text) => text,
            Err(reason) => {
                self.rejects.line(number, reason, line);
                return Ok(());
            }
        };
        match parse(text) {
            Parsed::Row(row) => {
                self.encoder.encode(&row, &mut self.record).map_err(|full| Stop::Import(full.into()))?;
                let slot = slot_of(row.ruc);
                if let Some(partition) = self.partitions.get_mut((slot >> PARTITION_BITS) as usize) {
                    partition.push(slot, &self.record).map_err(|error| Stop::Import(ImportError::Memory(error)))?;
                }
                self.accepted += 1;
            }
            Parsed::Noise => self.skipped += 1,
            Parsed::Rejected(reason) => self.rejects.line(number, reason, line),
        }
        Ok(())
    }
}

/// The header is compared to the letter: a changed one announces changed columns.
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
