//! The records of the published files: which field comes from where, and what null means.

use kuraka_api::table_row::{FICHA_COLUMNS, SUMMARY_COLUMNS, ficha_cells, summary_cells};
use kuraka_api::{ProfileRecord, SourceFileRecord};
use kuraka_domain::{
    ActivityRank, Date, DomicileCondition, EconomicActivity, ListMembership, OpenData, OperatingIncapacity, Ruc,
    Sanction, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary, Ubigeo,
};
use serde_json::{Value, json};

fn day(text: &str) -> Date {
    Date::parse(text).expect(text)
}

/// A taxpayer about which only the padrón is known.
fn unknown() -> TaxpayerProfile {
    TaxpayerProfile::from_summary(TaxpayerSummary {
        ruc: Ruc::parse("20131312955").unwrap(),
        name: "UNO S.A.".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: "AV. UNO NRO. 1".to_owned(),
        ubigeo: Ubigeo::parse("150122").ok(),
        withholding_agent: Some(true),
        good_taxpayer: Some(false),
    })
}

fn incapacity() -> OperatingIncapacity {
    OperatingIncapacity {
        resolution: "0210050000001".to_owned(),
        resolved: Some(day("2024-05-02")),
        final_since: Some(day("2024-07-01")),
    }
}

/// A taxpayer about which every file says something.
fn known() -> TaxpayerProfile {
    TaxpayerProfile {
        lists: Some(vec![ListMembership {
            dataset: "retencion",
            title: "Agentes de retención del IGV",
            since: Some(day("2002-06-01")),
            resolution: "R.S. 037-2002".to_owned(),
        }]),
        annex_count: Some(2),
        open_data: Some(Some(Box::new(OpenData {
            month: day("2026-10-01"),
            taxpayer_type: "SOCIEDAD ANONIMA".to_owned(),
            activities: vec![EconomicActivity {
                rank: ActivityRank::Principal,
                ciiu: String::new(),
                description: "ELABORACIÓN DE PAN".to_owned(),
            }],
            workers: Some(7),
            issuing_system: "MANUAL".to_owned(),
            accounting_system: "COMPUTARIZADO".to_owned(),
            foreign_trade: "IMPORTADOR".to_owned(),
        }))),
        operating_incapacity: Some(Some(incapacity())),
        sanctions: Some(vec![
            Sanction { since: day("2020-01-01"), until: None, reason: "UNO".to_owned() },
            Sanction { since: day("2021-01-01"), until: Some(day("2021-12-31")), reason: "DOS".to_owned() },
        ]),
        ..unknown()
    }
}

