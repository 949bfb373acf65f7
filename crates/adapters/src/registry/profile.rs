//! What the datasets beside the padrón say about a taxpayer. Each dataset is read once.

mod annexes;
mod fields;
mod incapacity;
mod lists;
mod open_data;
mod rows;
mod sanctions;

use std::sync::Arc;

use kuraka_domain::{AnnexPremises, OpenData, OperatingIncapacity, Ruc, Sanction, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::SourceError;
use kuraka_registry::DatasetEdition;
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, SANCIONES, SSCO};

use self::annexes::annex;
use self::incapacity::incapacity;
use self::lists::List;
use self::open_data::open_data;
use self::rows::{count, required, rows};
use self::sanctions::sanction;
use super::list_flags::Flag;

/// The datasets of a snapshot. `None` = the dataset has no edition.
#[derive(Default)]
pub(super) struct Profiles {
    /// In the datasets' order.
    lists: Vec<List>,
    annexes: Option<Arc<DatasetEdition>>,
    open_data: Option<Arc<DatasetEdition>>,
    incapacity: Option<Arc<DatasetEdition>>,
    sanctions: Option<Arc<DatasetEdition>>,
}

impl Profiles {
    /// Adds a dataset. One that has no place of its own in a profile is a list.
    pub(super) fn add(&mut self, edition: Arc<DatasetEdition>) {
        match edition.dataset().name {
            name if name == ANEXOS.name => self.annexes = Some(edition),
            name if name == DATOS_ABIERTOS.name => self.open_data = Some(edition),
            name if name == SSCO.name => self.incapacity = Some(edition),
            name if name == SANCIONES.name => self.sanctions = Some(edition),
            _ => self.lists.push(List::in_edition(edition)),
        }
    }

    /// Adds a list that only the padrón's records have.
    pub(super) fn add_from_padron(&mut self, dataset: &'static Dataset, flag: Flag) {
        self.lists.push(List::in_padron(dataset, flag));
    }

    /// All that is known about the taxpayer with this summary.
    pub(super) fn of(&self, summary: TaxpayerSummary) -> Result<TaxpayerProfile, SourceError> {
        let ruc = summary.ruc;
        Ok(TaxpayerProfile {
            lists: self.lists_of(&summary)?,
            annexes: self.annexes.as_deref().map(|edition| count(edition, ruc)).transpose()?,
            open_data: self.open_data_of(ruc).transpose()?,
            operating_incapacity: self.incapacity_of(ruc).transpose()?,
            sanctions: self.sanctions.as_deref().map(|edition| sanctions_of(edition, ruc)).transpose()?,
            summary,
        })
    }

    /// The open data about `ruc`; the outer `None` = the dataset has no edition.
    pub(super) fn open_data_of(&self, ruc: Ruc) -> Option<Result<Option<OpenData>, SourceError>> {
        self.open_data.as_deref().map(|edition| open_data_in(edition, ruc))
    }

    /// The annex premises of `ruc`; `None` = the dataset has no edition.
    pub(super) fn annexes_of(&self, ruc: Ruc) -> Option<Result<Vec<AnnexPremises>, SourceError>> {
        let edition = self.annexes.as_deref()?;
        Some(rows(edition, ruc).map(|rows| rows.iter().map(annex).collect()))
    }

    /// The resolution about `ruc`; the outer `None` = the dataset has no edition.
    pub(super) fn incapacity_of(&self, ruc: Ruc) -> Option<Result<Option<OperatingIncapacity>, SourceError>> {
        let edition = self.incapacity.as_deref()?;
        Some(rows(edition, ruc).map(|rows| rows.first().map(incapacity)))
    }

    fn lists_of(&self, summary: &TaxpayerSummary) -> Result<Option<Vec<kuraka_domain::ListMembership>>, SourceError> {
        if self.lists.is_empty() {
            return Ok(None);
        }
        self.lists.iter().filter_map(|list| list.membership(summary).transpose()).collect::<Result<_, _>>().map(Some)
    }
}

fn open_data_in(edition: &DatasetEdition, ruc: Ruc) -> Result<Option<OpenData>, SourceError> {
    let rows = rows(edition, ruc)?;
    rows.first().map(|row| required(edition, open_data(row))).transpose()
}

fn sanctions_of(edition: &DatasetEdition, ruc: Ruc) -> Result<Vec<Sanction>, SourceError> {
    rows(edition, ruc)?.iter().map(|row| required(edition, sanction(row))).collect()
}
