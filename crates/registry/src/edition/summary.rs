//! The facts of an edition file, without reading its rows.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::error::EditionError;
use super::file::range;
use crate::Meta;
use crate::format::header::{self, Header, Identity};

/// The content of an edition file's header and `meta` section.
pub(crate) struct Summary {
    pub(crate) meta: Meta,
    pub(crate) identity: Identity,
    pub(crate) sequence: u64,
    pub(crate) bytes: u64,
}

/// Reads only the header and the `meta` section of the edition file at `path`.
pub(crate) fn summarise(path: &Path) -> Result<Summary, EditionError> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut front = Vec::new();
    (&mut file).take(Header::LONGEST).read_to_end(&mut front)?;
    let (header, identity) = Header::decode(&front)?;
    let place = range(&header, header::META)?;
    file.seek(SeekFrom::Start(place.start as u64))?;
    let mut section = Vec::new();
    file.take(place.len() as u64).read_to_end(&mut section)?;
    let meta =
        decode_meta(&section).ok_or_else(|| EditionError::Content { section: header::display(&header::META.name) })?;
    Ok(Summary { meta, identity, sequence: header.sequence, bytes })
}

/// Reads the `meta` section.
pub(super) fn decode_meta(section: &[u8]) -> Option<Meta> {
    serde_json::from_slice(section).ok()
}
