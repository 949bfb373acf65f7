//! `kuraka registry import`: an edition out of given files or addresses.

use std::sync::Arc;

use kuraka_registry::{ImportRequest, Origin, SourceFile};
use kuraka_server::settings::Settings;
use kuraka_server::wiring;

use super::progress::Teller;
use super::{report, today};
use crate::cli::Import;
use crate::commands::{Failure, block_on};

pub(super) fn import(arguments: &Import, settings: &Settings) -> Result<(), Failure> {
    let teller = Arc::new(Teller::new());
    let source = |name, place: &str| source(name, place, settings, &teller);
    let list = |name, place: &Option<String>| place.as_deref().map(|place| source(name, place)).transpose();
    let request = ImportRequest {
        padron: source("padron", &arguments.padron)?,
        withholding: list("withholding", &arguments.withholding)?,
        good_taxpayers: list("good_taxpayers", &arguments.good_taxpayers)?,
        date: arguments.edition,
        today: today(),
        origin: Origin::Published,
        force: arguments.force,
    };
    let report = kuraka_registry::import(&settings.registry_dir(), &request, teller.as_ref());
    teller.done();
    report::print(&report?);
    Ok(())
}

/// A file as it is, or an address after its file was fetched.
fn source(name: &'static str, place: &str, settings: &Settings, teller: &Arc<Teller>) -> Result<SourceFile, Failure> {
    if !place.starts_with("http://") && !place.starts_with("https://") {
        return Ok(SourceFile::local(place));
    }
    block_on(async { Ok(wiring::registry_update(settings)?.fetch(name, place, teller.as_ref()).await?) })
}
