//! `kuraka dataset`: lists, shows, imports, updates and rolls back the official datasets, and prints their changes.

mod changes;
mod edition;
mod import;
mod info;
mod list;
pub(super) mod report;
mod rollback;
mod update;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::registry::{AttemptOutcome, DatasetAttempt, record_attempt};
use kuraka_ports::Clock;
use kuraka_registry::PublishResult;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

pub(super) use import::{publish, source_of};
pub(super) use update::run as update;

use super::runtime::Failure;
use crate::cli::Dataset;

pub(crate) fn run(command: Dataset, settings: &Settings) -> Result<(), Failure> {
    match command {
        Dataset::List => list::list(settings),
        Dataset::Info { name, json } => info::info(name, json, settings),
        Dataset::Import(arguments) => import::import(&arguments, settings),
        Dataset::Update { names, force } => update::update(&names, force, settings),
        Dataset::Rollback { name } => rollback::rollback(name, settings),
        Dataset::Changes { name, since, output } => changes::changes(name, since, output, settings),
    }
}

/// Records an import by hand as the last try. A folder that cannot be written has made the import fail already.
pub(super) fn record(
    settings: &Settings,
    dataset: &kuraka_registry::dataset::Dataset,
    result: Result<(PublishResult, &str), &Failure>,
) {
    let outcome = match result {
        Ok((PublishResult::Published, label)) => AttemptOutcome::Published { edition: label.to_owned() },
        Ok((PublishResult::Unchanged, _)) => AttemptOutcome::Unchanged,
        Err(error) => AttemptOutcome::Failed { cause: logs::chain(error.as_ref()) },
    };
    let attempt = DatasetAttempt { at: SystemClock::start().now(), outcome };
    let _ = record_attempt(&settings.registry_dir(), dataset, &attempt);
}
