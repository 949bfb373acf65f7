//! The facts of an edition file, read without its rows.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::file::{range, unreadable};
use crate::Meta;
use crate::dataset::Dataset;
use crate::format::EditionError;
use crate::format::header::{self, Header, Identity};

const MAX_META_BYTES: usize = 64 << 10;
/// Bounds the number of values, each of which takes memory, also if empty.
const MAX_COMMAS: usize = 2_000;

pub(crate) struct Summary {
    pub(crate) identity: Identity,
    pub(crate) sequence: u64,
    pub(crate) bytes: u64,
    pub(crate) meta: Meta,
}

/// Reads only the header and `meta`.
pub(crate) fn summarise(dataset: &Dataset, path: &Path) -> Result<Summary, EditionError> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut front = Vec::new();
    (&mut file).take(Header::MAX_BYTES).read_to_end(&mut front)?;
    let (header, identity) = Header::decode(&front)?;
    let place = range(&header, header::META)?;
    file.seek(SeekFrom::Start(place.start as u64))?;
    let mut section = Vec::new();
    // One byte too many is enough to refuse it.
    file.take(place.len().min(MAX_META_BYTES + 1) as u64).read_to_end(&mut section)?;
    Ok(Summary { identity, sequence: header.sequence, bytes, meta: read_meta(&section, dataset)? })
}

pub(super) fn read_meta(section: &[u8], dataset: &Dataset) -> Result<Meta, EditionError> {
    if section.len() > MAX_META_BYTES || memchr::memchr_iter(b',', section).count() > MAX_COMMAS {
        return Err(unreadable(header::META));
    }
    let meta: Meta = serde_json::from_slice(section).map_err(|_| unreadable(header::META))?;
    if meta.dataset == dataset.name {
        Ok(meta)
    } else {
        Err(EditionError::OtherDataset { found: meta.dataset, wanted: dataset.name })
    }
}
