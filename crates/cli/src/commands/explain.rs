//! `kuraka explain`: shows how Kuraka reads a saved answer of a source, and why.

use std::fs;
use std::path::Path;

use kuraka_adapters::sources::sunat_vouchers::Statement;
use kuraka_adapters::sources::{Explanation, provider_api, sunat_portal, sunat_vouchers};
use kuraka_api::DetailRecord;
use kuraka_domain::TaxpayerDetail;
use kuraka_server::bootstrap::sources;
use serde_json::json;

use super::runtime::Failure;
use crate::cli::Explain;
use crate::console;

pub(crate) fn run(command: Explain) -> Result<(), Failure> {
    match command {
        Explain::Official { file, ruc, content_type } => {
            print(&sunat_portal::explain(&read(&file)?, content_type.as_deref(), ruc), taxpayer)
        }
        Explain::Provider { name, file, status, ruc } => {
            print(&provider_api::explain(&sources::spec(&name)?, &read(&file)?, status, ruc), taxpayer)
        }
        Explain::Vouchers { file, status } => print(&sunat_vouchers::explain(&read(&file)?, status), voucher),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()).into())
}

fn print<T>(explanation: &Explanation<T>, record: fn(&T) -> serde_json::Result<String>) -> Result<(), Failure> {
    console::line(&format!("{}: {}", explanation.class, explanation.reason));
    if let Some(found) = &explanation.record {
        console::line(&record(found)?);
    }
    Ok(())
}

/// The API's record.
fn taxpayer(record: &TaxpayerDetail) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&DetailRecord::from(record))
}

/// The API's fields, and SUNAT's codes.
fn voucher(statement: &Statement) -> serde_json::Result<String> {
    let (status, condition) = (&statement.issuer_status, &statement.issuer_condition);
    serde_json::to_string_pretty(&json!({
        "comprobante_estado_codigo": statement.status.code(),
        "comprobante_estado_descripcion": statement.status.text(),
        "empresa_estado_codigo": status.as_ref().map(|status| status.code()),
        "empresa_estado_descripcion": status.as_ref().map(|status| status.text()),
        "empresa_condicion_codigo": condition.as_ref().map(|condition| condition.code()),
        "empresa_condicion_descripcion": condition.as_ref().map(|condition| condition.text()),
        "observaciones": statement.observations,
    }))
}
