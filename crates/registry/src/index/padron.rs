//! Reads the padrón on three threads: one inflates, one parses, the caller's numbers the words and partitions the
//! records.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::draft::{Draft, Drafter};
use super::encode::Encoder;
use super::error::IndexError;
use super::records::Records;
use super::vocabulary::Vocabulary;
use crate::dataset::{Dataset, Encoding, LineEnd};
use crate::progress::{Advance, Progress};
use crate::reader::padron::PadronLines;
use crate::reader::{FileProblemError, ReadError, Report, open};
use crate::text::{Lines, ReadText, SourceError};

const IN_FLIGHT: usize = 4;

pub(super) fn read<E: From<ReadError> + From<IndexError>>(
    dataset: &'static Dataset,
    path: &Path,
    vocabulary: Vocabulary,
    progress: &dyn Progress,
) -> Result<(Records, Report), E> {
    let failed = |problem| ReadError { dataset: dataset.name, problem };
    let read = AtomicU64::new(0);
    let source = open(dataset, path, &read).map_err(failed)?;
    let (file_bytes, entry_date) = (source.bytes, source.entry.as_ref().and_then(|entry| entry.date));
    let mut reader = PadronLines::default();
    let mut drafter = Drafter::new(vocabulary.hasher().clone());
    let mut encoder = Encoder::new(vocabulary);
    let mut rows = 0;
    let (filled, drafts) = sync_channel(IN_FLIGHT);
    let (free, free_drafts) = sync_channel(IN_FLIGHT);
    for _ in 1..IN_FLIGHT {
        // The channel has room for all of them.
        let _ = free.send(Draft::default());
    }
    let (drafted, encoded) = thread::scope(|scope| {
        let drafting = scope.spawn(|| {
            // This thread owns its ends of the channels, so that the caller's ends end with it.
            let (filled, free_drafts) = (filled, free_drafts);
            let (mut lines, mut draft) = (Lines::new(LineEnd::Lf), Draft::default());
            let complete = source.read(|chunk| {
                lines.feed(chunk, &mut |number, line| {
                    reader.line(number, line, &mut |row| drafter.push(row, &mut draft))
                })?;
                let sent = filled.send(std::mem::take(&mut draft)).is_ok();
                // Otherwise the encoding loop has failed.
                draft = free_drafts.recv().ok().filter(|_| sent).ok_or(SourceError::Interrupted)?;
                draft.clear();
                Ok::<_, FileProblemError>(())
            })??;
            lines.finish(&mut |number, line| reader.line(number, line, &mut |row| drafter.push(row, &mut draft)))?;
            let _ = filled.send(draft);
            Ok(complete)
        });
        let mut encoded = Ok(());
        for draft in drafts {
            rows += draft.rows.len() as u64;
            match encoder.encode(draft) {
                Ok(next) => {
                    let _ = free.send(next);
                }
                Err(error) => {
                    encoded = Err(error);
                    break;
                }
            }
            let bytes_read = read.load(Ordering::Relaxed);
            progress.advanced(Advance { bytes_read, bytes_total: file_bytes, rows });
        }
        // Without a free draft the other threads end.
        drop(free);
        (drafting.join().unwrap_or(Err(FileProblemError::Source(SourceError::Interrupted))), encoded)
    });
    encoded?;
    let ReadText { sha256, text_bytes } = drafted.map_err(failed)?;
    if !reader.has_header {
        return Err(failed(FileProblemError::Empty).into());
    }
    let (vocabulary, partitions) = encoder.finish()?;
    let encoding = Some(Encoding::Windows1252);
    let report = Report { encoding, entry_date, sha256, file_bytes, text_bytes, ..reader.report };
    Ok((Records { vocabulary, partitions, month: None }, report))
}
