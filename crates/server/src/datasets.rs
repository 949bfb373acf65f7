//! The state of every dataset, for `/readyz`, the metrics and the panel's status page: what answers, how old it is, and
//! how the last update ended.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kuraka_adapters::registry::{
    AttemptOutcome, DatasetAttempt, DatasetState as Served, EmbeddedRegistry, RegistryState, ServedEdition,
    last_attempt,
};
use kuraka_app::calendar;
use kuraka_panel::Datasets;
use kuraka_panel::dataset_status::{self, AttemptResult, DatasetEdition, DatasetState};
use kuraka_ports::{Clock, EditionOrigin};
use kuraka_registry::dataset::{ALL, Dataset, Rhythm};

/// The datasets of this server.
pub struct ServedDatasets {
    registry: Arc<EmbeddedRegistry>,
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    /// By dataset; kept in memory so that no request reads a file.
    attempts: Mutex<BTreeMap<&'static str, DatasetAttempt>>,
}

/// The state of one dataset.
#[derive(Clone, Debug)]
pub struct DatasetStatus {
    /// The dataset.
    pub dataset: &'static Dataset,
    /// What answers.
    pub state: DatasetState,
    /// The edition that answers.
    pub edition: Option<ServedEdition>,
    /// Days since that edition was published.
    pub age_days: Option<i32>,
    /// The last recorded attempt to update it.
    pub last_attempt: Option<DatasetAttempt>,
}

impl ServedDatasets {
    /// The datasets that `registry` serves from this folder.
    #[must_use]
    pub fn new(registry: Arc<EmbeddedRegistry>, folder: PathBuf, clock: Arc<dyn Clock>) -> Self {
        let datasets = Self { registry, folder, clock, attempts: Mutex::default() };
        datasets.read_attempts();
        datasets
    }

    /// Reads the recorded attempts anew, because commands record theirs too. Blocks.
    pub fn read_attempts(&self) {
        let attempt = |dataset: &'static Dataset| Some((dataset.name, last_attempt(&self.folder, dataset)?));
        let attempts = ALL.into_iter().filter_map(attempt).collect();
        *self.attempts.lock().unwrap_or_else(PoisonError::into_inner) = attempts;
    }

    /// The state of every dataset, the padrón first. Never blocks.
    pub fn statuses(&self) -> Vec<DatasetStatus> {
        let attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let today = calendar::today(self.clock.now()).days_since_epoch();
        let mut served: BTreeMap<_, _> =
            self.registry.dataset_states().into_iter().map(|served| (served.dataset.name, served)).collect();
        let status = |dataset: &'static Dataset| {
            let served = served.remove(dataset.name);
            let state = served.as_ref().map_or(DatasetState::NotEnabled, state);
            let edition = served.and_then(|served| served.edition);
            let age_days = edition.as_ref().map(|edition| today - edition.date.days_since_epoch());
            DatasetStatus { dataset, state, edition, age_days, last_attempt: attempts.get(dataset.name).cloned() }
        };
        ALL.into_iter().map(status).collect()
    }
}

/// What answers for an enabled dataset.
const fn state(served: &Served) -> DatasetState {
    match served.state {
        RegistryState::Loaded | RegistryState::NeverImported if served.in_padron.is_some() => DatasetState::InPadron,
        // The sample of a list, beside a published padrón that does not have the list.
        RegistryState::Loaded if served.edition.is_none() => DatasetState::NeverImported,
        RegistryState::Loaded => DatasetState::Loaded,
        RegistryState::Fallback => DatasetState::Fallback,
        RegistryState::Unreadable => DatasetState::Unreadable,
        RegistryState::Unusable => DatasetState::Unusable,
        RegistryState::NeverImported => DatasetState::NeverImported,
    }
}

impl Datasets for ServedDatasets {
    fn datasets(&self) -> Vec<dataset_status::DatasetStatus> {
        self.statuses().into_iter().map(dataset_status::DatasetStatus::from).collect()
    }
}

impl DatasetStatus {
    /// Whether the edition is older than its rhythm explains. The lists change on no fixed day, so they have no limit,
    /// and a sample never ages.
    #[must_use]
    pub fn is_overdue(&self) -> bool {
        let limit_days = match self.dataset.rhythm {
            Rhythm::Daily => 3,
            Rhythm::Weekly => 21,
            // A month's file is published about a month later.
            Rhythm::Monthly => 75,
            Rhythm::Irregular => return false,
        };
        let is_published = self.edition.as_ref().is_some_and(|edition| edition.origin == EditionOrigin::Published);
        is_published && self.age_days.is_some_and(|days| days > limit_days)
    }
}

