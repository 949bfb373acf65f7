//! Writes a file of sections, and its header last.

use std::fs::File;
use std::path::Path;

use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::header::{Header, Identity, Section, SectionKind};

/// Linux then caches the file in pieces of this size: lookups in a file written otherwise took a fifth longer.
const BLOCK: usize = 2 << 20;

pub(crate) struct SectionFile<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    unwritten: Vec<u8>,
    count: usize,
    sections: Vec<Section>,
    /// Of the section that is being written.
    crc: crc32fast::Hasher,
    length: u64,
}

impl<'a> SectionFile<'a> {
    /// Leaves room for the header of `count` sections.
    pub(crate) fn create(disk: &'a dyn Disk, path: &'a Path, count: usize) -> Result<Self, FileError> {
        let file = doing("creating", path, disk.create(path))?;
        let (unwritten, crc) = (vec![0; Header::length(count)], crc32fast::Hasher::new());
        Ok(Self { disk, path, file, unwritten, count, sections: Vec::new(), crc, length: 0 })
    }

    /// Appends to the section, in whole blocks.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
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

    pub(crate) fn end_section(&mut self, kind: SectionKind) {
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
    use crate::format::header::{META, OFFSETS, WORDS};

    #[test]
    fn sections_of_any_length_follow_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edition");
        let sections = [(WORDS, 10), (OFFSETS, 2 * BLOCK + 7), (META, BLOCK - 300)].map(|(kind, length)| {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8 ^ kind.name[0]).collect();
            (kind, bytes)
        });
        let mut file = SectionFile::create(&SystemDisk, &path, sections.len()).unwrap();
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
