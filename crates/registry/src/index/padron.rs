//! Reads the padrón on three threads: one inflates, one parses, the caller's numbers the words and partitions the
//! records.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::draft::{Draft, Drafter};
use super::encode::Encoder;
use super::error::IndexError;
use super::records::Records;
use super::vocabulary::Vocabulary;
use crate::dataset::{Dataset, Encoding, LineEnd};
use crate::progress::{Advance, Progress};
use crate::reader::padron::PadronLines;
use crate::reader::{FileProblemError, ReadError, Report, open};
use crate::text::{Lines, ReadText, SourceError, hand_over};

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
    let drafted = hand_over(
        |hand_on| {
            let (mut lines, mut draft) = (Lines::new(LineEnd::Lf), Draft::default());
            let complete = source.read(|chunk| {
                lines.feed(chunk, &mut |number, line| {
                    reader.line(number, line, &mut |row| drafter.push(row, &mut draft))
                })?;
                // `None` = the encoder has failed.
                draft = hand_on(std::mem::take(&mut draft)).ok_or(SourceError::Interrupted)?;
                draft.clear();
                Ok::<_, FileProblemError>(())
            })??;
            lines.finish(&mut |number, line| reader.line(number, line, &mut |row| drafter.push(row, &mut draft)))?;
            hand_on(draft);
            Ok(complete)
        },
        |draft: Draft| {
            rows += draft.rows.len() as u64;
            let next = encoder.encode(draft)?;
            progress.advanced(Advance { bytes_read: read.load(Ordering::Relaxed), bytes_total: file_bytes, rows });
            Ok::<_, E>(next)
        },
    )?;
    let drafted = drafted.unwrap_or(Err(FileProblemError::Source(SourceError::Interrupted)));
    let ReadText { sha256, text_bytes } = drafted.map_err(failed)?;
    if !reader.has_header {
        return Err(failed(FileProblemError::Empty).into());
    }
    let (vocabulary, partitions) = encoder.finish()?;
    let encoding = Some(Encoding::Windows1252);
    let report = Report { encoding, entry_date, sha256, file_bytes, text_bytes, ..reader.report };
    Ok((Records { vocabulary, partitions, month: None }, report))
}
