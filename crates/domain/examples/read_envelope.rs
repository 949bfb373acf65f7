//! Reads an answer of `POST /ruc` and decides by its code: `cargo run --example read_envelope --features serde`.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use kuraka_domain::{DomicileCondition, Envelope, ResultCode, Ruc, TaxpayerStatus};

/// The fields that this client needs; the others are ignored.
#[derive(serde::Deserialize)]
struct Taxpayer {
    ruc: Ruc,
    estado: TaxpayerStatus,
    condicion: DomicileCondition,
}

fn decision(json: &str) -> Result<String, serde_json::Error> {
    Ok(match serde_json::from_str(json)? {
        Envelope::Found { data: Taxpayer { ruc, estado, condicion }, .. } => match (estado, condicion) {
            (TaxpayerStatus::Active, DomicileCondition::Found) => format!("accept {ruc}"),
            (status, condition) => format!("ask {ruc} why it is {status}, {condition}"),
        },
        Envelope::Failed { code: ResultCode::DocumentNotFound, .. } => "there is no such taxpayer".to_owned(),
        Envelope::Failed { code, .. } if code.retryable() => "try again later".to_owned(),
        Envelope::Failed { message, .. } => message.into_owned(),
    })
}

fn main() -> Result<(), serde_json::Error> {
    let found = r#"{"success":true,"code":"found","retryable":false,"data":{"ruc":"20131312955",
        "nombre_o_razon_social":"…","estado":"ACTIVO","condicion":"NO HABIDO"},"time":0.000612}"#;
    let failed = r#"{"success":false,"code":"upstream_unavailable","retryable":true,"message":"…"}"#;
    assert_eq!(decision(failed)?, "try again later");
    println!("{}", decision(found)?); // ask 20131312955 why it is ACTIVO, NO HABIDO
    Ok(())
}
