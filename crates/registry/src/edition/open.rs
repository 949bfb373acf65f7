//! Opens an edition of the padrón: checks every byte, then decodes every section.

use std::path::Path;

use super::OpenEdition;
use super::container::Container;
use super::error::EditionError;
use super::evenly::evenly;
use super::file::unreadable;
use super::summary::padron_meta;
use crate::format::{header, lists};

/// Rows read back before an edition is published.
pub(super) const READ_BACK: u64 = 1000;

impl OpenEdition {
    /// Opens and verifies the edition file at `path`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, EditionError> {
        let (container, (meta, lists)) = Container::open(path, |container| {
            let meta = padron_meta(container.section(header::META, Some)?)?;
            if container.count() != meta.rows {
                return Err(unreadable(header::DIRECTORY));
            }
            Ok((meta, container.section(header::LISTS, lists::decode)?))
        })?;
        Ok(Self { container, meta, lists })
    }

    /// As [`OpenEdition::open_and_read_back`], for an edition that another machine has built: checks the order of all
    /// rows. An import sorts them, and 18 million would take a twentieth of its time to check.
    pub(crate) fn open_adopted(path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open_and_read_back(path)?;
        edition.container.check_order()?;
        Ok(edition)
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
