//! `kuraka registry update`: downloads the lists and the padrón, and publishes an edition of each that has changed.

use kuraka_adapters::registry::update::{Imported, UpdateError};
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, PADRON, RETENCION};
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::report;
use crate::commands::dataset::{self, report as list_report};
use crate::commands::runtime::Failure;
use crate::console;

pub(super) fn update(force: bool, settings: &Settings) -> Result<(), Failure> {
    if settings.datasets.url(&PADRON).is_empty() {
        return Err(UpdateError::NoAddress { dataset: &PADRON }.into());
    }
    // The padrón's importer takes the flags from the lists.
    for list in [&RETENCION, &BUENOS_CONTRIBUYENTES] {
        if settings.datasets.url(list).is_empty() {
            continue;
        }
        match dataset::update(list, force, settings)? {
            Ok(Some(Imported::Dataset(report))) => list_report::print(&report),
            Ok(_) => {}
            Err(error) => console::note(&format!(
                "warning: the list {} stays as it was: {}",
                list.name,
                logs::chain(error.as_ref())
            )),
        }
    }
    match dataset::update(&PADRON, force, settings)?? {
        Some(Imported::Padron(imported)) => report::print(&imported, settings),
        Some(Imported::Dataset(_)) | None => {
            console::line("unchanged: the current edition was built from these files");
        }
    }
    Ok(())
}
