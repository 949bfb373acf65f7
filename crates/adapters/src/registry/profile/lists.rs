//! The lists of taxpayers: those with an edition of their own, and those that only the padrón's records have.

use std::sync::Arc;

use kuraka_domain::{ListMembership, TaxpayerSummary};
use kuraka_ports::SourceError;
use kuraka_registry::DatasetEdition;
use kuraka_registry::dataset::Dataset;

use super::fields::{date, owned};
use super::rows::rows;
use crate::registry::list_flags::Flag;

/// A list in a snapshot.
pub(super) struct List {
    dataset: &'static Dataset,
    source: Source,
}

/// Where its members are.
enum Source {
    /// In its own edition, with the positions of the fields.
    Edition { edition: Arc<DatasetEdition>, since: Option<usize>, resolution: Option<usize> },
    /// In the padrón's records, without date and resolution.
    Padron(Flag),
}

impl List {
    /// The list in an edition of its own.
    pub(super) fn in_edition(edition: Arc<DatasetEdition>) -> Self {
        let dataset = edition.dataset();
        let (since, resolution) = (dataset.field("desde"), dataset.field("resolucion"));
        Self { dataset, source: Source::Edition { edition, since, resolution } }
    }

    /// The list in the padrón's records.
    pub(super) const fn in_padron(dataset: &'static Dataset, flag: Flag) -> Self {
        Self { dataset, source: Source::Padron(flag) }
    }

    /// The taxpayer's entry; `None` = it is not on the list.
    pub(super) fn membership(&self, summary: &TaxpayerSummary) -> Result<Option<ListMembership>, SourceError> {
        let Dataset { name: dataset, title, .. } = *self.dataset;
        let (since, resolution) = match &self.source {
            Source::Edition { edition, since, resolution } => {
                let rows = rows(edition, summary.ruc)?;
                let Some(row) = rows.first() else { return Ok(None) };
                let since = since.and_then(|field| date(row, field));
                (since, resolution.map(|field| owned(row, field)).unwrap_or_default())
            }
            Source::Padron(flag) if flag.is_set_in(summary) => (None, String::new()),
            Source::Padron(_) => return Ok(None),
        };
        Ok(Some(ListMembership { dataset, title, since, resolution }))
    }
}
