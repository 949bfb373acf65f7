//! Opens an edition file and verifies every byte.

use std::io;
use std::path::Path;

use kuraka_domain::Ruc;

use super::file::{MappedFile, range, read, unreadable};
use super::records::Records;
use super::summary::read_meta;
use super::{Edition, ruc_in};
use crate::dataset::Dataset;
use crate::format::bucket::Bucket;
use crate::format::groups::{Groups, longest_bucket};
use crate::format::header::{self, Header, Identity};
use crate::format::words::{Size, Words};
use crate::format::{CorruptRowError, EditionError, record};
use crate::names::NameIndex;
use crate::row_id::row_id_of;

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
        for row in edition.sample(READ_BACK) {
            let (ruc, record) = row?;
            let is_same = edition.record(ruc)?.as_ref() == Some(&record);
            let is_readable = edition.records.texts(ruc, &record, &[], &edition.words).is_ok();
            if !is_same || !is_readable {
                return Err(CorruptRowError::near(row_id_of(ruc)).into());
            }
        }
        Ok(edition)
    }

    /// As [`Edition::open_built`], for another machine's edition: checks order and number of all rows, which takes a
    /// twentieth of an import.
    pub(crate) fn open_adopted(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open_built(dataset, path)?;
        edition.check_rows()?;
        Ok(edition)
    }

    /// Row ids must rise, so that lookups and walks agree.
    fn check_rows(&self) -> Result<(), EditionError> {
        let (mut next, mut rucs) = (0, 0);
        for ruc in self.rucs() {
            let row_id = row_id_of(ruc?);
            if row_id < next {
                return Err(unreadable(header::ROWS));
            }
            (next, rucs) = (row_id + 1, rucs + 1);
        }
        if rucs == self.meta.rucs { Ok(()) } else { Err(unreadable(header::ROWS)) }
    }

    /// About so many taxpayers, those of evenly spaced buckets, with their records.
    pub(crate) fn sample(&self, samples: u64) -> impl Iterator<Item = Result<(Ruc, Vec<u8>), CorruptRowError>> + '_ {
        let step = usize::try_from(self.meta.rucs / samples).unwrap_or(1).max(1);
        self.buckets(step).flat_map(|bucket| {
            let row = |bucket: &Bucket, place| {
                let ruc = ruc_in(bucket, place)?;
                let record = bucket.record(place).ok_or(CorruptRowError::near(row_id_of(ruc)))?;
                Ok((ruc, record.to_vec()))
            };
            match bucket {
                Ok(bucket) => (0..bucket.rows()).map(|place| row(&bucket, place)).collect(),
                Err(error) => vec![Err(error)],
            }
        })
    }

    /// The status and condition in a record; `None` if records have none.
    pub(crate) fn state(&self, record: &[u8]) -> Option<u8> {
        record::state(self.dataset.records(), record)
    }
}

/// Refuses a dictionary with which the open file, the copied sections included, takes too much memory.
fn size_of_words(map: &[u8], header: &Header) -> Result<Size, EditionError> {
    let size = read(map, header, header::WORDS, Size::read)?;
    let mut bytes = size.bytes();
    for kind in [header::DIRECTORY, header::META] {
        bytes += range(header, kind)?.len();
    }
    if bytes > map.len() / 10 * MAX_MEMORY { Err(EditionError::Memory) } else { Ok(size) }
}

fn groups(map: &[u8], header: &Header) -> Result<Groups, EditionError> {
    let (buckets, offsets) = (range(header, header::ROWS)?, range(header, header::OFFSETS)?);
    let longest = read(map, header, header::OFFSETS, |offsets| longest_bucket(offsets, buckets.len()))?;
    read(map, header, header::DIRECTORY, |directory| Groups::decode(directory, offsets, buckets, longest))
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
