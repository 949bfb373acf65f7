//! The facts of an edition file, without reading its rows.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use super::error::EditionError;
use super::file::{range, unreadable};
use crate::dataset::{Dataset, PADRON};
use crate::format::header::{self, Header, Identity};
use crate::{DatasetMeta, Meta, SourceMeta};

/// The content of an edition file's header and `meta` section.
pub(crate) struct Summary {
    pub(crate) identity: Identity,
    pub(crate) sequence: u64,
    pub(crate) bytes: u64,
    meta: Vec<u8>,
}

/// The field by which the metadata of a dataset differ from the padrón's.
#[derive(Deserialize)]
struct Named {
    dataset: Option<String>,
}

/// The published file that an edition was made from: the padrón's metadata and a dataset's name it differently.
#[derive(Deserialize)]
struct MadeFrom {
    #[serde(alias = "padron")]
    source: SourceMeta,
}

impl Summary {
    /// The checksum of the published file that it was made from.
    pub(crate) fn source_sha256(&self) -> Option<String> {
        serde_json::from_slice::<MadeFrom>(&self.meta).ok().map(|made| made.source.sha256)
    }

    /// The metadata of an edition of the padrón.
    pub(crate) fn padron_meta(&self) -> Result<Meta, EditionError> {
        padron_meta(&self.meta)
    }

    /// The metadata of an edition of `dataset`.
    pub(crate) fn dataset_meta(&self, dataset: &Dataset) -> Result<DatasetMeta, EditionError> {
        dataset_meta(&self.meta, dataset)
    }
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
    let mut meta = Vec::new();
    file.take(place.len() as u64).read_to_end(&mut meta)?;
    Ok(Summary { identity, sequence: header.sequence, bytes, meta })
}

/// Reads the `meta` section of an edition of the padrón.
pub(super) fn padron_meta(section: &[u8]) -> Result<Meta, EditionError> {
    check_name(section, PADRON.name)?;
    serde_json::from_slice(section).map_err(|_| unreadable(header::META))
}

/// Reads the `meta` section of an edition of `dataset`.
pub(super) fn dataset_meta(section: &[u8], dataset: &Dataset) -> Result<DatasetMeta, EditionError> {
    check_name(section, dataset.name)?;
    serde_json::from_slice(section).map_err(|_| unreadable(header::META))
}

/// Refuses the edition of another dataset.
fn check_name(section: &[u8], wanted: &'static str) -> Result<(), EditionError> {
    let named: Named = serde_json::from_slice(section).map_err(|_| unreadable(header::META))?;
    let found = named.dataset.unwrap_or_else(|| PADRON.name.to_owned());
    if found == wanted { Ok(()) } else { Err(EditionError::OtherDataset { found, wanted }) }
}
