//! `kuraka dataset update`: downloads what has changed, and publishes new editions.

use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::registry::update::Imported;
use kuraka_registry::dataset::Dataset;
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::report;
use crate::commands::progress::ProgressReporter;
use crate::commands::registry::report as padron_report;
use crate::commands::runtime::{Failure, block_on};
use crate::console;

/// Updates these datasets, or those that a server with these settings updates. One that fails does not stop the others.
pub(super) fn update(names: &[&'static Dataset], force: bool, settings: &Settings) -> Result<(), Failure> {
    let mut chosen: Vec<&'static Dataset> = match names {
        [] => bootstrap::updated(settings),
        names => names.to_vec(),
    };
    bootstrap::in_order_of_update(&mut chosen);
    let mut failed = Vec::new();
    for dataset in chosen {
        match run(dataset, force, settings)? {
            Ok(Some(Imported::Padron(report))) => padron_report::print(&report, settings),
            Ok(Some(Imported::Dataset(report))) => report::print(&report),
            Ok(None) => {
                console::line(&format!("unchanged: the current edition of {} was built from this file", dataset.name));
            }
            Err(error) => {
                console::note(&format!("warning: {} is not updated: {}", dataset.name, logs::chain(error.as_ref())));
                failed.push(dataset.name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not updated: {}", failed.join(", ")).into()) }
}

/// Updates one dataset. The outer error stops all updates.
pub(crate) fn run(
    dataset: &'static Dataset,
    force: bool,
    settings: &Settings,
) -> Result<Result<Option<Imported>, Failure>, Failure> {
    let reporter = Arc::new(ProgressReporter::of(dataset));
    let result = block_on(async {
        let updates = bootstrap::dataset_updates(settings, &[dataset])?;
        let update = updates.first().ok_or("the dataset has no update")?;
        Ok(update.run(&SystemClock::start(), force, reporter.clone()).await)
    });
    reporter.done();
    Ok(result?.map_err(Failure::from))
}
