//! One edition of each dataset, open for lookups.

use std::path::Path;
use std::sync::Arc;

use kuraka_domain::{AnnexPremises, Date, OpenData, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::{DatasetError, Edition, PublishedDataset, RegistrySnapshot, SourceError, SourceErrorKind};
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, PADRON, SSCO};
use kuraka_registry::{DatasetEdition, ListMeta, Meta, OpenEdition};
use thiserror::Error;

use super::SOURCE;
use super::answers::Answers;
use super::list_flags::{Flag, ListFlags};
use super::profile::Profiles;
use super::state::ServedEdition;

/// What a snapshot is made of.
pub(super) struct Editions {
    /// The padrón's.
    pub(super) padron: Arc<OpenEdition>,
    /// Those of the other datasets, in the order of lists for people.
    pub(super) datasets: Vec<DatasetPart>,
}

/// A dataset in a snapshot.
pub(super) struct DatasetPart {
    /// The dataset.
    pub(super) dataset: &'static Dataset,
    /// Its edition; `None` = it has none, or no usable one.
    pub(super) edition: Option<Arc<DatasetEdition>>,
    /// Whether it has editions, and none is usable.
    pub(super) is_unusable: bool,
}

/// A snapshot of all datasets.
pub(super) struct Snapshot {
    editions: Editions,
    facts: Arc<Edition>,
    /// The flags of the lists that have editions of their own.
    flags: ListFlags,
    profiles: Profiles,
    published: Vec<PublishedDataset>,
    missing: Vec<&'static str>,
    /// The lists whose own editions do not answer, because the padrón's records have a later one.
    passed_over: Vec<&'static str>,
}

