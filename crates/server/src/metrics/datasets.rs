//! The metrics of the datasets.

use kuraka_ports::{DatasetState, DatasetStatus};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::register::{Labels, new, new_seconds};

/// A dataset without an edition has no rows and no age.
pub struct DatasetMetrics {
    states: Family<Labels<2>, Gauge>,
    editions: Family<Labels<2, String>, Gauge>,
    rows: Family<Labels<1>, Gauge>,
    age_days: Family<Labels<1>, Gauge>,
    too_old: Family<Labels<1>, Gauge>,
    damaged: Family<Labels<1>, Counter>,
    last_success: Family<Labels<1>, Gauge>,
    last_failure: Family<Labels<1>, Gauge>,
    disagreements: Gauge,
}

impl DatasetMetrics {
    pub(super) fn register(to: &mut Registry) -> Self {
        let succeeded = "When an update of the dataset last succeeded, in Unix time";
        let failed = "When an update of the dataset last failed, in Unix time";
        Self {
            states: new(to, "dataset_state", "The state of a dataset, 1"),
            editions: new(to, "dataset_edition", "The edition of a dataset that answers, 1"),
            rows: new(to, "dataset_rows", "Rows of the dataset's edition"),
            age_days: new(to, "dataset_age_days", "Age of the dataset's edition in days"),
            too_old: new(to, "dataset_too_old", "1 if the dataset's edition is older than the settings allow"),
            damaged: new(to, "dataset_damaged", "Editions of the dataset damaged while they answered"),
            disagreements: new(
                to,
                "exchange_rate_disagreements",
                "Days on which the central bank's series contradicts the tax authority's exchange rate",
            ),
            last_success: new_seconds(to, "dataset_last_success_timestamp", succeeded),
            last_failure: new_seconds(to, "dataset_last_failure_timestamp", failed),
        }
    }

    pub fn record_damaged(&self, dataset: &'static str) {
        self.damaged.get_or_create(&[("dataset", dataset)]).inc();
    }

    /// Days on which the exchange rate's sources disagree.
    pub fn set_disagreements(&self, days: usize) {
        self.disagreements.set(i64::try_from(days).unwrap_or(i64::MAX));
    }

    pub fn set(&self, statuses: &[DatasetStatus]) {
        self.editions.clear();
        statuses.iter().for_each(|status| self.set_one(status));
    }

    fn set_one(&self, status: &DatasetStatus) {
        let dataset = status.name;
        let labels = [("dataset", dataset)];
        for state in DatasetState::ALL {
            let labels = [("dataset", dataset), ("state", state.as_str())];
            self.states.get_or_create(&labels).set((state == status.state).into());
        }
        drop(self.damaged.get_or_create(&labels));
        let edition = status.edition.as_ref();
        if let Some(edition) = edition {
            let labels = [("dataset", dataset.to_owned()), ("edition", edition.label.to_string())];
            self.editions.get_or_create(&labels).set(1);
        }
        let rows = edition.map(|edition| i64::try_from(edition.rows).unwrap_or(i64::MAX));
        let is_too_old = edition.map(|_| i64::from(status.is_too_old));
        let age_days = status.age_days.map(i64::from);
        for (gauges, value) in [(&self.rows, rows), (&self.age_days, age_days), (&self.too_old, is_too_old)] {
            match value {
                Some(value) => drop(gauges.get_or_create(&labels).set(value)),
                None => drop(gauges.remove(&labels)),
            }
        }
        if let Some(attempt) = &status.last_attempt {
            // Both exist from the first attempt on, so that an alarm can compare them.
            drop((self.last_success.get_or_create(&labels), self.last_failure.get_or_create(&labels)));
            let gauge = if attempt.outcome.is_failure() { &self.last_failure } else { &self.last_success };
            gauge.get_or_create(&labels).set(attempt.at.as_second());
        }
    }
}
