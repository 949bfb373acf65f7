//! `kuraka dataset list`: every dataset with its current edition and the last try at updating it.

use indicatif::HumanCount;
use kuraka_adapters::registry::{AttemptOutcome, DatasetAttempt, last_attempt};
use kuraka_domain::Date;
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::{List, ListMeta, Origin};
use kuraka_server::settings::Settings;

use super::edition::{age_days, kept};
use crate::commands::runtime::Failure;
use crate::console;

/// With every cell at its longest, a row has fewer than 100 characters.
const HEADING: [&str; 7] = ["NAME", "DATE", "AGE", "ROWS", "STATE", "LAST TRY", "RESULT"];

pub(super) fn list(settings: &Settings) -> Result<(), Failure> {
    let padron = kuraka_registry::editions(&settings.registry_dir())?.into_iter().find(|kept| kept.current);
    let lists = padron.map(|padron| padron.meta.lists).unwrap_or_default();
    let (mut rows, mut causes) = (Vec::new(), Vec::new());
    for dataset in dataset::ALL {
        let in_padron = List::ALL.into_iter().find(|list| list.dataset().name == dataset.name);
        let tried = last_attempt(&settings.registry_dir(), dataset);
        rows.push(row(dataset, in_padron.and_then(|list| lists.get(&list)), tried.as_ref(), settings)?);
        if let Some(DatasetAttempt { outcome: AttemptOutcome::Failed { cause }, .. }) = tried {
            causes.push(format!("{}: {cause}", dataset.name));
        }
    }
    console::table(HEADING, &rows);
    for cause in causes {
        console::line(&cause);
    }
    Ok(())
}

/// The cells of a dataset. `in_padron` is the list in the padrón's edition, whose flags answer for a list that has no
/// edition of its own.
fn row(
    dataset: &Dataset,
    in_padron: Option<&ListMeta>,
    tried: Option<&DatasetAttempt>,
    settings: &Settings,
) -> Result<[String; 7], Failure> {
    let missing = || "-".to_owned();
    let current = kept(dataset, settings)?.into_iter().find(|kept| kept.current);
    let edition = current.as_ref().map(|edition| (edition.date, edition.rows));
    let listed = || in_padron.and_then(|list| Some((Date::parse(list.edition.get(..10)?).ok()?, list.count)));
    let (date, rows) = edition.or_else(listed).unzip();
    let state = match current.map(|edition| edition.origin) {
        _ if !settings.datasets.is_enabled(dataset) => "not enabled",
        None if in_padron.is_some() => "in the padrón",
        None => "never imported",
        Some(Origin::Published) => "current",
        Some(Origin::Sample) => "sample",
    };
    Ok([
        dataset.name.to_owned(),
        date.map_or_else(missing, |date| date.to_string()),
        date.map_or_else(missing, |date| format!("{} d", age_days(date))),
        rows.map_or_else(missing, |rows| HumanCount(rows).to_string()),
        state.to_owned(),
        tried.map_or_else(missing, |tried| format!("{:.0}", tried.at)),
        tried.map_or_else(missing, |tried| tried.outcome.as_str().to_owned()),
    ])
}
