//! `kuraka dataset`: lists, shows, imports, updates and rolls back the official datasets, and prints their changes.

mod attempt;
mod changes;
mod edition;
mod import;
mod info;
mod list;
pub(super) mod report;
mod rollback;
mod update;

use kuraka_server::settings::Settings;

pub(super) use attempt::record;
pub(super) use import::{publish, source_of};
pub(super) use update::run as update;

use super::runtime::Failure;
use crate::cli::Dataset;

pub(crate) fn run(command: Dataset, settings: &Settings) -> Result<(), Failure> {
    match command {
        Dataset::List => list::list(settings),
        Dataset::Info { name, json } => info::info(name, json, settings),
        Dataset::Import(arguments) => import::import(&arguments, settings),
        Dataset::Update { names, force } => update::update(&names, force, settings),
        Dataset::Rollback { name } => rollback::rollback(name, settings),
        Dataset::Changes { name, since, output } => changes::changes(name, since, output, settings),
    }
}
