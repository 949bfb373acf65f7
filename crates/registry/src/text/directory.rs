//! Checks the end of a zip before the zip's reader sees the file.
//!
//! A reader that believes a hostile last record allocates for millions of entries, or searches the whole file for
//! another record. Here the last record must end the file and name one entry, in a short directory right before it. A
//! zip of more than 4 GiB has a wider record and a pointer to it in between, which are checked alike.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::error::SourceError;
use crate::format::{u32_at, u64_at};

/// Magic numbers: the last record, a directory entry, the wider record and the pointer to it.
const LAST: &[u8; 4] = b"PK\x05\x06";
const ENTRY: &[u8; 4] = b"PK\x01\x02";
const WIDE: &[u8; 4] = b"PK\x06\x06";
const POINTER: &[u8; 4] = b"PK\x06\x07";
/// The last record without its comment, the pointer, the wider record.
const LAST_BYTES: usize = 22;
const POINTER_BYTES: usize = 20;
const WIDE_BYTES: usize = 56;
const COMMENT: usize = u16::MAX as usize;
/// A real directory has about 100 bytes.
const MAX_DIRECTORY_BYTES: u32 = 4 << 10;

struct Directory {
    entries: u64,
    start: u64,
    length: u64,
    end: u64,
}

/// `may_be_large` accepts the form of a zip of more than 4 GiB.
pub(super) fn check(file: &mut File, bytes: u64, may_be_large: bool) -> Result<(), SourceError> {
    let tail_bytes = bytes.min((LAST_BYTES + COMMENT + POINTER_BYTES + WIDE_BYTES) as u64);
    let tail_start = bytes - tail_bytes;
    file.seek(SeekFrom::Start(tail_start))?;
    let mut tail = Vec::new();
    file.take(tail_bytes).read_to_end(&mut tail)?;
    // Without the record the file was cut.
    let at = tail.windows(LAST.len()).rposition(|window| window == LAST);
    let at = at.ok_or_else(|| damaged("it has no directory"))?;
    let (before, last) = tail.split_at_checked(at).ok_or_else(|| damaged("it has no directory"))?;
    let field = |offset| short(last, offset).ok_or_else(|| damaged("its directory is cut"));
    let wide = |offset| u32_at(last, offset).ok_or_else(|| damaged("its directory is cut"));
    let (disk, first_disk, here, entries) = (field(4)?, field(6)?, field(8)?, field(10)?);
    let (directory_bytes, directory, comment) = (wide(12)?, wide(16)?, field(20)?);
    if last.len() != LAST_BYTES + usize::from(comment) {
        return Err(damaged("bytes follow its directory"));
    }
    if disk != 0 || first_disk != 0 || here != entries {
        return Err(damaged("it is one of several parts"));
    }
    let pointer = before.len().checked_sub(POINTER_BYTES).and_then(|at| before.get(at..));
    let directory = if pointer.is_some_and(|pointer| pointer.starts_with(POINTER)) {
        if !may_be_large {
            return Err(damaged("it has a zip64 directory"));
        }
        let found = wide_directory(before, tail_start).ok_or_else(|| damaged("its zip64 directory is not valid"))?;
        // A narrow number that differs is all ones.
        let says = |narrow: u32, wide: u64| narrow == u32::MAX || u64::from(narrow) == wide;
        let agree = says(directory_bytes, found.length) && says(directory, found.start);
        if !agree || !matches!((entries, found.entries), (u16::MAX, _) | (1, 1)) {
            return Err(damaged("its two last records differ"));
        }
        found
    } else {
        let (start, length) = (u64::from(directory), u64::from(directory_bytes));
        Directory { entries: u64::from(entries), start, length, end: tail_start + at as u64 }
    };
    if directory.entries != 1 {
        return Err(SourceError::Entries { found: usize::try_from(directory.entries).unwrap_or(usize::MAX) });
    }
    if directory.length > u64::from(MAX_DIRECTORY_BYTES) {
        return Err(SourceError::Directory { limit: MAX_DIRECTORY_BYTES });
    }
    let is_adjacent = directory.start.checked_add(directory.length) == Some(directory.end);
    if !is_adjacent || !is_one_entry(file, directory.start, directory.length)? {
        return Err(damaged("its directory is not where it says"));
    }
    Ok(())
}

/// The directory by the wider record and its pointer, which end `before`; `start` is the place of `before` in the file.
fn wide_directory(before: &[u8], start: u64) -> Option<Directory> {
    let at = before.len().checked_sub(POINTER_BYTES + WIDE_BYTES)?;
    let (record, pointer) = before.get(at..)?.split_at_checked(WIDE_BYTES)?;
    let end = start + at as u64;
    let is_pointer = u32_at(pointer, 4)? == 0 && u64_at(pointer, 8)? == end && u32_at(pointer, 16)? <= 1;
    let is_record = record.starts_with(WIDE) && u64_at(record, 4)? == (WIDE_BYTES - 12) as u64;
    let is_whole = u32_at(record, 16)? == 0 && u32_at(record, 20)? == 0 && u64_at(record, 24)? == u64_at(record, 32)?;
    (is_pointer && is_record && is_whole).then_some(())?;
    Some(Directory { entries: u64_at(record, 32)?, length: u64_at(record, 40)?, start: u64_at(record, 48)?, end })
}

fn is_one_entry(file: &mut File, at: u64, length: u64) -> Result<bool, SourceError> {
    file.seek(SeekFrom::Start(at))?;
    let mut entry = Vec::new();
    file.take(length).read_to_end(&mut entry)?;
    let texts: Option<u64> = [28, 30, 32].into_iter().map(|offset| short(&entry, offset).map(u64::from)).sum();
    Ok(entry.starts_with(ENTRY) && texts.is_some_and(|texts| 46 + texts == length))
}

fn damaged(detail: &str) -> SourceError {
    SourceError::Zip { detail: detail.to_owned() }
}

fn short(record: &[u8], offset: usize) -> Option<u16> {
    record.get(offset..)?.first_chunk().copied().map(u16::from_le_bytes)
}
