//! `kuraka lookup`: looks up taxpayers in this machine's editions, as a server answers `/ruc`.

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::{Parts, TaxpayerRegistry};
use kuraka_registry::dataset;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::runtime::Failure;
use crate::console;

const HEADING: [&str; 8] = ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DIRECCION", "DEPARTAMENTO", "RETENCION", "BUENO"];

pub(crate) fn lookup(rucs: &[Ruc], settings: &Settings) -> Result<(), Failure> {
    let needed: Vec<_> = dataset::ALL.iter().copied().filter(|dataset| dataset.is_required).collect();
    let (registry, skipped) = EmbeddedRegistry::open_with(&settings.datasets_dir(), &needed)?;
    for skipped in skipped {
        console::note(&format!("warning: {} is skipped: {}", skipped.path.display(), logs::chain(&skipped.error)));
    }
    let snapshot = registry.snapshot().ok_or(
        "there is no edition of the padrón: kuraka dataset update downloads it, kuraka dataset import padron FILE \
         reads a file",
    )?;
    let (mut rows, mut missing) = (Vec::new(), Vec::new());
    for ruc in rucs {
        match snapshot.profile(*ruc, Parts::FLAGS)? {
            Some(profile) => rows.push(row(&profile.summary)),
            None => missing.push(ruc.to_string()),
        }
    }
    if !rows.is_empty() {
        console::table(HEADING, &rows);
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
