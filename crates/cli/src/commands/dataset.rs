//! `kuraka dataset`: lists, shows, imports, updates and rolls back the official datasets, and prints their changes.

mod backfill;
mod changes;
mod edition;
mod info;
pub(super) mod list;
mod report;

use std::sync::Arc;

use kuraka_adapters::address::without_secrets;
use kuraka_adapters::datasets::update::{DatasetUpdate, ManualUpdate, MonthOutcome, UpdateError, UpdateProgress};
use kuraka_domain::Ruc;
use kuraka_registry::dataset::{DATOS_ABIERTOS, Dataset, TIPO_DE_CAMBIO};
use kuraka_registry::months::Month;
use kuraka_registry::{ImportError, ImportReport, PublishResult};
use kuraka_server::bootstrap;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use self::backfill::Backfill;
use super::progress::ProgressReporter;
use super::runtime::{Failure, block_on, clock};
use super::{audit, owner};
use crate::cli::{self, DatasetFile};
use crate::console;

pub(crate) fn run(command: cli::Dataset, settings: &Settings) -> Result<(), Failure> {
    match command {
        cli::Dataset::List(form) => list::list(settings, form),
        cli::Dataset::Info { name, form } => info::info(name, form, settings),
        cli::Dataset::Import(arguments) => import(&arguments, settings),
        cli::Dataset::Update { names, force } => update(&names, force, settings),
        cli::Dataset::Backfill { from, force, .. } => backfill(from, force, settings),
        cli::Dataset::Rollback { name } => rollback(name, settings),
        cli::Dataset::Forget { ruc } => forget(ruc, settings),
        cli::Dataset::Changes { name, since, output } => changes::changes(name, since, output, settings),
    }
}

/// Publishes an edition from a file or an address.
fn import(arguments: &DatasetFile, settings: &Settings) -> Result<(), Failure> {
    let DatasetFile { name, file, date, sha256, force } = arguments;
    let manual = ManualUpdate { date: *date, sha256: *sha256, force: *force };
    let report = with_update(name, None, settings, async |update, progress| {
        let imported = update.import(file, manual, &*clock(), progress).await;
        imported.map_err(|error| -> Failure {
            let reason = reason(&error);
            // A failed download names the address itself.
            if matches!(error, UpdateError::Download { .. }) {
                return reason.into();
            }
            format!("{} is not imported as {}: {reason}", without_secrets(file), name.name).into()
        })
    })?;
    report::print(&report);
    note(settings, &report);
    Ok(())
}

fn note(settings: &Settings, report: &ImportReport) {
    if report.outcome == PublishResult::Published {
        let forced: Vec<_> = report.forced.iter().map(|guard| format!("forced: {guard}")).collect();
        let forced = (!forced.is_empty()).then(|| forced.join("; "));
        let object = format!("{} {}", report.dataset.name, report.label);
        audit::note_dataset(settings, "dataset.publish", object, forced);
    }
}

/// From this month on; `force` adds suspicious months.
fn backfill(from: Month, force: bool, settings: &Settings) -> Result<(), Failure> {
    let (address, mut done) = (settings.datasets.url(&DATOS_ABIERTOS), Backfill::default());
    with_update(&DATOS_ABIERTOS, None, settings, async |update, progress| {
        let each = |month: Month, outcome: &MonthOutcome| done.month(month, outcome);
        let read = update.backfill(address, (from, force), &*clock(), progress, each).await;
        read.map_err(|error| reason(&error).into())
    })?;
    done.end(&settings.datasets_dir())
}

