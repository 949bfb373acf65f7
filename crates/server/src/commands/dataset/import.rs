//! `kuraka dataset import`: publishes an edition of any dataset from a file or an address.

use std::fs;
use std::sync::Arc;

use kuraka_adapters::registry::update::published_on;
use kuraka_domain::Date;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{DatasetImport, DatasetReport, Origin, SourceFile};
use kuraka_server::bootstrap;
use kuraka_server::settings::Settings;

use super::attempt::record;
use super::report;
use crate::cli::DatasetFile;
use crate::commands::progress::ProgressReporter;
use crate::commands::runtime::{Failure, block_on, today};

pub(super) fn import(arguments: &DatasetFile, settings: &Settings) -> Result<(), Failure> {
    let DatasetFile { name, file, date, force } = arguments;
    report::print(&publish(name, file, *date, *force, settings)?);
    Ok(())
}

/// Publishes an edition from the file or address `place`, and records the try.
pub(crate) fn publish(
    dataset: &'static Dataset,
    place: &str,
    date: Option<Date>,
    force: bool,
    settings: &Settings,
) -> Result<DatasetReport, Failure> {
    let reporter = Arc::new(ProgressReporter::of(dataset));
    let result = source_of(dataset, place, settings, &reporter).and_then(|source| {
        let served_on = published_on(dataset, &source.version, today());
        let downloaded = is_address(place).then(|| source.path.clone());
        let request = DatasetImport { source, date, served_on, today: today(), origin: Origin::Published, force };
        let report = kuraka_registry::import_dataset(&settings.registry_dir(), dataset, &request, reporter.as_ref());
        if let Some(path) = downloaded.filter(|_| !dataset.is_padron()) {
            // It may have persons' data that the edition does not have.
            fs::remove_file(path)?;
        }
        Ok(report?)
    });
    reporter.done();
    record(settings, dataset, result.as_ref().map(|report| (report.outcome, &*report.label)));
    result
}

/// A local file, or the downloaded file of an address.
pub(crate) fn source_of(
    dataset: &'static Dataset,
    place: &str,
    settings: &Settings,
    reporter: &Arc<ProgressReporter>,
) -> Result<SourceFile, Failure> {
    if !is_address(place) {
        return Ok(SourceFile::local(place));
    }
    block_on(async {
        let updates = bootstrap::dataset_updates(settings, &[dataset])?;
        let update = updates.first().ok_or("the dataset has no update")?;
        Ok(update.fetch(place, reporter.as_ref()).await?)
    })
}

fn is_address(place: &str) -> bool {
    place.starts_with("http://") || place.starts_with("https://")
}
