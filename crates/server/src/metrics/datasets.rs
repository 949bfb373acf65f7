//! The metrics of the datasets.

use kuraka_panel::dataset_status::DatasetState;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::datasets::DatasetStatus;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DatasetLabels {
    dataset: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    dataset: &'static str,
    state: &'static str,
}

/// The metrics of all datasets. A dataset without an edition has no rows and no age.
#[derive(Default)]
pub(super) struct DatasetMetrics {
    states: Family<StateLabels, Gauge>,
    rows: Family<DatasetLabels, Gauge>,
    age_days: Family<DatasetLabels, Gauge>,
    last_success: Family<DatasetLabels, Gauge>,
    last_failure: Family<DatasetLabels, Gauge>,
}

impl DatasetMetrics {
    /// Creates and registers them.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register("dataset_state", "The state of a dataset, 1", metrics.states.clone());
        registry.register("dataset_rows", "Rows of the dataset's edition", metrics.rows.clone());
        registry.register("dataset_age_days", "Age of the dataset's edition in days", metrics.age_days.clone());
        let when = "When an update of the dataset last succeeded, in Unix time";
        let succeeded = metrics.last_success.clone();
        registry.register_with_unit("dataset_last_success_timestamp", when, Unit::Seconds, succeeded);
        let when = "When an update of the dataset last failed, in Unix time";
        let failed = metrics.last_failure.clone();
        registry.register_with_unit("dataset_last_failure_timestamp", when, Unit::Seconds, failed);
        metrics
    }

    /// Sets the metrics of one dataset.
    pub(super) fn set(&self, status: &DatasetStatus) {
        let labels = DatasetLabels { dataset: status.dataset.name };
        for state in DatasetState::ALL {
            let labels = StateLabels { dataset: status.dataset.name, state: state.as_str() };
            self.states.get_or_create(&labels).set((state == status.state).into());
        }
        let rows = status.edition.as_ref().map(|edition| i64::try_from(edition.rows).unwrap_or(i64::MAX));
        for (gauges, value) in [(&self.rows, rows), (&self.age_days, status.age_days.map(i64::from))] {
            match value {
                Some(value) => drop(gauges.get_or_create(&labels).set(value)),
                None => drop(gauges.remove(&labels)),
            }
        }
        if let Some(attempt) = &status.last_attempt {
            let gauge = if attempt.outcome.is_failure() { &self.last_failure } else { &self.last_success };
            gauge.get_or_create(&labels).set(attempt.at.as_second());
        }
    }
}

#[cfg(test)]
mod tests {
    use kuraka_adapters::registry::{AttemptOutcome, DatasetAttempt, ServedEdition};
    use kuraka_domain::Date;
    use kuraka_ports::EditionOrigin;
    use kuraka_registry::dataset::SSCO;
    use prometheus_client::encoding::text;

    use super::*;

    #[test]
    fn the_metrics_follow_the_state_and_keep_the_last_success() {
        let mut registry = Registry::default();
        let metrics = DatasetMetrics::register(&mut registry);
        let page = || {
            let mut page = String::new();
            text::encode(&mut page, &registry).unwrap();
            page
        };
        let attempt = |at: &str, outcome| Some(DatasetAttempt { at: at.parse().unwrap(), outcome });
        let (label, date) = ("2026-10-31-0badc0de".into(), Date::parse("2026-10-31").unwrap());
        let mut status = DatasetStatus {
            dataset: &SSCO,
            state: DatasetState::Loaded,
            edition: Some(ServedEdition { label, date, origin: EditionOrigin::Published, rows: 110 }),
            age_days: Some(20),
            last_attempt: attempt("1970-01-01T00:01:40Z", AttemptOutcome::Unchanged),
        };
        metrics.set(&status);
        for line in [
            r#"dataset_state{dataset="ssco",state="loaded"} 1"#,
            r#"dataset_rows{dataset="ssco"} 110"#,
            r#"dataset_age_days{dataset="ssco"} 20"#,
            r#"dataset_last_success_timestamp_seconds{dataset="ssco"} 100"#,
        ] {
            assert!(page().lines().any(|known| known == line), "{line} in\n{}", page());
        }
        assert!(!page().contains("dataset_last_failure_timestamp_seconds{"));
        let failed = AttemptOutcome::Failed { cause: "the server answered 503".to_owned() };
        let last_attempt = attempt("1970-01-01T00:03:20Z", failed);
        status = DatasetStatus { state: DatasetState::Unusable, edition: None, age_days: None, last_attempt, ..status };
        metrics.set(&status);
        for line in [
            r#"dataset_state{dataset="ssco",state="loaded"} 0"#,
            r#"dataset_state{dataset="ssco",state="unusable"} 1"#,
            r#"dataset_last_success_timestamp_seconds{dataset="ssco"} 100"#,
            r#"dataset_last_failure_timestamp_seconds{dataset="ssco"} 200"#,
        ] {
            assert!(page().lines().any(|known| known == line), "{line} in\n{}", page());
        }
        assert!(!page().contains("dataset_rows{") && !page().contains("dataset_age_days{"));
    }
}
