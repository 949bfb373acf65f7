//! `kuraka registry import`: publishes the lists as datasets and then an edition of the padrón, from files or addresses.

use std::sync::Arc;

use kuraka_adapters::registry::update::published_on;
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, PADRON, RETENCION};
use kuraka_registry::{ImportReport, ImportRequest, Origin};
use kuraka_server::settings::Settings;

use super::report;
use crate::cli::Import;
use crate::commands::dataset::{publish, record, report as list_report, source_of};
use crate::commands::progress::ProgressReporter;
use crate::commands::runtime::{Failure, today};

pub(super) fn import(arguments: &Import, settings: &Settings) -> Result<(), Failure> {
    // The padrón's importer takes the flags from the lists.
    for (list, place) in [(&RETENCION, &arguments.withholding), (&BUENOS_CONTRIBUYENTES, &arguments.good_taxpayers)] {
        if let Some(place) = place {
            list_report::print(&publish(list, place, None, arguments.force, settings)?);
        }
    }
    let result = padron(arguments, settings);
    record(settings, &PADRON, result.as_ref().map(|report| (report.outcome, &*report.label)));
    report::print(&result?, settings);
    Ok(())
}

fn padron(arguments: &Import, settings: &Settings) -> Result<ImportReport, Failure> {
    let reporter = Arc::new(ProgressReporter::of(&PADRON));
    let padron = source_of(&PADRON, &arguments.padron, settings, &reporter)?;
    let (date, served_on) = (arguments.edition, published_on(&PADRON, &padron.version, today()));
    let (origin, force) = (Origin::Published, arguments.force);
    let request = ImportRequest { padron, date, served_on, today: today(), origin, force };
    let report = kuraka_registry::import(&settings.registry_dir(), &request, reporter.as_ref());
    reporter.done();
    Ok(report?)
}
