//! `kuraka dataset`: lists, shows, imports, updates and rolls back the official datasets, and prints their changes.

mod changes;
mod edition;
mod info;
mod list;
mod report;

use std::sync::Arc;

use kuraka_adapters::address::without_secrets;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::update::{ByHand, DatasetUpdate, UpdateError};
use kuraka_registry::dataset::Dataset;
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::progress::ProgressReporter;
use super::runtime::{Failure, block_on};
use crate::cli::{self, DatasetFile};
use crate::console;

pub(crate) fn run(command: cli::Dataset, settings: &Settings) -> Result<(), Failure> {
    match command {
        cli::Dataset::List => list::list(settings),
        cli::Dataset::Info { name, json } => info::info(name, json, settings),
        cli::Dataset::Import(arguments) => import(&arguments, settings),
        cli::Dataset::Update { names, force } => update(&names, force, settings),
        cli::Dataset::Rollback { name } => rollback(name, settings),
        cli::Dataset::Changes { name, since, output } => changes::changes(name, since, output, settings),
    }
}

/// Publishes an edition from a file or an address.
fn import(arguments: &DatasetFile, settings: &Settings) -> Result<(), Failure> {
    let DatasetFile { name, file, date, sha256, force } = arguments;
    let by_hand = ByHand { date: *date, sha256: *sha256, force: *force };
    let report = with_update(name, settings, async |update, clock, progress| {
        let imported = update.import(file, by_hand, &clock, progress).await;
        imported.map_err(|error| -> Failure {
            if let UpdateError::Import(cause) = &error {
                format!("{} is not imported: {}", without_secrets(file), logs::chain(cause)).into()
            } else {
                error.into()
            }
        })
    })?;
    report::print(&report);
    Ok(())
}

/// Updates these datasets, or those that a server with these settings updates. One that fails does not stop the others.
fn update(names: &[&'static Dataset], force: bool, settings: &Settings) -> Result<(), Failure> {
    let chosen = if names.is_empty() { bootstrap::updated(settings) } else { names.to_vec() };
    let mut failed = Vec::new();
    for dataset in chosen {
        let updated = with_update(dataset, settings, async |update, clock, progress| {
            Ok(update.run(&clock, force, progress).await)
        })?;
        match updated {
            Ok(Some(report)) => report::print(&report),
            Ok(None) => {
                console::line(&format!("unchanged: the current edition of {} was built from this file", dataset.name));
            }
            Err(error) => {
                console::note(&format!("warning: {} is not updated: {}", dataset.name, logs::chain(&error)));
                failed.push(dataset.name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not updated: {}", failed.join(", ")).into()) }
}

/// Runs `work` with the update of a dataset, and shows its progress.
fn with_update<T>(
    dataset: &'static Dataset,
    settings: &Settings,
    work: impl AsyncFnOnce(&DatasetUpdate, SystemClock, Arc<ProgressReporter>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let reporter = Arc::new(ProgressReporter::new(dataset.name));
    let result = block_on(async {
        let updates = bootstrap::dataset_updates(settings, &[dataset])?;
        let update = updates.first().ok_or("the dataset has no update")?;
        work(update, SystemClock::start(), Arc::clone(&reporter)).await
    });
    reporter.done();
    result
}

fn rollback(dataset: &'static Dataset, settings: &Settings) -> Result<(), Failure> {
    let moved = kuraka_registry::rollback(&settings.datasets_dir(), dataset)?;
    console::line(&format!(
        "{} of {} is current again; {} is not published again without --force. Running servers switch within 2 s.",
        moved.to, dataset.name, moved.from
    ));
    Ok(())
}
