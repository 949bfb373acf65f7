//! Writes an edition file: the rows, the sections that find them, the other sections, and the header last.

use std::fs::File;
use std::path::Path;

use super::error::IndexError;
use super::sort::SortedRows;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::groups::{GROUPS, MAX_BUCKET_BYTES};
use crate::format::header::{DIRECTORY, Header, Identity, OFFSETS, ROWS, Section, SectionKind};

/// Linux then caches the file in pieces of this size: lookups in a file written otherwise took a fifth longer.
const BLOCK: usize = 2 << 20;
const NUMBER: usize = 4;

pub(crate) struct IndexWriter<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    unwritten: Vec<u8>,
    count: usize,
    sections: Vec<Section>,
    /// Of the section that is being written.
    crc: crc32fast::Hasher,
    length: u64,
    directory: Vec<u8>,
    offsets: Vec<u8>,
    buckets: u32,
    offset: u32,
}

impl<'a> IndexWriter<'a> {
    /// Leaves room for the header of `count` sections.
    pub(crate) fn create(disk: &'a dyn Disk, path: &'a Path, count: usize) -> Result<Self, FileError> {
        Ok(Self {
            disk,
            path,
            file: doing("creating", path, disk.create(path))?,
            unwritten: vec![0; Header::length(count)],
            count,
            sections: Vec::new(),
            crc: crc32fast::Hasher::new(),
            length: 0,
            directory: Vec::with_capacity((GROUPS as usize + 1) * NUMBER),
            offsets: Vec::new(),
            buckets: 0,
            offset: 0,
        })
    }

    pub(crate) fn buckets(&mut self, sorted: &SortedRows) -> Result<(), IndexError> {
        const TOO_LARGE: IndexError = IndexError::TooLarge { what: "its rows take more than 4 GiB" };
        const TOO_LONG: IndexError = IndexError::TooLarge { what: "some taxpayers' rows take more than 16 MiB" };
        self.write(&sorted.bytes)?;
        let mut first = self.buckets;
        for buckets in &sorted.groups {
            // The last partition reaches past the last group.
            if self.directory.len() < GROUPS as usize * NUMBER {
                self.directory.extend_from_slice(&first.to_le_bytes());
            }
            first += buckets;
        }
        for &length in &sorted.buckets {
            if length as usize > MAX_BUCKET_BYTES {
                return Err(TOO_LONG);
            }
            self.offsets.extend_from_slice(&self.offset.to_le_bytes());
            self.buckets += 1;
            self.offset = self.offset.checked_add(length).ok_or(TOO_LARGE)?;
        }
        Ok(())
    }

    pub(crate) fn end_rows(&mut self) -> Result<(), FileError> {
        self.end_section(ROWS);
        for (kind, mut section, end) in [
            (OFFSETS, std::mem::take(&mut self.offsets), self.offset),
            (DIRECTORY, std::mem::take(&mut self.directory), self.buckets),
        ] {
            section.extend_from_slice(&end.to_le_bytes());
            self.section(kind, &section)?;
        }
        Ok(())
    }

    /// Appends to the section, in whole blocks.
    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.crc.update(bytes);
        self.length += bytes.len() as u64;
        self.unwritten.extend_from_slice(bytes);
        let whole = self.unwritten.len() / BLOCK * BLOCK;
        if let Some(blocks) = self.unwritten.get(..whole).filter(|blocks| !blocks.is_empty()) {
            doing("writing", self.path, self.disk.write(&mut self.file, blocks))?;
            self.unwritten.drain(..whole);
        }
        Ok(())
    }

    fn end_section(&mut self, kind: SectionKind) {
        let (offset, length) = (self.end(), std::mem::take(&mut self.length));
        let crc = std::mem::take(&mut self.crc).finalize();
        self.sections.push(Section { name: kind.name, version: kind.version, crc, offset, length });
    }

    pub(crate) fn section(&mut self, kind: SectionKind, bytes: &[u8]) -> Result<(), FileError> {
        self.write(bytes)?;
        self.end_section(kind);
        Ok(())
    }

    /// Writes the header and syncs. Returns the file's length.
    pub(crate) fn finish(mut self, sequence: u64, parent: Identity) -> Result<u64, FileError> {
        let file_length = self.end();
        let header = Header { file_length, sequence, parent, sections: self.sections }.encode();
        doing("writing", self.path, self.disk.write(&mut self.file, &self.unwritten))?;
        doing("writing", self.path, self.disk.write_front(&mut self.file, &header))?;
        doing("syncing", self.path, self.disk.sync(&self.file))?;
        Ok(file_length)
    }

    fn end(&self) -> u64 {
        self.sections.last().map_or(Header::length(self.count) as u64, |last| last.offset + last.length)
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
        let mut file = IndexWriter::create(&SystemDisk, &path, sections.len()).unwrap();
        for (kind, bytes) in &sections {
            file.section(*kind, bytes).unwrap();
            let written = std::fs::metadata(&path).unwrap().len();
            assert!(written.is_multiple_of(BLOCK as u64), "{written} bytes were written after {}", bytes.len());
        }
        let length = file.finish(1, [0; 32]).unwrap();
        let file = std::fs::read(&path).unwrap();
        assert_eq!(file.len() as u64, length);
        let (header, _) = Header::decode(&file).unwrap();
        for (section, (_, bytes)) in header.sections.iter().zip(&sections) {
            assert!(file[section.offset as usize..][..section.length as usize] == **bytes, "{section:?}");
        }
    }
}
