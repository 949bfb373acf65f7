//! `kuraka dataset list`: every dataset with its current edition and the last try at updating it.

use indicatif::HumanCount;
use kuraka_adapters::registry::last_attempt;
use kuraka_registry::Origin;
use kuraka_registry::dataset::{self, Dataset};
use kuraka_server::settings::Settings;

use super::edition::kept;
use crate::commands::runtime::Failure;
use crate::console;

const HEADING: [&str; 8] = ["NAME", "DATE", "AGE", "ROWS", "STATE", "LAST TRY", "RESULT", "TITLE"];

pub(super) fn list(settings: &Settings) -> Result<(), Failure> {
    let rows = dataset::ALL.into_iter().map(|dataset| row(dataset, settings)).collect::<Result<Vec<_>, _>>()?;
    console::table(HEADING, &rows);
    Ok(())
}

fn row(dataset: &Dataset, settings: &Settings) -> Result<[String; 8], Failure> {
    let missing = || "-".to_owned();
    let current = kept(dataset, settings)?.into_iter().find(|kept| kept.current);
    let state = match current.as_ref().map(|edition| edition.origin) {
        None => "never imported",
        Some(Origin::Published) => "current",
        Some(Origin::Sample) => "current, sample",
    };
    let enabled = if settings.datasets.is_enabled(dataset) { "" } else { ", not enabled" };
    let tried = last_attempt(&settings.registry_dir(), dataset);
    Ok([
        dataset.name.to_owned(),
        current.as_ref().map_or_else(missing, |edition| edition.date.to_string()),
        current.as_ref().map_or_else(missing, |edition| format!("{} d", edition.age_days)),
        current.as_ref().map_or_else(missing, |edition| HumanCount(edition.rows).to_string()),
        format!("{state}{enabled}"),
        tried.as_ref().map_or_else(missing, |tried| tried.at.to_string()),
        tried.map_or_else(missing, |tried| tried.outcome.to_string()),
        dataset.title.to_owned(),
    ])
}
