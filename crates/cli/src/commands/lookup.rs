//! `kuraka lookup`: looks up taxpayers in this machine's editions, as a server answers `/ruc`.

mod answers;
mod file;
mod history;

use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_api::table_row::{FICHA_COLUMNS, SUMMARY_COLUMNS, ficha_cells, summary_cells};
use kuraka_app::{AgeLimits, LookupError, LookupHistory};
use kuraka_domain::{Ruc, TaxpayerProfile};
use kuraka_ports::{Parts, RegistrySnapshot, TaxpayerRegistry, dataset as name};
use kuraka_registry::dataset;
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use self::answers::Source;
use super::runtime::Failure;
use crate::cli::Lookup;
use crate::console;

const HEADING: [&str; 8] = ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DIRECCION", "DEPARTAMENTO", "RETENCION", "BUENO"];
const NO_EDITION: &str = "there is no edition of the padrón: kuraka dataset update downloads it, kuraka dataset import \
                          padron FILE reads a file";

pub(crate) fn run(lookup: &Lookup, settings: &Settings) -> Result<(), Failure> {
    let ages = AgeLimits::new(Arc::new(SystemClock::start()), bootstrap::max_age_days(settings));
    if lookup.history || lookup.date.is_some() {
        let registry = registry(settings, |dataset| dataset.history.is_some())?;
        return history::run(lookup, &LookupHistory::new(Arc::new(registry), ages));
    }
    let registry = registry(settings, |dataset| match lookup.date_column {
        Some(_) => dataset.history.is_some(),
        None => lookup.ficha,
    })?;
    let snapshot = registry.snapshot().ok_or(NO_EDITION)?;
    let stale_days = ages.too_old(name::PADRON, snapshot.edition());
    let history = LookupHistory::new(Arc::new(registry), ages);
    let source =
        Source { snapshot, stale_days, parts: if lookup.ficha { Parts::TABLE } else { Parts::FLAGS }, history };
    match &lookup.file {
        Some(file) => file::run(file, lookup, source),
        None => print(&lookup.rucs, lookup.ficha, &source),
    }
}

/// The editions of this machine that answer: of all enabled datasets, or only of the datasets of the summary.
pub(super) fn open(settings: &Settings, all: bool) -> Result<Arc<dyn RegistrySnapshot>, Failure> {
    let registry = registry(settings, |_| all)?;
    Ok(registry.snapshot().ok_or(NO_EDITION)?)
}

/// The datasets that `/ruc` needs, and the enabled ones that are read too.
fn registry(settings: &Settings, is_read: impl Fn(&dataset::Dataset) -> bool) -> Result<EmbeddedRegistry, Failure> {
    let is_enabled = |name: &str| settings.datasets.enabled.iter().any(|dataset| dataset.name == name);
    let is_needed = |dataset: &&dataset::Dataset| dataset.is_required || is_read(dataset) && is_enabled(dataset.name);
    let needed: Vec<_> = dataset::ALL.iter().copied().filter(is_needed).collect();
    let (registry, skipped) = EmbeddedRegistry::open_with(&settings.datasets_dir(), &needed)?;
    for skipped in skipped {
        console::note(&format!("warning: {} is skipped: {}", skipped.path.display(), logs::chain(&skipped.error)));
    }
    if registry.snapshot().is_none() { Err(NO_EDITION.into()) } else { Ok(registry) }
}

fn print(rucs: &[Ruc], ficha: bool, source: &Source) -> Result<(), Failure> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for ruc in rucs {
        match source.snapshot.profile(*ruc, source.parts)? {
            Some(profile) => found.push(profile),
            None => missing.push(ruc.to_string()),
        }
    }
    if ficha {
        found.iter().for_each(print_ficha);
    } else if !found.is_empty() {
        console::table(HEADING, &found.iter().map(row).collect::<Vec<_>>());
    }
    let edition = &source.snapshot.edition().label;
    match (missing.is_empty(), source.stale_days) {
        (true, _) => Ok(()),
        (false, None) => Err(format!("edition {edition} has no {}", missing.join(", ")).into()),
        (false, Some(age_days)) => {
            let stale = LookupError::StaleMiss { label: Arc::clone(edition), age_days };
            Err(format!("{stale}: {}", missing.join(", ")).into())
        }
    }
}

fn row(profile: &TaxpayerProfile) -> [String; 8] {
    let mut cells = summary_cells(&profile.summary).into_iter().map(str::to_owned);
    let ruc = profile.summary.ruc.to_string();
    std::array::from_fn(|at| if at == 0 { ruc.clone() } else { cells.next().unwrap_or_default() })
}

/// Prints a taxpayer in one line for each field.
fn print_ficha(profile: &TaxpayerProfile) {
    let ruc = profile.summary.ruc.to_string();
    let summary = summary_cells(&profile.summary).map(str::to_owned);
    let cells = summary.into_iter().chain(ficha_cells(profile).map(|cell| cell.into_owned()));
    let fields = SUMMARY_COLUMNS.into_iter().chain(FICHA_COLUMNS).map(str::to_owned).zip(cells);
    let rows: Vec<_> = fields.map(|(name, cell)| [name, cell]).collect();
    console::table(["ruc", &ruc], &rows);
    console::line("");
}
