//! Reads the padrón on three threads, so that two cores are always busy: one inflates, one parses, and the caller's
//! thread numbers the words and puts the records into partitions.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::draft::{Draft, Drafter};
use super::encode::Encoder;
use super::error::IndexError;
use super::records::Records;
use super::vocabulary::Vocabulary;
use crate::dataset::{Dataset, Encoding};
use crate::progress::{Advance, Progress};
use crate::reader::padron::PadronLines;
use crate::reader::{Problem, ReadError, Report, open};
use crate::text::{Complete, Ending, Lines, SourceError};

/// Chunks of text and drafts on their way between two threads.
const IN_FLIGHT: usize = 4;

/// Reads the file of `dataset`, the padrón, at `path`.
pub(super) fn read<E: From<ReadError> + From<IndexError>>(
    dataset: &'static Dataset,
    path: &Path,
    vocabulary: Vocabulary,
    progress: &dyn Progress,
) -> Result<(Records, Report), E> {
    let failed = |problem| ReadError { dataset: dataset.name, problem };
    let read = AtomicU64::new(0);
    let source = open(dataset, path, &read).map_err(failed)?;
    let (file_bytes, entry_date) = (source.bytes, source.entry_date);
    let mut reader = PadronLines::default();
    let mut drafter = Drafter::new(vocabulary.hasher().clone());
    let mut encoder = Encoder::new(vocabulary);
    let mut rows = 0;
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
                lines.feed(&chunk, &mut |number, line| {
                    reader.line(number, line, &mut |row| drafter.push(row, &mut draft))
                })?;
                // The inflating thread ends after its last chunk; the encoding loop may have failed.
                let _ = chunk_free.send(chunk);
                let (Ok(()), Ok(next)) = (draft_filled.send(draft), free_drafts.recv()) else { return Ok(()) };
                draft = next;
                draft.clear();
            }
            lines.finish(&mut |number, line| reader.line(number, line, &mut |row| drafter.push(row, &mut draft)))?;
            let _ = draft_filled.send(draft);
            Ok(())
        });
        let mut encoded = Ok(());
        for draft in drafts {
            rows += draft.rows().len() as u64;
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
            progress.advanced(Advance { bytes_read, bytes_total: file_bytes, rows });
        }
        // Without a free draft the other threads end.
        drop(draft_free);
        let streamed = inflating.join().unwrap_or(Err(SourceError::Interrupted));
        let drafted = drafting.join().unwrap_or(Err(Problem::Source(SourceError::Interrupted)));
        (streamed, drafted, encoded)
    });
    encoded?;
    drafted.map_err(failed)?;
    let Complete { sha256, text_bytes } = streamed.map_err(|error| failed(Problem::Source(error)))?;
    if !reader.has_header {
        return Err(failed(Problem::Empty).into());
    }
    let (vocabulary, partitions) = encoder.finish()?;
    let encoding = Some(Encoding::Windows1252);
    let report = Report { encoding, entry_date, sha256, file_bytes, text_bytes, ..reader.report };
    Ok((Records { vocabulary, partitions, month: None }, report))
}
