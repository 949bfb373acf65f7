//! `kuraka dataset list`: every dataset with its current edition and the last attempt to update it.

use indicatif::HumanCount;
use kuraka_adapters::datasets::last_attempt;
use kuraka_ports::{AttemptOutcome, DatasetAttempt};
use kuraka_registry::Origin;
use kuraka_registry::dataset::{self, Dataset};
use kuraka_server::settings::Settings;

use super::edition::kept;
use crate::commands::runtime::Failure;
use crate::console;

/// With every cell at its longest, a row has fewer than 100 characters.
const HEADING: [&str; 7] = ["NAME", "DATE", "AGE", "ROWS", "STATE", "LAST ATTEMPT", "RESULT"];

pub(super) fn list(settings: &Settings) -> Result<(), Failure> {
    let (mut rows, mut causes) = (Vec::new(), Vec::new());
    for dataset in dataset::ALL {
        let attempt = last_attempt(&settings.datasets_dir(), dataset);
        rows.push(row(dataset, attempt.as_ref(), settings)?);
        if let Some(DatasetAttempt { outcome: AttemptOutcome::Failed { cause }, .. }) = attempt {
            causes.push(format!("{}: {cause}", dataset.name));
        }
    }
    console::table(HEADING, &rows);
    for cause in causes {
        console::line(&cause);
    }
    Ok(())
}

/// The cells of a dataset.
fn row(
    dataset: &'static Dataset,
    attempt: Option<&DatasetAttempt>,
    settings: &Settings,
) -> Result<[String; 7], Failure> {
    let missing = || "-".to_owned();
    let current = kept(dataset, settings)?.into_iter().find(|kept| kept.current);
    let current = current.as_ref();
    let limit = settings.datasets.max_age_days(dataset).and_then(|days| i32::try_from(days).ok());
    let is_too_old = |age_days| limit.is_some_and(|limit| age_days > limit);
    let state = match current.map(|edition| (edition.origin, edition.age_days)) {
        _ if !settings.datasets.is_enabled(dataset) => "not enabled",
        None => "never imported",
        Some((Origin::Published, age_days)) if is_too_old(age_days) => "too old",
        Some((Origin::Published, _)) => "current",
        Some((Origin::Sample, _)) => "sample",
    };
    Ok([
        dataset.name.to_owned(),
        current.map_or_else(missing, |edition| edition.date.to_string()),
        current.map_or_else(missing, |edition| format!("{} d", edition.age_days)),
        current.map_or_else(missing, |edition| HumanCount(edition.rows).to_string()),
        state.to_owned(),
        attempt.map_or_else(missing, |attempt| format!("{:.0}", attempt.at)),
        attempt.map_or_else(missing, |attempt| attempt.outcome.as_str().to_owned()),
    ])
}
