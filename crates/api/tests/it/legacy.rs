//! The fields of the original interface: each from its own value.

use std::borrow::Cow;

use kuraka_api::OperatingCapacityRecord;
use kuraka_api::Record;
use kuraka_api::legacy::{AddressMore, IssuerMore, Legacy, SummaryMore, UbigeoCode, place};
use kuraka_api::mass_validator::MassRow;
use kuraka_domain::{
    IssuerCondition, IssuerStatus, TaxpayerSummary, Ubigeo, VoucherNumber, VoucherSeries, VoucherStatus,
    VoucherValidation,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn summary(ruc: &str, address: &str) -> TaxpayerSummary {
    let ubigeo = Some("150103".parse().unwrap());
    TaxpayerSummary { address: address.to_owned(), ubigeo, ..TaxpayerSummary::empty(ruc.parse().unwrap()) }
}

fn validation() -> VoucherValidation {
    VoucherValidation {
        issuer: "20100119227".parse().unwrap(),
        series: VoucherSeries::parse("F001").unwrap(),
        number: VoucherNumber::parse("1").unwrap(),
        status: VoucherStatus::from_code("1"),
        issuer_status: Some(IssuerStatus::from_code("01")),
        issuer_condition: Some(IssuerCondition::from_code("12")),
        observations: vec!["una".to_owned()],
    }
}

#[test]
fn a_summary_has_the_originals_fields() {
    let company = summary("20100119227", "JR. UNO 1");
    let more = |taxpayer: &TaxpayerSummary, lists| serde_json::to_value(SummaryMore::new(taxpayer, lists)).unwrap();
    assert_eq!(
        more(&company, [Some(true), Some(false)]),
        json!({
            "direccion_completa": "JR. UNO 1, LIMA - LIMA - ATE",
            "provincia": "LIMA",
            "distrito": "ATE",
            "ubigeo_sunat": "150103",
            "ubigeo": ["15", "1501", "150103"],
            "es_agente_de_percepcion": "SI",
            "es_agente_de_percepcion_combustible": "NO",
        })
    );
    // A list that is missing is no "NO".
    assert_eq!(more(&company, [None, Some(true)])["es_agente_de_percepcion"], "");
    for without_place in [summary("10000000006", "JR. UNO 1"), summary("20100119227", "")] {
        assert_eq!(place(&without_place), None);
        let more = more(&without_place, [None, None]);
        assert_eq!((&more["direccion_completa"], &more["ubigeo"]), (&json!(""), &json!([null, null, null])));
    }
}

#[test]
fn a_voucher_has_its_issuer_in_codes() {
    let found = validation();
    let issuer = json!({
        "empresa_estado_codigo": "01",
        "empresa_condicion_codigo": "12",
        "empresa_estado_description": found.issuer_status.as_ref().unwrap().text(),
    });
    assert_eq!(serde_json::to_value(IssuerMore::from(&found)).unwrap(), issuer);
}

#[test]
fn a_row_of_the_mass_validator_has_what_was_sent_and_then_the_answer() {
    let found = validation();
    let sent = || {
        ["\"20100119227\"", "\"01\"", "\"F001\"", "\"1\"", "\"2026-01-15\"", "118.00"]
            .map(|raw| Cow::Owned(RawValue::from_string(raw.to_owned()).unwrap()))
    };
    let row = serde_json::to_value(MassRow::fields(sent(), Ok(&found))).unwrap();
    assert_eq!(
        (&row["total"], &row["comprobante_estado_codigo"], row.get("message")),
        (&json!(118.0), &json!("1"), None)
    );
    assert_eq!(row["empresa_estado_descripcion"], found.issuer_status.as_ref().unwrap().text());
    assert_eq!(row["empresa_condicion_descripcion"], found.issuer_condition.as_ref().unwrap().text());
    assert_ne!(row["empresa_estado_descripcion"], row["empresa_condicion_descripcion"]);
    assert_eq!((&row["empresa_estado_codigo"], &row["observaciones"]), (&json!("01"), &json!(["una"])));
    let row = serde_json::to_value(MassRow::fields(sent(), Err("no"))).unwrap();
    assert_eq!((&row["comprobante_estado_codigo"], &row["message"]), (&json!("-"), &json!("no")));
    for (sent, answer, line) in [
        ("20100119227|01|F001|1|2026-01-15|118", Some(&found), "20100119227|01|F001|1|2026-01-15|118|1"),
        ("20100119227|01", None, "20100119227|01|||||-"),
        ("1|2|3|4|5|6|7", None, "1|2|3|4|5|6|-"),
    ] {
        assert_eq!(serde_json::to_value(MassRow::line(sent, answer)).unwrap(), line);
    }
}

#[test]
fn more_fields_follow_ours_in_one_object() {
    let place: Option<Ubigeo> = Some("210101".parse().unwrap());
    let record: OperatingCapacityRecord<'_> =
        serde_json::from_value(json!({"ruc": "20100119227", "sin_capacidad_operativa": null})).unwrap();
    let mut written = Vec::new();
    Legacy { record, more: Some(AddressMore::new(place)) }.write(&mut written).unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(
        text.ends_with(r#"null,"ubigeo_sunat":"210101"}"#) && serde_json::from_str::<Value>(&text).is_ok(),
        "{text}"
    );
    assert_eq!(serde_json::to_value(UbigeoCode::text(place)).unwrap(), "210101");
}
