//! `kuraka dataset list`: every dataset with state, edition and last attempt, as in `/readyz`.

use std::collections::BTreeMap;
use std::sync::Arc;

use indicatif::HumanCount;
use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry};
use kuraka_domain::DatasetRole;
use kuraka_ports::{AttemptOutcome, DatasetState, DatasetStatus, Datasets};
use kuraka_registry::dataset;
use kuraka_server::admin::DatasetRecord;
use kuraka_server::bootstrap::max_age_days;
use kuraka_server::settings::Settings;
use serde::Serialize;

use super::edition::rolled_back_from;
use crate::cli::Form;
use crate::commands::runtime::{Failure, clock};
use crate::console;

/// The longest row has fewer than 100 characters.
const HEADING: [&str; 7] = ["NAME", "DATE", "AGE", "ROWS", "STATE", "LAST ATTEMPT", "RESULT"];

/// A dataset as the list prints it.
#[derive(Serialize)]
pub(in crate::commands) struct Record {
    #[serde(flatten)]
    pub(in crate::commands) dataset: DatasetRecord,
    #[serde(skip)]
    pub(in crate::commands) role: DatasetRole,
    /// The edition that an operator rolled back from, until a later one is published.
    rolled_back_from: Option<String>,
}

/// Also if an enabled dataset needs the operator.
pub(super) fn list(settings: &Settings, form: Form) -> Result<(), Failure> {
    let records = records(settings)?;
    console::list(form, &records, HEADING, Record::cells)?;
    if !form.json {
        records.iter().flat_map(Record::remarks).for_each(|remark| console::line(&remark));
    }
    let mut problems: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (record, problem) in records.iter().filter_map(|record| Some((record, record.problem()?))) {
        problems.entry(problem).or_default().push(record.dataset.name);
    }
    let problems: Vec<_> = problems.iter().map(|(problem, names)| format!("{problem}: {}", names.join(", "))).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ").into()) }
}

/// Every dataset; verifies the active editions' checksums.
pub(in crate::commands) fn records(settings: &Settings) -> Result<Vec<Record>, Failure> {
    let folder = settings.datasets_dir();
    let (registry, _) = EmbeddedRegistry::open_with(&folder, &settings.datasets.enabled)?;
    let statuses = DatasetStatuses::new(Arc::new(registry), folder, clock(), max_age_days(settings)).statuses();
    let record = |status: DatasetStatus| {
        let rolled_back_from = rolled_back_from(dataset::named(status.name)?, settings)?;
        Ok(Record { role: status.role, dataset: status.into(), rolled_back_from })
    };
    statuses.into_iter().map(record).collect()
}

impl Record {
    fn cells(&self) -> [String; 7] {
        let missing = || "-".to_owned();
        let attempt = self.dataset.last_attempt.as_ref();
        let is_loaded = self.dataset.state == DatasetState::Loaded.as_str();
        let state = match self.dataset.state {
            _ if is_loaded && self.dataset.is_too_old => "too old",
            _ if is_loaded && self.rolled_back_from.is_some() => "rolled back",
            _ if is_loaded && self.dataset.is_sample => "sample",
            state => state,
        };
        [
            self.dataset.name.to_owned(),
            self.dataset.date.map_or_else(missing, |date| date.to_string()),
            self.dataset.age_days.map_or_else(missing, |days| format!("{days} d")),
            self.dataset.rows.map_or_else(missing, |rows| HumanCount(rows).to_string()),
            state.to_owned(),
            attempt.map_or_else(missing, |attempt| format!("{:.0}", attempt.at)),
            attempt.map_or_else(missing, |attempt| attempt.outcome.as_str().to_owned()),
        ]
    }

    /// What the table has no room for.
    fn remarks(&self) -> impl Iterator<Item = String> {
        let name = self.dataset.name;
        let rolled_back = self.rolled_back_from.as_ref();
        let rolled_back = rolled_back.map(|label| format!("{name}: edition {label} was rolled back"));
        rolled_back.into_iter().chain(self.cause().map(|cause| format!("{name}: {cause}")))
    }

    /// Why the last attempt failed, without the name of the dataset at its beginning.
    fn cause(&self) -> Option<&str> {
        let AttemptOutcome::Failed { cause, .. } = &self.dataset.last_attempt.as_ref()?.outcome else { return None };
        let cause = cause.strip_prefix(self.dataset.name).map_or(&**cause, |rest| rest.trim_start_matches([':', ' ']));
        Some(cause)
    }

    /// What needs the operator; `None` also if the dataset is not enabled.
    pub(in crate::commands) fn problem(&self) -> Option<&'static str> {
        let is = |state: DatasetState| self.dataset.state == state.as_str();
        if is(DatasetState::NotEnabled) {
            None
        } else if is(DatasetState::NeverImported) {
            Some("never imported")
        } else if !is(DatasetState::Loaded) {
            Some("damaged")
        } else if self.dataset.is_too_old {
            Some("too old")
        } else {
            self.cause().map(|_| "not updated at the last attempt")
        }
    }
}
