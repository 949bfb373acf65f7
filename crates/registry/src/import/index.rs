//! Writes the edition file from start to end, and its header last.

use std::fs::File;
use std::path::Path;

use super::error::ImportError;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::directory::{Directory, Entry};
use crate::format::header::{Header, Identity, ROWS, SECTION_VERSION, Section, SectionName};
use crate::row_id::BLOCKS;

/// Sections of an edition.
const SECTIONS: usize = 5;

/// An edition file that is being written.
pub(crate) struct IndexWriter<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    sections: Vec<Section>,
    directory: Vec<Entry>,
    /// Where the next block begins.
    next: Entry,
    rows_crc: crc32fast::Hasher,
}

impl<'a> IndexWriter<'a> {
    /// Creates the file at `path` with room for the header.
    pub(crate) fn create(disk: &'a dyn Disk, path: &'a Path) -> Result<Self, FileError> {
        let mut file = doing("creating", path, disk.create(path))?;
        doing("writing", path, disk.write(&mut file, &vec![0; Header::length(SECTIONS)]))?;
        Ok(Self {
            disk,
            path,
            file,
            sections: Vec::new(),
            directory: Vec::with_capacity(BLOCKS as usize + 1),
            next: Entry { offset: 0, ordinal: 0 },
            rows_crc: crc32fast::Hasher::new(),
        })
    }

    /// Appends the next blocks: their bytes, and the length and rows of each, empty ones included.
    pub(crate) fn blocks(&mut self, bytes: &[u8], blocks: &[(u32, u32)]) -> Result<(), ImportError> {
        const TOO_LARGE: ImportError = ImportError::TooLarge { what: "its rows take more than 4 GiB" };
        self.rows_crc.update(bytes);
        if !bytes.is_empty() {
            doing("writing", self.path, self.disk.write(&mut self.file, bytes))?;
        }
        for &(length, rows) in blocks {
            // The last partition reaches past the last block.
            if self.directory.len() < BLOCKS as usize {
                self.directory.push(self.next);
            }
            self.next.offset = self.next.offset.checked_add(length).ok_or(TOO_LARGE)?;
            self.next.ordinal = self.next.ordinal.checked_add(rows).ok_or(TOO_LARGE)?;
        }
        Ok(())
    }

    /// Ends the rows and returns the directory section.
    pub(crate) fn end_rows(&mut self) -> Vec<u8> {
        self.directory.push(self.next);
        let crc = std::mem::take(&mut self.rows_crc).finalize();
        self.note(ROWS, crc, u64::from(self.next.offset));
        Directory::encode(&self.directory)
    }

    /// Rows written so far.
    pub(crate) const fn rows(&self) -> u64 {
        self.next.ordinal as u64
    }

    /// Appends a whole section.
    pub(crate) fn section(&mut self, name: SectionName, bytes: &[u8]) -> Result<(), FileError> {
        doing("writing", self.path, self.disk.write(&mut self.file, bytes))?;
        self.note(name, crc32fast::hash(bytes), bytes.len() as u64);
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
        self.sections.last().map_or(Header::length(SECTIONS) as u64, |last| last.offset + last.length)
    }

    fn note(&mut self, name: SectionName, crc: u32, length: u64) {
        let offset = self.end();
        self.sections.push(Section { name, version: SECTION_VERSION, crc, offset, length });
    }
}
