//! `kuraka lookup`: looks up taxpayers in this machine's editions, as a server answers `/ruc`.

mod answers;
mod file;
mod history;

use std::borrow::Cow;
use std::sync::Arc;

use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry};
use kuraka_api::table_row::TaxpayerColumns;
use kuraka_app::{AgeLimits, HistoryError, ListItem, LookupError, RegistryBatch};
use kuraka_ports::{Datasets, ProfileParts, RegistrySnapshot, SnapshotDataset, TaxpayerRegistry};
use kuraka_registry::dataset;
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::runtime::{Failure, clock};
use crate::cli::Lookup;
use crate::cli::lookup::RowsForm;
use crate::console;

const HEADING: [&str; 8] = ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DIRECCION", "DEPARTAMENTO", "RETENCION", "BUENO"];
pub(super) const NO_EDITION: &str = "there is no edition of the padrón: kuraka dataset update downloads it, kuraka dataset import \
                          padron FILE reads a file";

pub(crate) fn run(lookup: &Lookup, settings: &Settings) -> Result<(), Failure> {
    let is_dated = lookup.history || lookup.date.is_some() || lookup.date_column.is_some();
    let is_workbook = lookup.output == RowsForm::Xlsx;
    let is_read = |dataset: &dataset::Dataset| if is_dated { dataset.history.is_some() } else { lookup.ficha };
    let registry = Arc::new(registry(settings, |dataset| is_workbook || is_read(dataset))?);
    let (clock, limits) = (clock(), bootstrap::max_age_days(settings));
    let ages = AgeLimits::new(Arc::clone(&clock), limits.clone());
    let batch = RegistryBatch::new(registry.snapshot().ok_or(NO_EDITION)?, ages);
    if lookup.history || lookup.date.is_some() {
        return history::run(lookup, &batch);
    }
    if !is_dated {
        check_lists(&*batch.snapshot)?;
    }
    let parts = if lookup.ficha { ProfileParts::TABLE } else { ProfileParts::FLAGS };
    match &lookup.file {
        Some(file) if is_workbook => {
            let now = clock.now();
            let statuses = DatasetStatuses::new(registry, settings.datasets_dir(), clock, limits).statuses();
            file::write_workbook(file, lookup, &batch, (&statuses, now))
        }
        Some(file) => file::run(file, lookup, batch, parts),
        None => print(lookup, &batch, parts),
    }
}

/// The editions of all enabled datasets, or only the summary's.
pub(super) fn open(settings: &Settings, all: bool) -> Result<Arc<dyn RegistrySnapshot>, Failure> {
    let registry = registry(settings, |_| all)?;
    Ok(registry.snapshot().ok_or(NO_EDITION)?)
}

/// Checks that the lists of the flags are here.
pub(super) fn check_lists(snapshot: &dyn RegistrySnapshot) -> Result<(), Failure> {
    let Some(SnapshotDataset { name, .. }) = snapshot.missing_list() else { return Ok(()) };
    let error = format!(
        "there is no usable edition of {name}: kuraka dataset update {name} downloads it, kuraka dataset import {name} \
         FILE reads a file; if datasets.enabled leaves it out, its field is empty"
    );
    Err(error.into())
}

/// The enabled datasets that `/ruc` needs, and those that are read too.
fn registry(settings: &Settings, is_read: impl Fn(&dataset::Dataset) -> bool) -> Result<EmbeddedRegistry, Failure> {
    let is_enabled = |name: &str| settings.datasets.enabled.iter().any(|dataset| dataset.name == name);
    let is_needed = |dataset: &&dataset::Dataset| is_enabled(dataset.name) && (dataset.is_required || is_read(dataset));
    let needed: Vec<_> = dataset::ALL.iter().copied().filter(is_needed).collect();
    let (registry, skipped) = EmbeddedRegistry::open_with(&settings.datasets_dir(), &needed)?;
    for skipped in skipped {
        console::note(&format!("warning: {} is skipped: {}", skipped.path.display(), logs::chain(&skipped.error)));
    }
    if registry.snapshot().is_none() { Err(NO_EDITION.into()) } else { Ok(registry) }
}

fn print(lookup: &Lookup, batch: &RegistryBatch, parts: ProfileParts) -> Result<(), Failure> {
    let (mut found, mut missing, mut stale) = (Vec::new(), Vec::new(), None);
    let columns = TaxpayerColumns { ficha: lookup.ficha, days: false };
    let cells = |taxpayer: &_| columns.cells(taxpayer).into_iter().map(Cow::into_owned).collect::<Vec<_>>();
    let items: Vec<ListItem> = lookup.rucs.iter().map(|ruc| (*ruc, None)).collect();
    for (ruc, answer) in lookup.rucs.iter().zip(batch.answers(&items, parts)) {
        match answer {
            Ok(Some(taxpayer)) => found.push((ruc.to_string(), cells(&taxpayer))),
            Ok(None) => missing.push(ruc.to_string()),
            Err(HistoryError::Registry(error @ LookupError::StaleMiss { .. })) => {
                missing.push(ruc.to_string());
                stale = Some(error);
            }
            Err(HistoryError::Registry(LookupError::Registry(error))) => return Err(error.into()),
            Err(error) => return Err(error.into()),
        }
    }
    if lookup.ficha {
        for (ruc, cells) in found {
            let rows: Vec<_> = columns.names().map(str::to_owned).zip(cells).map(Into::into).collect();
            console::table(["ruc", &ruc], &rows);
            console::line("");
        }
    } else if !found.is_empty() {
        let row = |(ruc, cells): (String, Vec<String>)| {
            let mut cells = std::iter::once(ruc).chain(cells);
            HEADING.map(|_| cells.next().unwrap_or_default())
        };
        console::table(HEADING, &found.into_iter().map(row).collect::<Vec<_>>());
    }
    let missing = missing.join(", ");
    match stale {
        None if missing.is_empty() => Ok(()),
        None => Err(format!("edition {} has no {missing}", batch.snapshot.edition().label).into()),
        Some(stale) => Err(format!("{stale}: {missing}").into()),
    }
}
