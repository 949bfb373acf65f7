//! `kuraka explain`: shows how Kuraka reads a saved answer of a source, and why.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kuraka_adapters::sources::sunat_vouchers::Statement;
use kuraka_adapters::sources::{Explanation, provider_api, sunat_portal, sunat_vouchers};
use kuraka_domain::TaxpayerDetail;
use kuraka_server::bootstrap::sources;

use super::runtime::Failure;
use crate::cli::Explain;
use crate::console;

pub(crate) fn run(command: Explain) -> Result<(), Failure> {
    match command {
        Explain::Official { file, ruc, content_type } => {
            let explained = sunat_portal::explain(&read(&file)?, content_type.as_deref(), ruc);
            print(&explained, record_fields);
        }
        Explain::Provider { name, file, status, ruc } => {
            let explained = provider_api::explain(&sources::spec(&name)?, &read(&file)?, status, ruc);
            print(&explained, record_fields);
        }
        Explain::Vouchers { file, status } => {
            let explained = sunat_vouchers::explain(&read(&file)?, status);
            print(&explained, voucher_fields);
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()).into())
}

fn print<T>(explanation: &Explanation<T>, fields: impl Fn(&T) -> String) {
    console::line(&format!("{}: {}", explanation.class, explanation.reason));
    if let Some(record) = &explanation.record {
        console::line(&fields(record));
    }
}

/// The fields of a voucher's validation, one per line.
fn voucher_fields(statement: &Statement) -> String {
    let coded = |code: &str, text: &str| format!("{code} {}", if text.is_empty() { "(in no table)" } else { text });
    let missing = || "-".to_owned();
    let mut lines = vec![
        ("comprobante_estado", coded(statement.status.code(), statement.status.text())),
        ("empresa_estado", statement.issuer_status.as_ref().map_or_else(missing, |it| coded(it.code(), it.text()))),
        (
            "empresa_condicion",
            statement.issuer_condition.as_ref().map_or_else(missing, |it| coded(it.code(), it.text())),
        ),
    ];
    lines.extend(statement.observations.iter().map(|text| ("observacion", text.clone())));
    lines.iter().map(|(name, value)| format!("  {name:27} {value}")).collect::<Vec<_>>().join("\n")
}

/// The fields of a record, one per line, so that two records are easy to compare.
fn record_fields(record: &TaxpayerDetail) -> String {
    let mut text = String::new();
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:27} {value}");
    };
    let date = |date: Option<kuraka_domain::Date>| date.map_or_else(|| "-".to_owned(), |date| date.to_string());
    field("ruc", &record.ruc.to_string());
    field("nombre_o_razon_social", &record.name);
    field("estado", record.status.as_str());
    field("condicion", record.condition.as_str());
    field("direccion_completa", &record.full_address);
    field("tipo_contribuyente", &record.taxpayer_type);
    field("fecha_inscripcion", &date(record.registered));
    for activity in &record.activities {
        field("actividad", &format!("{} {} {}", activity.rank, activity.ciiu, activity.description));
    }
    field("nombre_comercial", &record.trade_name);
    field("fecha_inicio_actividades", &date(record.activities_started));
    field("fecha_baja", &date(record.deregistered));
    field("sistema_emision", &record.issuing_system);
    field("actividad_comercio_exterior", &record.foreign_trade);
    field("sistema_contabilidad", &record.accounting_system);
    for voucher in &record.authorised_vouchers {
        field("comprobante_autorizado", voucher);
    }
    for system in &record.electronic_issuing.systems {
        field("sistema_electronico", system);
    }
    field("emision_electronica_desde", &date(record.electronic_issuing.since));
    for voucher in &record.electronic_issuing.vouchers {
        field("comprobante_electronico", voucher);
    }
    field("afiliado_ple_desde", &date(record.electronic_issuing.electronic_books_since));
    for padron in &record.padrones {
        field("padron", padron);
    }
    text.truncate(text.trim_end().len());
    text
}
