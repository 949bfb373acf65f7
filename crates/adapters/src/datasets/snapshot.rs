//! One edition of each dataset, open for lookups.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::{
    self as ports, NamePage, NameQuery, ProfileParts, ProfileResults, RegistrySnapshot, SnapshotDataset, SourceError,
    SourceErrorKind, TaxpayerHistory,
};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::History;
use kuraka_registry::months::Months;
use kuraka_registry::{CorruptRowError, Edition};

use super::SOURCE;
use super::history::Histories;
use super::list_flags::{Flags, ListFlags, Members, flag_of};
use super::profile::Profiles;

/// The members of a list are unknown, so its flag is.
const MISSING_LIST: &str = "a list is missing or damaged";

pub(super) struct DatasetPart {
    pub(super) dataset: &'static Dataset,
    pub(super) is_enabled: bool,
    /// `None` = no usable edition.
    pub(super) edition: Option<Arc<Edition>>,
    /// The taxpayers of a list with a flag; `None` = unreadable.
    pub(super) members: Option<Members>,
    /// Its history, if it includes the edition.
    pub(super) history: Option<Arc<History>>,
    pub(super) months: Option<Arc<Months>>,
    /// Whether it has editions, and none is usable.
    pub(super) is_damaged: bool,
}

pub(super) struct Snapshot {
    padron: Arc<Edition>,
    facts: Arc<ports::Edition>,
    /// The parts it was made of, unserved editions included.
    parts: Vec<DatasetPart>,
    /// The flags of the lists; `None` = an enabled list is missing or unreadable.
    flags: Option<ListFlags>,
    missing_list: Option<SnapshotDataset>,
    profiles: Profiles,
    histories: Histories,
    datasets: Vec<SnapshotDataset>,
}

impl Snapshot {
    pub(super) fn new(padron: Arc<Edition>, parts: Vec<DatasetPart>) -> Self {
        let facts = facts_of(&padron);
        let (mut members, mut profiles, mut datasets) = (Some(Vec::new()), Profiles::default(), Vec::new());
        let (mut histories, mut missing_list) = (Histories::default(), None);
        for DatasetPart { dataset, is_enabled, edition, members: rucs, history, months, is_damaged } in &parts {
            let (name, is_damaged) = (dataset.name, *is_damaged);
            // The sample is never served beside published rows, nor the other way round.
            let answers = edition.as_ref().filter(|edition| edition.meta().origin == padron.meta().origin);
            let facts = |edition| if Arc::ptr_eq(edition, &padron) { Arc::clone(&facts) } else { facts_of(edition) };
            let (edition, flag) = (answers.map(facts), flag_of(dataset));
            let state = SnapshotDataset { name, edition, is_damaged };
            if *is_enabled && flag.is_some() && answers.is_none() {
                missing_list.get_or_insert_with(|| state.clone());
            }
            datasets.push(state);
            histories.add(dataset, answers, history.as_ref());
            histories.add_months(months.iter().find(|months| months.origin() == padron.meta().origin));
            let Some(answers) = answers else { continue };
            if let Some(flag) = flag {
                members = members.zip(rucs.clone()).map(|(members, rucs)| [members, vec![(flag, rucs)]].concat());
            }
            if !Arc::ptr_eq(answers, &padron) {
                profiles.add(Arc::clone(answers));
            }
        }
        // A list that is missing is not answered as one without members.
        let members = members.filter(|_| missing_list.is_none());
        let flags = members.map(|members| ListFlags::from_lists(&members));
        Self { facts, flags, missing_list, profiles, histories, datasets, padron, parts }
    }

