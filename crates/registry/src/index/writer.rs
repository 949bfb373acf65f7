//! Writes the rows, the sections that find them, and the other sections.

use std::path::Path;

use super::error::IndexError;
use super::section_file::SectionFile;
use super::sort::SortedRows;
use crate::folder::FileError;
use crate::folder::disk::Disk;
use crate::format::groups::{GROUPS, MAX_BUCKET_BYTES, RANK_BUCKETS};
use crate::format::header::{DIRECTORY, Identity, OFFSETS, RANKS, ROWS, SectionKind};

const NUMBER: usize = 4;

pub(crate) struct IndexWriter<'a> {
    file: SectionFile<'a>,
    directory: Vec<u8>,
    offsets: Vec<u8>,
    ranks: Vec<u8>,
    buckets: u32,
    offset: u32,
    rows: u32,
}

impl<'a> IndexWriter<'a> {
    pub(crate) fn create(disk: &'a dyn Disk, path: &'a Path, count: usize) -> Result<Self, FileError> {
        Ok(Self {
            file: SectionFile::create(disk, path, count)?,
            directory: Vec::with_capacity((GROUPS as usize + 1) * NUMBER),
            offsets: Vec::new(),
            ranks: Vec::new(),
            buckets: 0,
            offset: 0,
            rows: 0,
        })
    }

    pub(crate) fn buckets(&mut self, sorted: &SortedRows) -> Result<(), IndexError> {
        const TOO_LARGE: IndexError = IndexError::TooLarge { what: "its rows take more than 4 GiB" };
        const TOO_LONG: IndexError = IndexError::TooLarge { what: "some taxpayers' rows take more than 16 MiB" };
        self.file.write(&sorted.bytes)?;
        let mut first = self.buckets;
        for buckets in &sorted.groups {
            // The last partition reaches past the last group.
            if self.directory.len() < GROUPS as usize * NUMBER {
                self.directory.extend_from_slice(&first.to_le_bytes());
            }
            first += buckets;
        }
        for &(length, rows) in &sorted.buckets {
            if length as usize > MAX_BUCKET_BYTES {
                return Err(TOO_LONG);
            }
            if self.buckets.is_multiple_of(RANK_BUCKETS) {
                self.ranks.extend_from_slice(&self.rows.to_le_bytes());
            }
            self.offsets.extend_from_slice(&self.offset.to_le_bytes());
            self.buckets += 1;
            self.offset = self.offset.checked_add(length).ok_or(TOO_LARGE)?;
            self.rows = self.rows.checked_add(u32::from(rows)).ok_or(TOO_LARGE)?;
        }
        Ok(())
    }

    pub(crate) fn end_rows(&mut self) -> Result<(), FileError> {
        self.file.end_section(ROWS);
        for (kind, mut section, end) in [
            (OFFSETS, std::mem::take(&mut self.offsets), self.offset),
            (RANKS, std::mem::take(&mut self.ranks), self.rows),
            (DIRECTORY, std::mem::take(&mut self.directory), self.buckets),
        ] {
            section.extend_from_slice(&end.to_le_bytes());
            self.file.section(kind, &section)?;
        }
        Ok(())
    }

    pub(crate) const fn rows(&self) -> u64 {
        self.rows as u64
    }

    pub(crate) fn section(&mut self, kind: SectionKind, bytes: &[u8]) -> Result<(), FileError> {
        self.file.section(kind, bytes)
    }

    pub(crate) fn finish(self, sequence: u64, parent: Identity) -> Result<u64, FileError> {
        self.file.finish(sequence, parent)
    }
}