impl From<DatasetStatus> for dataset_status::DatasetStatus {
    fn from(status: DatasetStatus) -> Self {
        let is_overdue = status.is_overdue();
        let edition = status.edition.zip(status.age_days).map(|(edition, age_days)| DatasetEdition {
            date: edition.date,
            age_days,
            rows: edition.rows,
            is_sample: edition.origin == EditionOrigin::Sample,
        });
        let last_attempt = status.last_attempt.map(|attempt| dataset_status::DatasetAttempt {
            at: attempt.at,
            result: match attempt.outcome {
                AttemptOutcome::Published { .. } => AttemptResult::Published,
                AttemptOutcome::Unchanged => AttemptResult::Unchanged,
                AttemptOutcome::Failed { .. } => AttemptResult::Failed,
            },
        });
        let Dataset { name, title, attribution, .. } = *status.dataset;
        Self { name, title, attribution, state: status.state, edition, is_overdue, last_attempt }
    }
}

#[cfg(test)]
mod tests {
    use kuraka_adapters::clock::SystemClock;
    use kuraka_adapters::registry::record_attempt;
    use kuraka_domain::Date;
    use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, RETENCION, SANCIONES};

    use super::*;

    fn status(dataset: &'static Dataset, age_days: i32, origin: EditionOrigin) -> DatasetStatus {
        let (label, date) = ("2026-10-31-0badc0de".into(), Date::parse("2026-10-31").unwrap());
        let edition = Some(ServedEdition { label, date, origin, rows: 1 });
        DatasetStatus { dataset, state: DatasetState::Loaded, edition, age_days: Some(age_days), last_attempt: None }
    }

    #[test]
    fn every_dataset_has_a_state_whichever_are_enabled() {
        let folder = tempfile::tempdir().unwrap();
        let (registry, _) = EmbeddedRegistry::open_with(folder.path(), &[&ANEXOS]).unwrap();
        let datasets =
            ServedDatasets::new(Arc::new(registry), folder.path().to_owned(), Arc::new(SystemClock::start()));
        let states = || -> Vec<_> {
            datasets.statuses().into_iter().map(|it| (it.dataset.name, it.state, it.last_attempt)).collect()
        };
        let enabled = ["padron", "anexos"];
        let expected = ALL.map(|dataset| match dataset.name {
            name if enabled.contains(&name) => (name, DatasetState::NeverImported, None),
            name => (name, DatasetState::NotEnabled, None),
        });
        assert_eq!(states(), expected);
        let attempt = DatasetAttempt { at: datasets.clock.now(), outcome: AttemptOutcome::Unchanged };
        record_attempt(folder.path(), &ANEXOS, &attempt).unwrap();
        assert_eq!(states(), expected, "no request reads a file");
        datasets.read_attempts();
        let (_, _, shown) = states().into_iter().find(|(name, ..)| *name == "anexos").unwrap();
        assert_eq!(shown, Some(attempt));
    }

    #[test]
    fn a_list_without_an_edition_answers_from_the_padron_if_that_has_it() {
        let served = |registry_state, in_padron: Option<&str>| {
            let in_padron = in_padron.map(Arc::from);
            state(&Served { dataset: &RETENCION, state: registry_state, edition: None, in_padron })
        };
        let label = Some("2026-10-31-0badc0de");
        assert_eq!(served(RegistryState::NeverImported, label), DatasetState::InPadron);
        assert_eq!(served(RegistryState::Loaded, label), DatasetState::InPadron, "its own edition is older");
        assert_eq!(served(RegistryState::NeverImported, None), DatasetState::NeverImported);
        assert_eq!(served(RegistryState::Unusable, label), DatasetState::Unusable, "damage is never hidden");
    }

    #[test]
    fn an_edition_is_overdue_by_its_rhythm() {
        for (dataset, limit) in [(&ANEXOS, 3), (&SANCIONES, 21), (&DATOS_ABIERTOS, 75)] {
            assert!(!status(dataset, limit, EditionOrigin::Published).is_overdue(), "{}", dataset.name);
            assert!(status(dataset, limit + 1, EditionOrigin::Published).is_overdue(), "{}", dataset.name);
            assert!(!status(dataset, limit + 1, EditionOrigin::Sample).is_overdue(), "a sample never ages");
        }
        assert!(!status(&RETENCION, 5_000, EditionOrigin::Published).is_overdue());
    }
}