fn record(profile: &TaxpayerProfile, missing: &[&'static str]) -> Value {
    let file =
        SourceFileRecord { nombre: "padron".into(), edicion: "2026-11-20-0a1b2c3d".into(), fecha: day("2026-11-20") };
    serde_json::to_value(ProfileRecord::new(profile, vec![file], missing.iter().copied().map(Into::into).collect()))
        .unwrap()
}

#[test]
fn a_profile_has_every_field_of_every_file() {
    let expected = json!({
        "ruc": "20131312955",
        "nombre_o_razon_social": "UNO S.A.",
        "estado": "ACTIVO",
        "condicion": "HABIDO",
        "direccion": "AV. UNO NRO. 1",
        "departamento": "LIMA",
        "es_agente_de_retencion": "SI",
        "es_buen_contribuyente": "NO",
        "ubigeo": "150122",
        "provincia": "LIMA",
        "distrito": "MIRAFLORES",
        "direccion_completa": "AV. UNO NRO. 1 - MIRAFLORES - LIMA - LIMA",
        "padrones": [{
            "codigo": "retencion",
            "nombre": "Agentes de retención del IGV",
            "desde": "2002-06-01",
            "resolucion": "R.S. 037-2002",
        }],
        "anexos": {"total": 2},
        "datos_abiertos": {
            "periodo": "2026-10",
            "tipo_contribuyente": "SOCIEDAD ANONIMA",
            "actividades_economicas": ["ELABORACIÓN DE PAN"],
            "trabajadores": 7,
            "sistema_emision": "MANUAL",
            "sistema_contabilidad": "COMPUTARIZADO",
            "actividad_comercio_exterior": "IMPORTADOR",
        },
        "sin_capacidad_operativa": {
            "resolucion": "0210050000001",
            "fecha_resolucion": "2024-05-02",
            "firme_desde": "2024-07-01",
        },
        "sanciones": [
            {"tipo": "DEFINITIVA", "desde": "2020-01-01", "hasta": null, "motivo": "UNO"},
            {"tipo": "TEMPORAL", "desde": "2021-01-01", "hasta": "2021-12-31", "motivo": "DOS"},
        ],
        "fuentes": [{"nombre": "padron", "edicion": "2026-11-20-0a1b2c3d", "fecha": "2026-11-20"}],
        "no_disponibles": [],
    });
    assert_eq!(record(&known(), &[]), expected);
}

#[test]
fn a_table_row_has_the_fields_of_the_records() {
    let profile = known();
    let record = record(&profile, &[]);
    for (column, cell) in SUMMARY_COLUMNS.into_iter().zip(summary_cells(&profile.summary)) {
        assert_eq!(record[column], cell, "{column}");
    }
    let cells: Vec<_> = FICHA_COLUMNS.into_iter().zip(ficha_cells(&profile)).collect();
    let expected = [
        ("ubigeo", "150122"),
        ("provincia", "LIMA"),
        ("distrito", "MIRAFLORES"),
        ("padrones", "retencion"),
        ("sin_capacidad_operativa", "SI"),
        ("sanciones", "DEFINITIVA desde 2020-01-01 | TEMPORAL desde 2021-01-01 hasta 2021-12-31"),
        ("tipo_contribuyente", "SOCIEDAD ANONIMA"),
        ("trabajadores", "7"),
        ("actividad_principal", "ELABORACIÓN DE PAN"),
    ];
    assert_eq!(cells, expected.map(|(column, cell)| (column, cell.into())));
}

#[test]
fn a_table_row_tells_a_missing_file_from_nothing_known() {
    let missing = ficha_cells(&unknown()).map(|cell| cell.into_owned());
    assert_eq!(missing[3..], ["NO DISPONIBLE"; 6]);
    let nothing = TaxpayerProfile {
        lists: Some(Vec::new()),
        open_data: Some(None),
        operating_incapacity: Some(None),
        sanctions: Some(Vec::new()),
        ..unknown()
    };
    let nothing = ficha_cells(&nothing).map(|cell| cell.into_owned());
    assert_eq!(nothing[3..], ["", "NO", "", "", "", ""]);
}

#[test]
fn a_missing_file_is_null_and_an_available_one_without_an_entry_is_not() {
    let missing = record(&unknown(), &["anexos", "sanciones"]);
    for field in ["padrones", "anexos", "datos_abiertos", "sin_capacidad_operativa", "sanciones"] {
        assert_eq!(missing[field], Value::Null, "{field}");
    }
    assert_eq!(missing["no_disponibles"], json!(["anexos", "sanciones"]));
    let nothing = TaxpayerProfile {
        lists: Some(Vec::new()),
        annex_count: Some(0),
        open_data: Some(None),
        operating_incapacity: Some(None),
        sanctions: Some(Vec::new()),
        ..unknown()
    };
    let nothing = record(&nothing, &[]);
    assert_eq!((&nothing["padrones"], &nothing["sanciones"]), (&json!([]), &json!([])));
    assert_eq!(nothing["anexos"], json!({"total": 0}));
    assert_eq!((&nothing["datos_abiertos"], &nothing["sin_capacidad_operativa"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_taxpayer_without_a_district_has_empty_places() {
    let mut profile = unknown();
    profile.summary.ubigeo = None;
    let record = record(&profile, &[]);
    for field in ["departamento", "ubigeo", "provincia", "distrito"] {
        assert_eq!(record[field], "", "{field}");
    }
    assert_eq!(record["direccion_completa"], "AV. UNO NRO. 1");
}