/// Updates these datasets, or a server's. A failure does not stop the others.
fn update(names: &[&'static Dataset], force: bool, settings: &Settings) -> Result<(), Failure> {
    let chosen = if names.is_empty() { bootstrap::updated(settings) } else { names.to_vec() };
    let (mut published, mut unchanged, mut failed) = (0, 0, Vec::new());
    for (at, &dataset) in chosen.iter().enumerate() {
        let position = (chosen.len() > 1).then_some((at + 1, chosen.len()));
        let updated = if dataset.has_editions() {
            update_edition(dataset, position, force, settings)
        } else {
            update_rates(settings)
        };
        match updated? {
            Ok(PublishResult::Published) => published += 1,
            Ok(PublishResult::Unchanged) => unchanged += 1,
            Err(reason) => {
                console::note(&format!("warning: {} is not updated: {reason}", dataset.name));
                failed.push(dataset.name);
            }
        }
    }
    let (all, not) = (chosen.len(), failed.len());
    if all > 1 {
        console::note(&format!("{all} datasets: {published} published, {unchanged} unchanged, {not} not updated"));
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not updated: {}", failed.join(", ")).into()) }
}

/// What was done, or why not.
type Updated = Result<PublishResult, String>;

fn update_edition(
    dataset: &'static Dataset,
    position: Option<(usize, usize)>,
    force: bool,
    settings: &Settings,
) -> Result<Updated, Failure> {
    let updated = with_update(dataset, position, settings, async |update, progress| {
        Ok(update.run(&*clock(), force, progress).await)
    })?;
    Ok(updated.map_err(|error| reason(&error)).map(|report| match report {
        Some(report) => {
            report::print(&report);
            note(settings, &report);
            report.outcome
        }
        None => {
            console::line(&format!("unchanged: the active edition of {} was built from this file", dataset.name));
            PublishResult::Unchanged
        }
    }))
}

/// Asks both sources of the exchange rates, or the builder.
fn update_rates(settings: &Settings) -> Result<Updated, Failure> {
    owner::check_datasets(settings)?;
    let updated = block_on(async { Ok(bootstrap::rate_update(settings)?.run(&*clock(), true).await) })?;
    let name = TIPO_DE_CAMBIO.name;
    Ok(updated.map_err(|error| logs::chain(&error)).map(|report| match report {
        Some(record) => {
            let label = &record.edition.label;
            audit::note_dataset(settings, "dataset.publish", format!("{name} {label}"), None);
            console::line(&format!("published {label} of {name}"));
            PublishResult::Published
        }
        None => {
            console::line(&format!("unchanged: the sources of {name} say nothing new"));
            PublishResult::Unchanged
        }
    }))
}

/// Why a dataset is not updated, without what the command says itself.
fn reason(error: &UpdateError) -> String {
    if let UpdateError::Import(ImportError::Guard { guard, .. }) = error {
        format!("{guard}; --force publishes it")
    } else if let UpdateError::Import(ImportError::Read(error)) = error {
        logs::chain(&error.problem)
    } else if let UpdateError::Download { source, .. } = error {
        logs::chain(source)
    } else {
        logs::chain(error)
    }
}

/// Runs `work` with the update of a dataset, and shows its progress.
fn with_update<T>(
    dataset: &'static Dataset,
    position: Option<(usize, usize)>,
    settings: &Settings,
    work: impl AsyncFnOnce(&DatasetUpdate, Arc<ProgressReporter>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    owner::check_datasets(settings)?;
    let reporter = Arc::new(ProgressReporter::new(dataset.name, position));
    if position.is_some() {
        reporter.received(0, None);
    }
    let result = block_on(async {
        let updates = bootstrap::dataset_updates(settings, &[dataset])?;
        let update = updates.first().ok_or("the dataset has no update")?;
        work(update, Arc::clone(&reporter)).await
    });
    reporter.done();
    result
}

fn forget(ruc: Ruc, settings: &Settings) -> Result<(), Failure> {
    owner::check_datasets(settings)?;
    let lists = kuraka_registry::forget(&settings.datasets_dir(), ruc)?;
    console::line(&format!(
        "the past of {ruc} is forgotten: it was in {lists} change lists. Run this on every other server too; backups and the \
         last 30 days of webhook deliveries are not changed."
    ));
    // Without the RUC.
    audit::note_dataset(settings, "dataset.forget", format!("a person, {lists} change lists"), None);
    Ok(())
}

fn rollback(dataset: &'static Dataset, settings: &Settings) -> Result<(), Failure> {
    owner::check_datasets(settings)?;
    let moved = kuraka_registry::rollback(&settings.datasets_dir(), dataset)?;
    console::line(&format!(
        "{} of {} is current again; {} is not published again without --force. Running servers switch within 2 s.",
        moved.to, dataset.name, moved.from
    ));
    if let Some(error) = &moved.history_error {
        console::note(&format!("The history was not extended: {}", logs::chain(error)));
    }
    let object = format!("{} {}", dataset.name, moved.to);
    audit::note_dataset(settings, "dataset.rollback", object, None);
    Ok(())
}
