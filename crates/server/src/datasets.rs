//! The state of every dataset, for `/readyz`, the metrics and the panel's status page.

use std::sync::Arc;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_app::calendar;
use kuraka_panel::Datasets;
use kuraka_panel::dataset_status::{DatasetEdition, DatasetState, DatasetStatus};
use kuraka_ports::{Clock, EditionOrigin, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, Dataset, PADRON, Rhythm};

/// The datasets of the registry that this server serves.
pub struct ServedDatasets {
    /// Returns the editions.
    pub registry: Arc<EmbeddedRegistry>,
    /// Today's date, for the age of the editions.
    pub clock: Arc<dyn Clock>,
}

impl Datasets for ServedDatasets {
    fn datasets(&self) -> Vec<DatasetStatus> {
        ALL.into_iter().map(|dataset| self.status(dataset)).collect()
    }
}

impl ServedDatasets {
    fn status(&self, dataset: &'static Dataset) -> DatasetStatus {
        let (state, edition) =
            if dataset.name == PADRON.name { self.padron() } else { (DatasetState::NeverImported, None) };
        DatasetStatus {
            name: dataset.name,
            title: dataset.title,
            attribution: dataset.attribution,
            state,
            is_overdue: edition.as_ref().is_some_and(|edition| is_overdue(dataset.rhythm, edition)),
            edition,
            last_attempt: None,
        }
    }

    fn padron(&self) -> (DatasetState, Option<DatasetEdition>) {
        let state = match self.registry.state() {
            RegistryState::Loaded => DatasetState::Loaded,
            RegistryState::Fallback => DatasetState::Fallback,
            RegistryState::Unreadable => DatasetState::Unreadable,
            RegistryState::Unusable => DatasetState::Unusable,
            RegistryState::NeverImported => DatasetState::NeverImported,
        };
        let today = calendar::today(self.clock.now()).days_since_epoch();
        let edition = self.registry.edition().map(|edition| DatasetEdition {
            label: edition.label.to_string(),
            date: edition.date,
            age_days: today - edition.date.days_since_epoch(),
            rows: edition.rows,
            is_sample: edition.origin == EditionOrigin::Sample,
        });
        (state, edition)
    }
}

/// Whether a dataset's edition is older than its rhythm explains. The lists change on no fixed day, so no age is too much.
fn is_overdue(rhythm: Rhythm, edition: &DatasetEdition) -> bool {
    let limit_days = match rhythm {
        Rhythm::Daily => 3,
        Rhythm::Weekly => 21,
        // A month's file is published about a month later.
        Rhythm::Monthly => 75,
        Rhythm::Irregular => return false,
    };
    !edition.is_sample && edition.age_days > limit_days
}

#[cfg(test)]
mod tests {
    use kuraka_domain::Date;

    use super::*;

    #[test]
    fn an_edition_is_overdue_by_its_rhythm() {
        let edition = |age_days, is_sample| {
            let (label, date) = ("2026-10-31-0badc0de".to_owned(), Date::parse("2026-10-31").unwrap());
            DatasetEdition { label, date, age_days, rows: 1, is_sample }
        };
        for (rhythm, limit) in [(Rhythm::Daily, 3), (Rhythm::Weekly, 21), (Rhythm::Monthly, 75)] {
            assert!(!is_overdue(rhythm, &edition(limit, false)), "{rhythm:?}");
            assert!(is_overdue(rhythm, &edition(limit + 1, false)), "{rhythm:?}");
            assert!(!is_overdue(rhythm, &edition(limit + 1, true)), "a sample never ages");
        }
        assert!(!is_overdue(Rhythm::Irregular, &edition(5_000, false)));
    }
}
