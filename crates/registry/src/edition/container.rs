//! A verified edition file: its rows by row id, and its dictionary.

use std::io;
use std::path::Path;

use super::file::{MappedFile, range, read, unreadable};
use crate::format::bucket::Bucket;
use crate::format::groups::{Groups, longest_bucket};
use crate::format::header::{self, Header, Identity, SectionKind};
use crate::format::words::{Size, Words};
use crate::format::{CorruptRowError, EditionError};

/// In tenths of the file's length.
const MAX_MEMORY: usize = 13;

pub(super) struct Container {
    file: MappedFile,
    header: Header,
    identity: Identity,
    rows: Groups,
    words: Words,
}

impl Container {
    /// Maps and verifies the file, reading all of it. `content` decodes the other sections, and checks the number of
    /// rows.
    pub(super) fn open<T>(
        path: &Path,
        content: impl FnOnce(&Self) -> Result<T, EditionError>,
    ) -> Result<(Self, T), EditionError> {
        let file = MappedFile::open(path)?;
        let map: &[u8] = &file;
        let (header, identity) = verify(map)?;
        let size = size_of_words(map, &header)?;
        let rows = rows(map, &header)?;
        let words = read(map, &header, header::WORDS, |section| Words::decode(section, size))?;
        let container = Self { file, header, identity, rows, words };
        let content = content(&container)?;
        // The file may have been cut between verifying and decoding.
        if container.has_changed() {
            return Err(io::Error::other("it was changed or truncated meanwhile, or its disk fails").into());
        }
        Ok((container, content))
    }

    pub(super) fn section<'a, T>(
        &'a self,
        kind: SectionKind,
        decode: impl FnOnce(&'a [u8]) -> Option<T>,
    ) -> Result<T, EditionError> {
        read(&self.file, &self.header, kind, decode)
    }

    pub(super) const fn identity(&self) -> Identity {
        self.identity
    }

    pub(super) const fn sequence(&self) -> u64 {
        self.header.sequence
    }

    pub(super) const fn file(&self) -> &MappedFile {
        &self.file
    }

    pub(super) const fn rows(&self) -> &Groups {
        &self.rows
    }

    pub(super) const fn words(&self) -> &Words {
        &self.words
    }

    /// By number.
    pub(super) fn dictionary(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.words.count()).filter_map(|id| self.words.word(id))
    }

    /// Compares lengths and checksums of the sections.
    pub(super) fn has_content_of(&self, other: &Self) -> bool {
        self.header.file_length == other.header.file_length && self.header.sections == other.header.sections
    }

    pub(super) fn count(&self) -> u64 {
        self.rows.count()
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.file.is_unreadable()
    }

    pub(super) fn has_changed(&self) -> bool {
        self.file.has_changed()
    }

    pub(super) fn is_intact(&self) -> bool {
        verify(&self.file).is_ok_and(|(_, identity)| identity == self.identity) && !self.is_unreadable()
    }

    /// The bucket of `row_id`, and the row's position in it; `None` = there is no such row.
    pub(super) fn find(&self, row_id: u32) -> Result<Option<(Bucket, usize)>, CorruptRowError> {
        // A group without rows is known without a read.
        if self.is_unreadable() {
            return Err(CorruptRowError::near(row_id));
        }
        let found = self.readable(row_id, self.rows.bucket_of(&self.file, row_id))?;
        Ok(found.and_then(|bucket| bucket.find(row_id).map(|place| (bucket, place))))
    }

    /// Brings what [`Container::find`] reads of these row ids into the processor's caches, all together.
    pub(super) fn fetch(&self, row_ids: impl Iterator<Item = u32> + Clone) {
        self.rows.fetch(&self.file, row_ids);
    }

    /// By row number; `None` = past the last row.
    pub(super) fn find_at(&self, ordinal: u64) -> Result<Option<(Bucket, usize)>, CorruptRowError> {
        self.readable(0, self.rows.bucket_at(&self.file, ordinal))
    }

    /// In the order of row ids.
    pub(super) fn buckets(&self) -> impl Iterator<Item = Result<Bucket, CorruptRowError>> + '_ {
        self.rows.buckets(&self.file).map(|bucket| self.readable(0, bucket))
    }

    /// Row ids must rise, so that lookups, walks and positions agree.
    pub(super) fn check_order(&self) -> Result<(), EditionError> {
        let mut next = 0;
        for bucket in self.buckets() {
            let rises = bucket.is_ok_and(|bucket| {
                (0..bucket.rows()).all(|place| {
                    let row_id = bucket.row_id(place).filter(|&row_id| row_id >= next);
                    next = row_id.map_or(next, |row_id| row_id.saturating_add(1));
                    row_id.is_some()
                })
            });
            if !rises {
                return Err(unreadable(header::ROWS));
            }
        }
        Ok(())
    }

    /// Fails if reading the file has failed. Call it after the read.
    fn readable<T>(&self, row_id: u32, read: Result<T, CorruptRowError>) -> Result<T, CorruptRowError> {
        if self.is_unreadable() { Err(CorruptRowError::near(row_id)) } else { read }
    }
}

/// Refuses a dictionary with which the open file, the copied sections included, takes too much memory.
fn size_of_words(map: &[u8], header: &Header) -> Result<Size, EditionError> {
    let size = read(map, header, header::WORDS, Size::read)?;
    let mut bytes = size.bytes();
    for kind in [header::DIRECTORY, header::RANKS, header::META] {
        bytes += range(header, kind)?.len();
    }
    if bytes > map.len() / 10 * MAX_MEMORY { Err(EditionError::Memory) } else { Ok(size) }
}

fn rows(map: &[u8], header: &Header) -> Result<Groups, EditionError> {
    let (buckets, offsets) = (range(header, header::ROWS)?, range(header, header::OFFSETS)?);
    let longest = read(map, header, header::OFFSETS, |offsets| longest_bucket(offsets, buckets.len()))?;
    let ranks = read(map, header, header::RANKS, Some)?;
    read(map, header, header::DIRECTORY, |directory| Groups::decode(directory, ranks, offsets, buckets, longest))
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
