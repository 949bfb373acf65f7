//! Writes the edition file from start to end, and its header last.

use std::fs::File;
use std::path::Path;

use super::error::ImportError;
use super::sort::Sorted;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::groups::{GROUPS, RANK_BUCKETS};
use crate::format::header::{DIRECTORY, Header, Identity, OFFSETS, RANKS, ROWS, Section, SectionKind};

/// Bytes of a number in the sections that find rows.
const NUMBER: usize = 4;

/// An edition file that is being written.
pub(crate) struct IndexWriter<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    /// Sections that the file will have.
    count: usize,
    sections: Vec<Section>,
    /// The section `dir`.
    directory: Vec<u8>,
    /// The section `offsets`.
    offsets: Vec<u8>,
    /// The section `ranks`.
    ranks: Vec<u8>,
    buckets: u32,
    /// Where the next bucket begins.
    offset: u32,
    rows: u32,
    rows_crc: crc32fast::Hasher,
}

impl<'a> IndexWriter<'a> {
    /// Creates the file at `path` with room for the header of `count` sections.
    pub(crate) fn create(disk: &'a dyn Disk, path: &'a Path, count: usize) -> Result<Self, FileError> {
        let mut file = doing("creating", path, disk.create(path))?;
        doing("writing", path, disk.write(&mut file, &vec![0; Header::length(count)]))?;
        Ok(Self {
            disk,
            path,
            file,
            count,
            sections: Vec::new(),
            directory: Vec::with_capacity((GROUPS as usize + 1) * NUMBER),
            offsets: Vec::new(),
            ranks: Vec::new(),
            buckets: 0,
            offset: 0,
            rows: 0,
            rows_crc: crc32fast::Hasher::new(),
        })
    }

    /// Appends the buckets of the next groups.
    pub(crate) fn buckets(&mut self, sorted: &Sorted) -> Result<(), ImportError> {
        const TOO_LARGE: ImportError = ImportError::TooLarge { what: "its rows take more than 4 GiB" };
        self.rows_crc.update(&sorted.bytes);
        if !sorted.bytes.is_empty() {
            doing("writing", self.path, self.disk.write(&mut self.file, &sorted.bytes))?;
        }
        let mut first = self.buckets;
        for buckets in &sorted.groups {
            // The last partition reaches past the last group.
            if self.directory.len() < GROUPS as usize * NUMBER {
                self.directory.extend_from_slice(&first.to_le_bytes());
            }
            first += buckets;
        }
        for &(length, rows) in &sorted.buckets {
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

    /// Ends the rows and writes the sections that find them.
    pub(crate) fn end_rows(&mut self) -> Result<(), FileError> {
        let crc = std::mem::take(&mut self.rows_crc).finalize();
        self.note(ROWS, crc, u64::from(self.offset));
        for (kind, mut section, end) in [
            (OFFSETS, std::mem::take(&mut self.offsets), self.offset),
            (RANKS, std::mem::take(&mut self.ranks), self.rows),
            (DIRECTORY, std::mem::take(&mut self.directory), self.buckets),
        ] {
            section.extend_from_slice(&end.to_le_bytes());
            self.section(kind, &section)?;
        }
        Ok(())
    }

    /// Rows written so far.
    pub(crate) const fn rows(&self) -> u64 {
        self.rows as u64
    }

    /// Appends a whole section.
    pub(crate) fn section(&mut self, kind: SectionKind, bytes: &[u8]) -> Result<(), FileError> {
        doing("writing", self.path, self.disk.write(&mut self.file, bytes))?;
        self.note(kind, crc32fast::hash(bytes), bytes.len() as u64);
        Ok(())
    }

    /// Writes the header and waits until all is on the disk. Returns the file's length.
    pub(crate) fn finish(mut self, sequence: u64, parent: Identity) -> Result<u64, FileError> {
        let file_length = self.end();
        let header = Header { file_length, sequence, parent, sections: std::mem::take(&mut self.sections) };
        doing("writing", self.path, self.disk.write_front(&mut self.file, &header.encode()))?;
        doing("syncing", self.path, self.disk.sync(&self.file))?;
        Ok(file_length)
    }

    fn end(&self) -> u64 {
        self.sections.last().map_or(Header::length(self.count) as u64, |last| last.offset + last.length)
    }

    fn note(&mut self, kind: SectionKind, crc: u32, length: u64) {
        let offset = self.end();
        self.sections.push(Section { name: kind.name, version: kind.version, crc, offset, length });
    }
}
