//! The rows of a taxpayer in a dataset, or the error that says which dataset is damaged.

use kuraka_domain::Ruc;
use kuraka_ports::{SourceError, SourceErrorKind};
use kuraka_registry::{CorruptRow, DatasetEdition, DatasetRows};
use thiserror::Error;

use crate::registry::SOURCE;

/// A dataset's rows cannot be read.
#[derive(Debug, Error)]
#[error("the edition {label} of the dataset {dataset} is damaged")]
struct Damaged {
    dataset: &'static str,
    label: String,
    source: Option<CorruptRow>,
}

/// The rows of `ruc`; none if it has none.
pub(super) fn rows(edition: &DatasetEdition, ruc: Ruc) -> Result<DatasetRows<'_>, SourceError> {
    edition.lookup(ruc).map_err(|error| unreadable(edition, Some(error)))
}

/// A value of an edition, or an error if a row lacks what each row of the dataset has.
pub(super) fn required<T>(edition: &DatasetEdition, value: Option<T>) -> Result<T, SourceError> {
    value.ok_or_else(|| unreadable(edition, None))
}

fn unreadable(edition: &DatasetEdition, source: Option<CorruptRow>) -> SourceError {
    let damaged = Damaged { dataset: edition.dataset().name, label: edition.label().to_owned(), source };
    SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(damaged)
}
