//! Reads a published list: the RUCs on it.
//!
//! Lists are published with a bare CR between records, and sometimes within a name. A line that does not begin with a
//! RUC is skipped and counted. A RUC that is listed twice counts once.

use std::sync::atomic::AtomicU64;

use kuraka_domain::Ruc;

use super::error::ImportError;
use super::lines::{Ending, Line, Lines};
use super::request::SourceFile;
use super::source::{Kind, Source};
use super::source_error::SourceError;
use crate::ListMeta;
use crate::checksum::Checksum;
use crate::dataset::LIST_HEADER;
use crate::row_id::row_id_of;

/// One list, read.
pub(crate) struct ReadList {
    /// Row ids of its RUCs, rising, without repetition.
    pub(crate) row_ids: Vec<u32>,
    /// Its facts; the edition's label is not known yet and empty.
    pub(crate) meta: ListMeta,
    pub(crate) sha256: Checksum,
}

/// Reads the list in `file`.
pub(crate) fn read_list(file: &SourceFile) -> Result<ReadList, ImportError> {
    read(file).map_err(|source| ImportError::Source { name: file.version.name.clone(), source })
}

fn read(file: &SourceFile) -> Result<ReadList, SourceError> {
    let read = AtomicU64::new(0);
    let source = Source::open(&file.path, Kind::List, &read)?;
    let bytes = source.bytes;
    let mut row_ids = Vec::new();
    let mut skipped = 0;
    let mut header = None;
    let mut each = |number: u64, line: Line<'_>| {
        let text = match line {
            Line::Whole(text) => text.bytes(),
            Line::TooLong(_) => &[],
        };
        if header.is_none() {
            header = Some(number);
            if text.trim_ascii_end() != LIST_HEADER {
                let detail = format!("a list begins with {:?}", String::from_utf8_lossy(LIST_HEADER));
                return Err(SourceError::Header { detail });
            }
            return Ok(());
        }
        match ruc_of(text) {
            Some(ruc) => row_ids.push(row_id_of(ruc)),
            None => skipped += 1,
        }
        Ok(())
    };
    let mut lines = Lines::new(Ending::LfOrCr);
    let mut failed = None;
    let complete = source.stream(Vec::new(), |chunk| match lines.feed(&chunk, &mut each) {
        Ok(()) => Some(chunk),
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let complete = complete?;
    lines.finish(&mut each)?;
    if header.is_none() {
        return Err(SourceError::Header { detail: "the file is empty".to_owned() });
    }
    row_ids.sort_unstable();
    row_ids.dedup();
    let source = file.meta(complete.sha256, bytes);
    let meta = ListMeta { source, count: row_ids.len() as u64, skipped, edition: String::new() };
    Ok(ReadList { row_ids, meta, sha256: complete.sha256 })
}

fn ruc_of(line: &[u8]) -> Option<Ruc> {
    let end = memchr::memchr(b'|', line)?;
    Ruc::from_ascii(line.get(..end)?).ok()
}
