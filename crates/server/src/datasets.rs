//! The state of every dataset, for `/readyz`, the metrics and the panel's status page: what answers, how old it is, and
//! how the last update ended.

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
    enabled: Vec<&'static Dataset>,
    clock: Arc<dyn Clock>,
    /// In the catalogue's order; kept in memory so that no request reads a file.
    attempts: Mutex<Vec<Option<DatasetAttempt>>>,
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
    /// The datasets in the registry's `folder`, of which `registry` serves the `enabled` ones.
    #[must_use]
    pub fn new(
        registry: Arc<EmbeddedRegistry>,
        folder: PathBuf,
        enabled: Vec<&'static Dataset>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let datasets = Self { registry, folder, enabled, clock, attempts: Mutex::default() };
        datasets.read_attempts();
        datasets
    }

    /// Reads the recorded attempts anew, because commands record theirs too. Blocks.
    pub fn read_attempts(&self) {
        let attempts = ALL.into_iter().map(|dataset| last_attempt(&self.folder, dataset)).collect();
        *self.attempts.lock().unwrap_or_else(PoisonError::into_inner) = attempts;
    }

    /// The state of every dataset, the padrón first. Never blocks.
    pub fn statuses(&self) -> Vec<DatasetStatus> {
        let attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let today = calendar::today(self.clock.now()).days_since_epoch();
        let status = |(served, last_attempt): (Served, Option<DatasetAttempt>)| DatasetStatus {
            state: self.state(&served),
            age_days: served.edition.as_ref().map(|edition| today - edition.date.days_since_epoch()),
            dataset: served.dataset,
            edition: served.edition,
            last_attempt,
        };
        self.registry.dataset_states().into_iter().zip(attempts).map(status).collect()
    }

    fn state(&self, served: &Served) -> DatasetState {
        match served.state {
            RegistryState::Loaded => DatasetState::Loaded,
            RegistryState::Fallback => DatasetState::Fallback,
            RegistryState::Unreadable => DatasetState::Unreadable,
            RegistryState::Unusable => DatasetState::Unusable,
            RegistryState::NeverImported if served.in_padron.is_some() => DatasetState::InPadron,
            RegistryState::NeverImported if self.enabled.iter().any(|enabled| enabled.name == served.dataset.name) => {
                DatasetState::NeverImported
            }
            RegistryState::NeverImported => DatasetState::NotEnabled,
        }
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
    use kuraka_domain::Date;
    use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, RETENCION, SANCIONES};

    use super::*;

    fn status(dataset: &'static Dataset, age_days: i32, origin: EditionOrigin) -> DatasetStatus {
        let (label, date) = ("2026-10-31-0badc0de".into(), Date::parse("2026-10-31").unwrap());
        let edition = Some(ServedEdition { label, date, origin, rows: 1 });
        DatasetStatus { dataset, state: DatasetState::Loaded, edition, age_days: Some(age_days), last_attempt: None }
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
