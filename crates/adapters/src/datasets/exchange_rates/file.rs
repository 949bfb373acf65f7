//! The file of the exchange rates: a checksum, and below it the record as JSON. It is small and replaced as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuraka_domain::{Date, DayRates};
use kuraka_ports::{Edition, EditionOrigin, ExchangeRateRecord};
use kuraka_registry::dataset::TIPO_DE_CAMBIO;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::sources::{RateAnswerError, read_series, read_text};
use crate::files::{self, FileError};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) is_sample: bool,
    pub(super) published: BTreeMap<Date, DayRates>,
    pub(super) closes: BTreeMap<Date, Option<DayRates>>,
}

#[derive(Debug, Error)]
pub enum RecordError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the record of the exchange rates is damaged: kuraka dataset update {} fetches it again", TIPO_DE_CAMBIO.name)]
    Damaged,
}

/// The path of the file; `registry` is the registry's folder.
pub fn file(registry: &Path) -> PathBuf {
    registry.join(TIPO_DE_CAMBIO.name).join("rates.json")
}

/// The record; `None` = there is no file.
///
/// # Errors
/// [`RecordError`].
pub fn read(registry: &Path) -> Result<Option<ExchangeRateRecord>, RecordError> {
    Ok(load(registry)?.map(|(content, label)| content.into_record(label)))
}

/// The content of the file, and its edition's label.
pub(super) fn load(registry: &Path) -> Result<Option<(Content, String)>, RecordError> {
    let path = file(registry);
    match fs::read(&path) {
        Ok(bytes) => Content::parse(&bytes).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::at(&path)(error).into()),
    }
}

/// Writes the sample in place of the record: an answer of the central bank, and the tax authority's texts, one a line.
///
/// # Errors
/// If the sample cannot be read, or the file cannot be written.
pub fn write_sample(
    registry: &Path,
    series: &[u8],
    texts: &[u8],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let lines = texts.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let published = lines.map(|line| read_text(line, Date::MAX)).collect::<Result<_, RateAnswerError>>()?;
    Content { is_sample: true, published, closes: read_series(series)? }.write(registry)?;
    Ok(())
}

impl Content {
    /// The content, and its edition's label.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, String), RecordError> {
        let at = bytes.iter().position(|&byte| byte == b'\n').ok_or(RecordError::Damaged)?;
        let (head, json) = bytes.split_at_checked(at).ok_or(RecordError::Damaged)?;
        let checksum = checksum(json);
        if head != checksum.as_bytes() {
            return Err(RecordError::Damaged);
        }
        let content: Self = serde_json::from_slice(json).map_err(|_| RecordError::Damaged)?;
        let label = content.label(&checksum).ok_or(RecordError::Damaged)?;
        Ok((content, label))
    }

    /// Replaces the file. Content without a rate is not written.
    pub(super) fn write(self, registry: &Path) -> Result<Option<ExchangeRateRecord>, FileError> {
        let path = file(registry);
        let mut json = vec![b'\n'];
        serde_json::to_writer(&mut json, &self).map_err(io::Error::from).map_err(FileError::at(&path))?;
        let checksum = checksum(&json);
        let Some(label) = self.label(&checksum) else { return Ok(None) };
        let write = || {
            files::create_folder(path.parent().unwrap_or(registry))?;
            files::write(&path, &[checksum.as_bytes(), &json].concat())
        };
        write().map_err(FileError::at(&path))?;
        Ok(Some(self.into_record(label)))
    }

    /// The label of this content; `None` = it has no rate.
    fn label(&self, checksum: &str) -> Option<String> {
        Some(format!("{}-{checksum}", self.last()?))
    }

    /// The last day with a rate.
    fn last(&self) -> Option<Date> {
        let closes = self.closes.iter().filter(|(_, close)| close.is_some()).map(|(day, _)| *day);
        closes.chain(self.published.keys().copied()).max()
    }

    fn into_record(self, label: String) -> ExchangeRateRecord {
        let origin = if self.is_sample { EditionOrigin::Sample } else { EditionOrigin::Published };
        let (date, rows) = (self.last().unwrap_or(Date::MIN), (self.published.len() + self.closes.len()) as u64);
        let edition = Arc::new(Edition { label: label.into(), digest: None, date, origin, rows });
        ExchangeRateRecord { edition, published: self.published, closes: self.closes }
    }
}

/// Covers the JSON and the line end before it.
fn checksum(json: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(json))
}