/// Every edition of a dataset is damaged.
#[derive(Debug, Error)]
#[error("the dataset {0} has no usable edition")]
struct Unusable(&'static str);

impl Snapshot {
    /// Makes the snapshot of these editions of the registry in `folder`. Reads the members of the lists.
    pub(super) fn of(editions: Editions, folder: &Path) -> Arc<Self> {
        let padron = editions.padron.meta();
        let (mut members, mut profiles) = (Vec::new(), Profiles::default());
        let mut published =
            vec![PublishedDataset { name: PADRON.name, label: padron.label.as_str().into(), date: padron.date }];
        let (mut missing, mut passed_over) = (Vec::new(), Vec::new());
        let mut lists: Vec<_> = padron.lists.keys().map(|list| list.code).collect();
        for DatasetPart { dataset, edition, .. } in &editions.datasets {
            let flag = Flag::of(dataset);
            let in_padron = flag.and_then(|flag| padron.lists.get(&flag.list()));
            let own = edition.as_ref().filter(|own| answers(own, padron, in_padron, folder));
            if edition.is_some() && own.is_none() {
                passed_over.push(dataset.name);
            }
            let (label, date) = match (own, flag, in_padron) {
                (Some(edition), ..) => {
                    // Rows that cannot be read now are damage of the last moment: the padrón's flags answer until the
                    // edition is replaced.
                    if let Some((flag, Ok(rucs))) = flag.map(|flag| (flag, edition.iter_rucs().collect())) {
                        members.push((flag, rucs));
                        let code = flag.list().code;
                        if !lists.contains(&code) {
                            lists.push(code);
                        }
                    }
                    profiles.add(Arc::clone(edition));
                    (edition.label(), edition.meta().date)
                }
                (None, Some(flag), Some(list)) => {
                    profiles.add_from_padron(dataset, flag);
                    (list.edition.as_str(), date_of(&list.edition).unwrap_or(padron.date))
                }
                _ => {
                    missing.push(dataset.name);
                    continue;
                }
            };
            published.push(PublishedDataset { name: dataset.name, label: label.into(), date });
        }
        let ServedEdition { label, date, origin, rows } = editions.padron.facts();
        let facts = Edition { label, date, origin, rows, lists };
        let flags = ListFlags::of(&members);
        Arc::new(Self { facts: Arc::new(facts), flags, profiles, published, missing, passed_over, editions })
    }

    /// Whether the list's own edition does not answer.
    pub(super) fn passes_over(&self, dataset: &Dataset) -> bool {
        self.passed_over.contains(&dataset.name)
    }

    /// Whether it is made of these editions.
    pub(super) fn is_of(&self, editions: &Editions) -> bool {
        let is_same = |(own, other): (&DatasetPart, &DatasetPart)| {
            own.is_unusable == other.is_unusable
                && own.edition.as_ref().map(Arc::as_ptr) == other.edition.as_ref().map(Arc::as_ptr)
        };
        Arc::ptr_eq(&self.editions.padron, &editions.padron)
            && self.editions.datasets.iter().zip(&editions.datasets).all(is_same)
    }

    /// Why the dataset does not answer.
    fn why_missing(&self, dataset: &'static Dataset) -> DatasetError {
        let is_unusable =
            self.editions.datasets.iter().any(|part| part.dataset.name == dataset.name && part.is_unusable);
        if is_unusable {
            let error = SourceError::new(SOURCE, SourceErrorKind::Unreadable);
            return DatasetError::Source(error.with_cause(Unusable(dataset.name)));
        }
        DatasetError::NoEdition { dataset: dataset.name }
    }
}

/// Whether a dataset's own edition answers: the sample never beside published rows, nor the other way round. For a list
/// the flags in the padrón's records answer if they are later: those of a replica that fetches the padrón's editions, and
/// whose own list is old. They are not later if the list's folder has that edition too: an operator has chosen another
/// one there.
fn answers(own: &DatasetEdition, padron: &Meta, in_padron: Option<&ListMeta>, folder: &Path) -> bool {
    if own.meta().origin != padron.origin {
        return false;
    }
    // The label that earlier versions stored is that of a padrón, whose date is not the list's.
    let of_a_list = |list: &&ListMeta| list.source.sha256.get(..8).is_some_and(|digest| list.edition.ends_with(digest));
    let Some(list) = in_padron.filter(of_a_list) else { return true };
    if date_of(&list.edition).is_none_or(|published| published <= own.meta().date) {
        return true;
    }
    let kept = kuraka_registry::dataset_editions(folder, own.dataset()).unwrap_or_default();
    kept.iter().any(|kept| kept.meta.label == list.edition)
}

/// The day of an edition's label.
fn date_of(label: &str) -> Option<Date> {
    label.get(..10).and_then(|date| Date::parse(date).ok())
}

impl RegistrySnapshot for Snapshot {
    fn edition(&self) -> &Arc<Edition> {
        &self.facts
    }

    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError> {
        // First, so that the processor fetches both lines of memory at the same time.
        let flags = self.flags.of_taxpayer(ruc);
        let unreadable = |error| SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(error);
        let mut found = self.editions.padron.lookup(ruc).map_err(unreadable)?;
        if let Some(summary) = &mut found {
            flags.put_into(summary);
        }
        Ok(found)
    }

    fn datasets(&self) -> &[PublishedDataset] {
        &self.published
    }

    fn missing_datasets(&self) -> &[&'static str] {
        &self.missing
    }

    fn profile(&self, ruc: Ruc) -> Result<Option<TaxpayerProfile>, SourceError> {
        self.lookup(ruc)?.map(|summary| self.profiles.of(summary)).transpose()
    }

    fn open_data(&self, ruc: Ruc) -> Result<Option<OpenData>, DatasetError> {
        let found = self.profiles.open_data_of(ruc).ok_or_else(|| self.why_missing(&DATOS_ABIERTOS))?;
        found.map_err(DatasetError::Source)
    }

    fn annexes(&self, ruc: Ruc) -> Result<Vec<AnnexPremises>, DatasetError> {
        let found = self.profiles.annexes_of(ruc).ok_or_else(|| self.why_missing(&ANEXOS))?;
        found.map_err(DatasetError::Source)
    }

    fn operating_incapacity(&self, ruc: Ruc) -> Result<Option<OperatingIncapacity>, DatasetError> {
        let found = self.profiles.incapacity_of(ruc).ok_or_else(|| self.why_missing(&SSCO))?;
        found.map_err(DatasetError::Source)
    }
}
