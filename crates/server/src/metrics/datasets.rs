//! The metrics of the datasets.

use kuraka_panel::dataset_status::{AttemptResult, DatasetState, DatasetStatus};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

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
        let labels = DatasetLabels { dataset: status.name };
        for state in DatasetState::ALL {
            let labels = StateLabels { dataset: status.name, state: state.as_str() };
            self.states.get_or_create(&labels).set((state == status.state).into());
        }
        match &status.edition {
            Some(edition) => {
                self.rows.get_or_create(&labels).set(i64::try_from(edition.rows).unwrap_or(i64::MAX));
                self.age_days.get_or_create(&labels).set(edition.age_days.into());
            }
            None => {
                self.rows.remove(&labels);
                self.age_days.remove(&labels);
            }
        }
        if let Some(attempt) = status.last_attempt {
            let gauge = match attempt.result {
                AttemptResult::Updated | AttemptResult::Unchanged => &self.last_success,
                AttemptResult::Failed => &self.last_failure,
            };
            gauge.get_or_create(&labels).set(attempt.at.as_second());
        }
    }
}

#[cfg(test)]
mod tests {
    use kuraka_domain::Date;
    use kuraka_panel::dataset_status::{DatasetAttempt, DatasetEdition};
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
        let attempt = |at: &str, result| Some(DatasetAttempt { at: at.parse().unwrap(), result });
        let date = Date::parse("2026-10-31").unwrap();
        let mut status = DatasetStatus {
            name: "ssco",
            title: "",
            attribution: "",
            state: DatasetState::Loaded,
            edition: Some(DatasetEdition { label: String::new(), date, age_days: 20, rows: 110, is_sample: false }),
            is_overdue: false,
            last_attempt: attempt("1970-01-01T00:01:40Z", AttemptResult::Unchanged),
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
        status.state = DatasetState::Unusable;
        status.edition = None;
        status.last_attempt = attempt("1970-01-01T00:03:20Z", AttemptResult::Failed);
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
