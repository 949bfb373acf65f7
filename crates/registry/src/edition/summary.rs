//! The facts of an edition file, without reading its rows.

use std::path::Path;

use super::error::EditionError;
use super::file::{map, read_meta};
use crate::Meta;
use crate::format::header::{Header, Identity};

/// The content of an edition file's header and `meta` section.
pub(crate) struct Summary {
    pub(crate) meta: Meta,
    pub(crate) identity: Identity,
    pub(crate) sequence: u64,
    pub(crate) bytes: u64,
}

/// Reads only the header and the `meta` section of the edition file at `path`.
pub(crate) fn summarise(path: &Path) -> Result<Summary, EditionError> {
    let map = map(path)?;
    let (header, identity) = Header::decode(&map)?;
    let meta = read_meta(&map, &header)?;
    Ok(Summary { meta, identity, sequence: header.sequence, bytes: map.len() as u64 })
}
