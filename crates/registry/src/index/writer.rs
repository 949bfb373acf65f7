//! Writes the edition file from start to end, and its header last.

use std::fs::File;
use std::path::Path;

use super::error::IndexError;
use super::sort::SortedRows;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::groups::{GROUPS, LONGEST_BUCKET, RANK_BUCKETS};
use crate::format::header::{DIRECTORY, Header, Identity, MAGIC, Magic, OFFSETS, RANKS, ROWS, Section, SectionKind};

/// Bytes of a number in the sections that find rows.
const NUMBER: usize = 4;

/// Bytes written at a time, at a multiple of it. Linux then holds the file in memory in pieces of this size, so that the
/// processor has fewer places to look up: lookups in a file written in other pieces took a fifth longer or more.
const BLOCK: usize = 2 << 20;

/// An edition file that is being written.
pub(crate) struct IndexWriter<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    /// The end of the file, not yet written.
    unwritten: Vec<u8>,
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
        let file = doing("creating", path, disk.create(path))?;
        Ok(Self {
            disk,
            path,
            file,
            unwritten: vec![0; Header::length(count)],
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
    pub(crate) fn buckets(&mut self, sorted: &SortedRows) -> Result<(), IndexError> {
        const TOO_LARGE: IndexError = IndexError::TooLarge { what: "its rows take more than 4 GiB" };
        const TOO_LONG: IndexError = IndexError::TooLarge { what: "some taxpayers' rows take more than 16 MiB" };
        self.rows_crc.update(&sorted.bytes);
        self.write(&sorted.bytes)?;
        let mut first = self.buckets;
        for buckets in &sorted.groups {
            // The last partition reaches past the last group.
            if self.directory.len() < GROUPS as usize * NUMBER {
                self.directory.extend_from_slice(&first.to_le_bytes());
            }
            first += buckets;
        }
        for &(length, rows) in &sorted.buckets {
            if length as usize > LONGEST_BUCKET {
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
        self.write(bytes)?;
        self.note(kind, crc32fast::hash(bytes), bytes.len() as u64);
        Ok(())
    }

    /// Writes the header and waits until all is on the disk. Returns the file's length.
    pub(crate) fn finish(self, sequence: u64, parent: Identity) -> Result<u64, FileError> {
        self.finish_as(MAGIC, sequence, parent)
    }

    /// As [`IndexWriter::finish`], of another kind of file.
    pub(crate) fn finish_as(mut self, magic: Magic, sequence: u64, parent: Identity) -> Result<u64, FileError> {
        let file_length = self.end();
        let header = Header { file_length, sequence, parent, sections: std::mem::take(&mut self.sections) };
        doing("writing", self.path, self.disk.write(&mut self.file, &self.unwritten))?;
        doing("writing", self.path, self.disk.write_front(&mut self.file, &header.encode_as(magic)))?;
        doing("syncing", self.path, self.disk.sync(&self.file))?;
        Ok(file_length)
    }

    /// Appends bytes: whole blocks to the file, the rest when more follow.
    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.unwritten.extend_from_slice(bytes);
        let whole = self.unwritten.len() / BLOCK * BLOCK;
        if let Some(blocks) = self.unwritten.get(..whole).filter(|blocks| !blocks.is_empty()) {
            doing("writing", self.path, self.disk.write(&mut self.file, blocks))?;
            self.unwritten.drain(..whole);
        }
        Ok(())
    }

    fn end(&self) -> u64 {
        self.sections.last().map_or(Header::length(self.count) as u64, |last| last.offset + last.length)
    }

    fn note(&mut self, kind: SectionKind, crc: u32, length: u64) {
        let offset = self.end();
        self.sections.push(Section { name: kind.name, version: kind.version, crc, offset, length });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::disk::SystemDisk;
    use crate::format::header::{META, WORDS};

    #[test]
    fn sections_of_any_length_follow_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edition");
        let sections = [(WORDS, 10), (OFFSETS, 2 * BLOCK + 7), (META, BLOCK - 300)].map(|(kind, length)| {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8 ^ kind.name[0]).collect();
            (kind, bytes)
        });
        let mut index = IndexWriter::create(&SystemDisk, &path, sections.len()).unwrap();
        for (kind, bytes) in &sections {
            index.section(*kind, bytes).unwrap();
            let written = std::fs::metadata(&path).unwrap().len();
            assert!(written.is_multiple_of(BLOCK as u64), "{written} bytes were written after {}", bytes.len());
        }
        let length = index.finish(1, [0; 32]).unwrap();
        let file = std::fs::read(&path).unwrap();
        assert_eq!(file.len() as u64, length);
        let (header, _) = Header::decode(&file).unwrap();
        for (section, (_, bytes)) in header.sections.iter().zip(&sections) {
            assert!(file[section.offset as usize..][..section.length as usize] == **bytes, "{section:?}");
        }
    }
}