    /// Adds the flags, if `parts` ask for them.
    fn with_flags(
        &self,
        summary: Result<Option<TaxpayerSummary>, CorruptRowError>,
        flags: Option<Flags>,
        parts: ProfileParts,
    ) -> Result<Option<TaxpayerSummary>, SourceError> {
        let damaged = || SourceError::new(SOURCE, SourceErrorKind::Unreadable);
        let Some(mut summary) = summary.map_err(|error| damaged().with_cause(error))? else { return Ok(None) };
        if parts.has(ProfileParts::FLAGS) {
            flags.ok_or_else(|| damaged().with_cause(MISSING_LIST))?.put_into(&mut summary);
        }
        Ok(Some(summary))
    }

    pub(super) fn is_of(&self, padron: &Arc<Edition>, parts: &[DatasetPart]) -> bool {
        let is_same = |(own, other): (&DatasetPart, &DatasetPart)| {
            own.is_damaged == other.is_damaged
                && own.edition.as_ref().map(Arc::as_ptr) == other.edition.as_ref().map(Arc::as_ptr)
                && own.history.as_ref().map(Arc::as_ptr) == other.history.as_ref().map(Arc::as_ptr)
                && own.months.as_ref().map(Arc::as_ptr) == other.months.as_ref().map(Arc::as_ptr)
        };
        Arc::ptr_eq(&self.padron, padron) && self.parts.iter().zip(parts).all(is_same)
    }
}

pub(super) fn facts_of(edition: &Edition) -> Arc<ports::Edition> {
    let meta = edition.meta();
    let (label, digest) = (meta.label.as_str().into(), Some(meta.source.sha256.as_str().into()));
    Arc::new(ports::Edition { label, digest, date: meta.date, origin: meta.origin, rows: meta.rows })
}

impl RegistrySnapshot for Snapshot {
    fn edition(&self) -> &Arc<ports::Edition> {
        &self.facts
    }

    fn datasets(&self) -> &[SnapshotDataset] {
        &self.datasets
    }

    fn missing_list(&self) -> Option<&SnapshotDataset> {
        self.missing_list.as_ref()
    }

    fn profile(&self, ruc: Ruc, parts: ProfileParts) -> Result<Option<TaxpayerProfile>, SourceError> {
        // First, so that the processor fetches both memory lines at once.
        let flags = self.flags.as_ref().map(|flags| flags.flags(ruc));
        let Some(summary) = self.with_flags(self.padron.summary(ruc), flags, parts)? else { return Ok(None) };
        if matches!(parts, ProfileParts::NONE | ProfileParts::FLAGS) {
            return Ok(Some(TaxpayerProfile::from_summary(summary)));
        }
        self.profiles.profile(summary, parts).map(Some)
    }

    fn is_listed(&self, ruc: Ruc, list: &str) -> Option<bool> {
        self.profiles.is_listed(ruc, list)
    }

    fn history(&self, ruc: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError> {
        self.histories.taxpayer(ruc)
    }

    fn profiles<'a>(&'a self, rucs: &'a [Ruc], parts: ProfileParts) -> ProfileResults<'a> {
        if !matches!(parts, ProfileParts::NONE | ProfileParts::FLAGS) {
            return Box::new(rucs.iter().map(move |ruc| self.profile(*ruc, parts)));
        }
        let summaries = self.padron.summaries(rucs).zip(rucs);
        Box::new(summaries.map(move |(summary, ruc)| {
            let flags = self.flags.as_ref().map(|flags| flags.flags(*ruc));
            self.with_flags(summary, flags, parts).map(|summary| summary.map(TaxpayerProfile::from_summary))
        }))
    }

    fn search(&self, query: &NameQuery) -> Result<Option<NamePage>, SourceError> {
        let damaged = || SourceError::new(SOURCE, SourceErrorKind::Unreadable);
        let found = self.padron.search(query).map_err(|error| damaged().with_cause(error))?;
        let Some(mut page) = found else { return Ok(None) };
        let flags = self.flags.as_ref().ok_or_else(|| damaged().with_cause(MISSING_LIST))?;
        page.taxpayers.iter_mut().for_each(|taxpayer| flags.flags(taxpayer.ruc).put_into(taxpayer));
        Ok(Some(page))
    }
}
