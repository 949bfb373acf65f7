//! Opens an edition file and verifies every byte.

use std::io;
use std::path::Path;

use super::Edition;
use super::file::{MappedFile, range, read, unreadable};
use super::records::Records;
use super::summary::read_meta;
use crate::dataset::Dataset;
use crate::format::groups::{Groups, longest_bucket};
use crate::format::header::{self, Header, Identity};
use crate::format::words::{Size, Words};
use crate::format::{EditionError, record};
use crate::names::NameIndex;

const READ_BACK: u64 = 1000;
/// Memory that an open edition takes, in tenths of its file's length.
const MAX_MEMORY: usize = 13;

impl Edition {
    /// Opens and verifies the edition file of `dataset`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit, or is of another dataset, is refused.
    pub fn open(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let file = MappedFile::open(path)?;
        let map: &[u8] = &file;
        let (header, identity) = verify(map)?;
        let size = size_of_words(map, &header)?;
        let groups = groups(map, &header)?;
        let words = read(map, &header, header::WORDS, |section| Words::decode(section, size))?;
        let meta = read_meta(read(map, &header, header::META, Some)?, dataset)?;
        if groups.count() != meta.rucs {
            return Err(unreadable(header::DIRECTORY));
        }
        let records = Records::new(dataset, &meta)?;
        // Without an index of names, or with one of another version, it answers lookups only.
        let names = match read(map, &header, header::NAMES, NameIndex::open) {
            Err(EditionError::MissingSection { .. }) => None,
            names => Some(names?),
        };
        let edition = Self { file, header, identity, groups, words, dataset, meta, records, names };
        // The file may have been cut between verifying and decoding.
        if edition.has_changed() {
            return Err(io::Error::other("it was changed or truncated meanwhile, or its disk fails").into());
        }
        Ok(edition)
    }

    /// Whether every mapped byte is still as verified. Reads all of it.
    pub fn is_intact(&self) -> bool {
        verify(&self.file).is_ok_and(|(_, identity)| identity == self.identity) && !self.is_unreadable()
    }

    /// As [`Edition::open`], for an edition built here: reads some rows back by place and by RUC.
    pub(crate) fn open_built(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open(dataset, path)?;
        for ordinal in evenly(edition.taxpayers(), READ_BACK) {
            let damaged = || EditionError::Row { ordinal };
            let (ruc, record) = edition.record_at(ordinal).ok().flatten().ok_or_else(damaged)?;
            let is_same = edition.record(ruc) == Ok(Some(record.clone()));
            let is_readable = edition.records.texts(ruc, &record, &[], &edition.words).is_ok();
            if !is_same || !is_readable {
                return Err(damaged());
            }
        }
        Ok(edition)
    }

    /// As [`Edition::open_built`], for another machine's edition: checks the order of all rows, which takes a twentieth
    /// of an import.
    pub(crate) fn open_adopted(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open_built(dataset, path)?;
        edition.check_order()?;
        Ok(edition)
    }

    /// Row ids must rise, so that lookups, walks and positions agree.
    fn check_order(&self) -> Result<(), EditionError> {
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

    /// Up to `samples` taxpayers, evenly spaced, with their records. Damaged ones are left out.
    pub(crate) fn sample(&self, samples: u64) -> impl Iterator<Item = (kuraka_domain::Ruc, Vec<u8>)> + '_ {
        evenly(self.taxpayers(), samples).filter_map(|ordinal| self.record_at(ordinal).ok().flatten())
    }

    /// The status and condition in a record; `None` if records have none.
    pub(crate) fn state(&self, record: &[u8]) -> Option<u8> {
        record::state(self.dataset.records(), record)
    }
}

fn evenly(count: u64, samples: u64) -> impl Iterator<Item = u64> {
    let samples = samples.min(count);
    (0..samples).map(move |nth| if samples < 2 { 0 } else { nth * (count - 1) / (samples - 1) })
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

fn groups(map: &[u8], header: &Header) -> Result<Groups, EditionError> {
    let (buckets, offsets) = (range(header, header::ROWS)?, range(header, header::OFFSETS)?);
    let longest = read(map, header, header::OFFSETS, |offsets| longest_bucket(offsets, buckets.len()))?;
    let ranks = read(map, header, header::RANKS, Some)?;
    read(map, header, header::DIRECTORY, |directory| Groups::decode(directory, ranks, offsets, buckets, longest))
}

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
