//! The lists of taxpayers, by their own editions.

use std::sync::Arc;

use kuraka_domain::ListMembership;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{Edition, EditionRows};

use super::fields::{date, owned};

/// A list in a snapshot, with the positions of its fields.
pub(super) struct List {
    edition: Arc<Edition>,
    since: Option<usize>,
    resolution: Option<usize>,
}

impl List {
    pub(super) fn new(edition: Arc<Edition>) -> Self {
        let dataset = edition.dataset();
        let (since, resolution) = (dataset.field("desde"), dataset.field("resolucion"));
        Self { edition, since, resolution }
    }

    pub(super) fn edition(&self) -> &Edition {
        &self.edition
    }

    /// The entry in a taxpayer's rows; `None` = not on the list.
    pub(super) fn membership(&self, rows: &EditionRows<'_>) -> Option<ListMembership> {
        let Dataset { name: dataset, title, .. } = *self.edition.dataset();
        let row = rows.first()?;
        let since = self.since.and_then(|field| date(row, field));
        let resolution = self.resolution.map(|field| owned(row, field)).unwrap_or_default();
        Some(ListMembership { dataset, title, since, resolution })
    }
}
