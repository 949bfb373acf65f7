//! The lists of withholding agents and of good taxpayers: which RUCs are on them.
//!
//! Published with a bare CR between records, sometimes inside a name too. A line that does not begin with a RUC is
//! skipped and counted; a RUC that is listed twice is listed.

use std::sync::atomic::AtomicU64;

use kuraka_domain::Ruc;

use super::digest::hex;
use super::lines::{Ending, Line, Lines};
use super::source::{Kind, Source};
use super::{ImportError, SourceError, SourceFile};
use crate::row_id::row_id_of;
use crate::{ListMeta, SourceMeta};

/// The header of both lists.
const HEADER: &[u8] = b"Ruc|Nombre/Razon|A partir del|Resolucion|";

/// One list, read.
pub(crate) struct List {
    /// Slots of its RUCs, rising, without repetition.
    pub(crate) row_ids: Vec<u32>,
    /// Its facts; the edition's label is not known yet and empty.
    pub(crate) meta: ListMeta,
    pub(crate) sha256: [u8; 32],
}

/// Reads the list in `file`.
pub(crate) fn read(file: &SourceFile) -> Result<List, ImportError> {
    read_slots(file).map_err(|source| ImportError::Source { name: file.name.clone(), source })
}

fn read_slots(file: &SourceFile) -> Result<List, SourceError> {
    let read = AtomicU64::new(0);
    let source = Source::open(&file.path, Kind::List, &read)?;
    let bytes = source.bytes;
    let mut row_ids = Vec::new();
    let mut skipped = 0;
    let mut header = None;
    let mut each = |number: u64, line: Line<'_>| {
        let text = match line {
            Line::Whole(text) => text,
            Line::TooLong(_) => &[],
        };
        if header.is_none() {
            header = Some(number);
            if text.trim_ascii_end() != HEADER {
                let detail = format!("a list begins with {:?}", String::from_utf8_lossy(HEADER));
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
    let source = source_meta(file, complete.sha256, bytes);
    let meta = ListMeta { source, count: row_ids.len() as u64, skipped, edition: String::new() };
    Ok(List { row_ids, meta, sha256: complete.sha256 })
}

/// What is remembered of a source file.
pub(crate) fn source_meta(file: &SourceFile, sha256: [u8; 32], bytes: u64) -> SourceMeta {
    SourceMeta {
        name: file.name.clone(),
        sha256: hex(&sha256),
        bytes,
        etag: file.etag.clone(),
        last_modified: file.last_modified.clone(),
    }
}

fn ruc_of(line: &[u8]) -> Option<Ruc> {
    let end = memchr::memchr(b'|', line)?;
    Ruc::from_ascii(line.get(..end)?).ok()
}
