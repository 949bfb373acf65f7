//! `kuraka registry import`: builds and publishes an edition from files or addresses.

use std::sync::Arc;

use kuraka_registry::{DatasetImport, ImportRequest, List, Origin, SourceFile, import_dataset};
use kuraka_server::bootstrap;
use kuraka_server::settings::Settings;

use super::progress::ProgressReporter;
use super::report;
use crate::cli::Import;
use crate::commands::runtime::{Failure, block_on, today};

pub(super) fn import(arguments: &Import, settings: &Settings) -> Result<(), Failure> {
    let reporter = Arc::new(ProgressReporter::new());
    let source = |name, place: &str| source(name, place, settings, &reporter);
    let lists = [(List::WITHHOLDING_AGENTS, &arguments.withholding), (List::GOOD_TAXPAYERS, &arguments.good_taxpayers)];
    let (folder, today, origin, force) = (settings.registry_dir(), today(), Origin::Published, arguments.force);
    let padron = source("padron", &arguments.padron)?;
    for (list, place) in lists {
        let Some(place) = place else { continue };
        let request = DatasetImport { source: source(list.code, place)?, date: None, today, origin, force };
        import_dataset(&folder, list.dataset(), &request, reporter.as_ref())?;
    }
    let request = ImportRequest { padron, date: arguments.edition, today, origin, force };
    let report = kuraka_registry::import(&folder, &request, reporter.as_ref());
    reporter.done();
    report::print(&report?);
    Ok(())
}

/// A local file, or the downloaded file of an address.
fn source(
    name: &'static str,
    place: &str,
    settings: &Settings,
    reporter: &Arc<ProgressReporter>,
) -> Result<SourceFile, Failure> {
    if !place.starts_with("http://") && !place.starts_with("https://") {
        return Ok(SourceFile::local(place));
    }
    block_on(async { Ok(bootstrap::registry_update(settings)?.fetch(name, place, reporter.as_ref()).await?) })
}
