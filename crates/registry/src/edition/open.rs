//! Opens an edition file: checks every byte, then decodes every section.

use std::io;
use std::path::Path;

use super::OpenEdition;
use super::error::EditionError;
use super::evenly::evenly;
use super::file::{MappedFile, range, read};
use super::summary::decode_meta;
use crate::format::groups::{Groups, longest_bucket};
use crate::format::header::{self, Header, Identity};
use crate::format::lists;
use crate::format::rows::Rows;
use crate::format::v1::{self, Blocks};
use crate::format::words::Words;

/// Rows read back before an edition is published.
const READ_BACK: u64 = 1000;

impl OpenEdition {
    /// Opens and verifies the edition file at `path`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, EditionError> {
        let file = MappedFile::open(path)?;
        let edition = Self::verified(file)?;
        // What was verified may have been cut before it was decoded.
        if edition.file.has_changed() {
            return Err(io::Error::other("it was changed or truncated meanwhile, or its disk fails").into());
        }
        Ok(edition)
    }

    /// Verifies every section, then decodes those that are kept in memory.
    fn verified(file: MappedFile) -> Result<Self, EditionError> {
        let map: &[u8] = &file;
        let (header, identity) = verify(map)?;
        let meta = read(map, &header, header::META, decode_meta)?;
        let rows = rows(map, &header)?;
        if rows.count() != meta.rows {
            return Err(EditionError::Content { section: header::display(&header::DIRECTORY.name) });
        }
        let words = read(map, &header, header::WORDS, Words::decode)?;
        let lists = read(map, &header, header::LISTS, lists::decode)?;
        Ok(Self { file, meta, identity, rows, words, lists })
    }

    /// Whether every byte that was mapped is still what was verified, whatever became of the file's name and length.
    /// Reads all of it.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        verify(&self.file).is_ok_and(|(_, identity)| identity == self.identity) && !self.is_unreadable()
    }

    /// As [`OpenEdition::open`], for an edition that is to be published: reads some rows back by place and by RUC.
    pub(crate) fn open_and_read_back(path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open(path)?;
        for ordinal in evenly(edition.rows(), READ_BACK) {
            let row = edition.row(ordinal).ok().flatten().ok_or(EditionError::Row { ordinal })?;
            if edition.lookup(row.ruc) != Ok(Some(row)) {
                return Err(EditionError::Row { ordinal });
            }
        }
        Ok(edition)
    }
}

/// Where the rows are, by the version of their section.
fn rows(map: &[u8], header: &Header) -> Result<Rows, EditionError> {
    if let Ok(blocks) = range(header, v1::ROWS) {
        return read(map, header, v1::DIRECTORY, |directory| Some(Rows::Blocks(Blocks::decode(directory, blocks)?)));
    }
    let (buckets, offsets) = (range(header, header::ROWS)?, range(header, header::OFFSETS)?);
    let longest = read(map, header, header::OFFSETS, |offsets| longest_bucket(offsets, buckets.len()))?;
    let ranks = read(map, header, header::RANKS, Some)?;
    read(map, header, header::DIRECTORY, |directory| {
        Some(Rows::Groups(Groups::decode(directory, ranks, offsets, buckets, longest)?))
    })
}

/// Checks length and checksums.
fn verify(map: &[u8]) -> Result<(Header, Identity), EditionError> {
    let (header, identity) = Header::decode(map)?;
    if header.file_length != map.len() as u64 {
        return Err(EditionError::Length { declared: header.file_length, found: map.len() as u64 });
    }
    for section in &header.sections {
        let range = section.offset as usize..(section.offset + section.length) as usize;
        if map.get(range).map(crc32fast::hash) != Some(section.crc) {
            return Err(EditionError::Checksum { section: header::display(&section.name) });
        }
    }
    Ok((header, identity))
}
