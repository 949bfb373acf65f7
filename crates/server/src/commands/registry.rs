//! `kuraka registry`: imports, updates, shows, queries and rolls back editions of the padrón.

mod fetch;
mod import;
mod info;
pub(super) mod report;
mod update;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::TaxpayerRegistry;
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, RETENCION};
use kuraka_server::settings::Settings;

use super::runtime::Failure;
use crate::cli::Registry;
use crate::console;

pub(crate) fn run(command: Registry, settings: &Settings) -> Result<(), Failure> {
    match command {
        Registry::Import(arguments) => import::import(&arguments, settings),
        Registry::Update(arguments) => update::update(arguments.force, settings),
        Registry::Fetch(arguments) => fetch::fetch(&arguments, settings),
        Registry::Info { json } => info::info(json, settings),
        Registry::Lookup { rucs } => lookup(&rucs, settings),
        Registry::Rollback => rollback(settings),
    }
}

fn lookup(rucs: &[Ruc], settings: &Settings) -> Result<(), Failure> {
    // As a server answers: a list's own edition may be newer than the padrón's flags.
    let (registry, _) = EmbeddedRegistry::open_with(&settings.registry_dir(), &[&RETENCION, &BUENOS_CONTRIBUYENTES])?;
    let snapshot =
        registry.snapshot().ok_or("the registry has no edition: run kuraka registry update, or import or fetch one")?;
    let mut missing = Vec::new();
    let mut rows = Vec::new();
    for ruc in rucs {
        match snapshot.lookup(*ruc)? {
            Some(taxpayer) => rows.push(row(&taxpayer)),
            None => missing.push(ruc.to_string()),
        }
    }
    if !rows.is_empty() {
        let heading = ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DIRECCION", "DEPARTAMENTO", "RETENCION", "BUENO"];
        console::table(heading, &rows);
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("edition {} has no {}", snapshot.edition().label, missing.join(", ")).into())
    }
}

fn row(taxpayer: &TaxpayerSummary) -> [String; 8] {
    let flag = |set| if set { "SI" } else { "NO" }.to_owned();
    [
        taxpayer.ruc.to_string(),
        taxpayer.name.clone(),
        taxpayer.status.to_string(),
        taxpayer.condition.to_string(),
        taxpayer.address.clone(),
        taxpayer.department().to_owned(),
        flag(taxpayer.withholding_agent),
        flag(taxpayer.good_taxpayer),
    ]
}

fn rollback(settings: &Settings) -> Result<(), Failure> {
    let moved = kuraka_registry::rollback(&settings.registry_dir())?;
    console::line(&format!(
        "{} is current again; {} is not published again without --force. Running servers switch within 2 s.",
        moved.to, moved.from
    ));
    console::line("The lists are datasets of their own: kuraka dataset rollback NAME goes back with one.");
    Ok(())
}
