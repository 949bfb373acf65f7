//! The fields of the original interface: each from its own value.

use std::borrow::Cow;

use kuraka_api::OperatingCapacityRecord;
use kuraka_api::legacy::{AddressMore, DetailMore, IssuerMore, Legacy, SummaryMore, UbigeoCode, place};
use kuraka_api::mass_validator::MassRow;
use kuraka_domain::{
    IssuerCondition, IssuerStatus, TaxpayerDetail, TaxpayerSummary, Ubigeo, VoucherNumber, VoucherSeries,
    VoucherStatus, VoucherValidation,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn summary(ruc: &str, address: &str) -> TaxpayerSummary {
    let ubigeo = Some("150103".parse().unwrap());
    TaxpayerSummary { address: address.to_owned(), ubigeo, ..TaxpayerSummary::empty(ruc.parse().unwrap()) }
}

fn detail(full_address: &str) -> TaxpayerDetail {
    TaxpayerDetail { full_address: full_address.to_owned(), ..TaxpayerDetail::empty("20100119227".parse().unwrap()) }
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
fn an_address_without_a_district_is_the_full_address() {
    let company = TaxpayerSummary { ubigeo: None, ..summary("20100119227", "JR. UNO 1") };
    let more = serde_json::to_value(SummaryMore::new(&company, [None, None])).unwrap();
    assert_eq!((&more["direccion_completa"], &more["distrito"]), (&json!("JR. UNO 1"), &json!("")));
}

#[test]
fn only_a_full_address_with_three_places_is_split() {
    for (full, split) in [
        ("AV. UNO - DOS NRO. 1 - ATE - LIMA - LIMA", ["AV. UNO - DOS NRO. 1", "LIMA", "LIMA", "ATE", "150103"]),
        ("ATE - LIMA - LIMA", ["", "LIMA", "LIMA", "ATE", "150103"]),
        // Another spelling than the table's.
        ("AV. UNO - MARCONA - NASCA - ICA", ["AV. UNO", "ICA", "NASCA", "MARCONA", ""]),
        ("AV. NUEVA NRO. 1 - LIMA", ["AV. NUEVA NRO. 1 - LIMA", "", "", "", ""]),
        ("AV. X - TUMBES - TUMBES", ["AV. X - TUMBES - TUMBES", "", "", "", ""]),
        ("AV. X - URB. SOL - LIMA - LIMA", ["AV. X - URB. SOL - LIMA - LIMA", "", "", "", ""]),
        ("AV. UNO - ATE - LIMA - PERU", ["AV. UNO - ATE - LIMA - PERU", "", "", "", ""]),
        ("", [""; 5]),
    ] {
        let more = serde_json::to_value(DetailMore::new(&detail(full))).unwrap();
        let fields = ["direccion", "departamento", "provincia", "distrito", "ubigeo_sunat"];
        assert_eq!(fields.map(|field| more[field].as_str().unwrap()), split, "{full}");
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
    let text = serde_json::to_string(&Legacy { record, more: Some(AddressMore::new(place)) }).unwrap();
    assert!(
        text.ends_with(r#"null,"ubigeo_sunat":"210101"}"#) && serde_json::from_str::<Value>(&text).is_ok(),
        "{text}"
    );
    assert_eq!(serde_json::to_value(UbigeoCode::text(place)).unwrap(), "210101");
}
