//! The end of a zip, checked before the zip's reader sees the file.
//!
//! A zip names its entries in a directory at its end, and the last record says how many there are and where. A reader
//! that believes a hostile record allocates for millions of entries, or searches the whole file for another one. Here
//! the last record must be the file's end and name one entry, in a short directory right before it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::source_error::SourceError;

/// Starts the last record, one entry of the directory, and the pointer to the directory of a larger zip.
const LAST: &[u8; 4] = b"PK\x05\x06";
const ENTRY: &[u8; 4] = b"PK\x01\x02";
const ZIP64: &[u8; 4] = b"PK\x06\x07";
/// Bytes of the last record without its comment, and of the pointer.
const LAST_BYTES: usize = 22;
const ZIP64_BYTES: usize = 20;
/// Bytes of the longest comment.
const COMMENT: usize = u16::MAX as usize;
/// Bytes of the longest directory that is accepted. A real one has about 100.
const LONGEST: u32 = 4 << 10;

/// Checks the end of the zip `file`, of `bytes` bytes.
pub(super) fn check(file: &mut File, bytes: u64) -> Result<(), SourceError> {
    let tail_bytes = bytes.min((LAST_BYTES + COMMENT + ZIP64_BYTES) as u64);
    let start = bytes - tail_bytes;
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(tail_bytes).read_to_end(&mut tail)?;
    // Without the record the file was cut.
    let at = tail.windows(LAST.len()).rposition(|window| window == LAST);
    let at = at.ok_or_else(|| damaged("it has no directory"))?;
    let (before, last) = tail.split_at_checked(at).ok_or_else(|| damaged("it has no directory"))?;
    let field = |offset| short(last, offset).ok_or_else(|| damaged("its directory is cut"));
    let wide = |offset| long(last, offset).ok_or_else(|| damaged("its directory is cut"));
    let (disk, first_disk, here, entries) = (field(4)?, field(6)?, field(8)?, field(10)?);
    let (directory_bytes, directory, comment) = (wide(12)?, wide(16)?, field(20)?);
    if last.len() != LAST_BYTES + usize::from(comment) {
        return Err(damaged("bytes follow its directory"));
    }
    let pointer = before.len().checked_sub(ZIP64_BYTES).and_then(|at| before.get(at..));
    if pointer.is_some_and(|pointer| pointer.starts_with(ZIP64)) {
        return Err(damaged("it has a zip64 directory"));
    }
    if disk != 0 || first_disk != 0 || here != entries {
        return Err(damaged("it is one of several parts"));
    }
    if entries != 1 {
        return Err(SourceError::Entries { found: usize::from(entries) });
    }
    if directory_bytes > LONGEST {
        return Err(SourceError::Directory { limit: LONGEST });
    }
    let end = u64::from(directory) + u64::from(directory_bytes);
    if end != start + at as u64 || !is_one_entry(file, u64::from(directory), directory_bytes)? {
        return Err(damaged("its directory is not where it says"));
    }
    Ok(())
}

/// Whether the directory is one entry of this length.
fn is_one_entry(file: &mut File, at: u64, length: u32) -> Result<bool, SourceError> {
    file.seek(SeekFrom::Start(at))?;
    let mut entry = Vec::new();
    file.take(u64::from(length)).read_to_end(&mut entry)?;
    let texts: Option<u32> = [28, 30, 32].into_iter().map(|offset| short(&entry, offset).map(u32::from)).sum();
    Ok(entry.starts_with(ENTRY) && texts.is_some_and(|texts| 46 + texts == length))
}

fn damaged(detail: &str) -> SourceError {
    SourceError::Zip { detail: detail.to_owned() }
}

fn short(record: &[u8], offset: usize) -> Option<u16> {
    record.get(offset..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn long(record: &[u8], offset: usize) -> Option<u32> {
    record.get(offset..)?.first_chunk().copied().map(u32::from_le_bytes)
}
