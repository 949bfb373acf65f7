//! `kuraka registry update`: downloads SUNAT's files, and publishes an edition if they have changed.

use std::sync::Arc;

use kuraka_adapters::registry::update::{RegistryUpdate, UpdateProgress, Updated};
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::progress::ProgressReporter;
use super::report;
use crate::commands::runtime::{Failure, block_on, today};
use crate::console;

impl UpdateProgress for ProgressReporter {
    fn received(&self, file: &'static str, bytes: u64, total: Option<u64>) {
        Self::received(self, file, bytes, total);
    }
}

pub(super) fn update(force: bool, settings: &Settings) -> Result<(), Failure> {
    let reporter = Arc::new(ProgressReporter::new());
    let result = block_on(async {
        let update: RegistryUpdate = bootstrap::registry_update(settings)?;
        Ok(update.run(today(), force, reporter.clone()).await)
    })?;
    reporter.done();
    let Updated { imported, missing_lists } = result?;
    for (list, error) in &missing_lists {
        console::note(&format!(
            "warning: the list of {} is carried over as it was: {}",
            list.title,
            logs::chain(error)
        ));
    }
    match imported {
        Some(imported) => report::print(&imported),
        None => console::line("unchanged: the current edition was built from these files"),
    }
    Ok(())
}
