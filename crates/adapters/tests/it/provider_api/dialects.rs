//! Provider files read backwards: a taxpayer is written in the form of each provider.

use kuraka_adapters::sources::provider_api::{
    Dialect, DialectAnswer, DialectExchangeRate, DialectForm, DialectTaxpayer, PRESETS, ProviderSpec, explain, preset,
};
use kuraka_domain::{Date, DayRates, DomicileCondition, Ruc, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary};
use serde_json::{Value, json};

const COMPANY: &str = "20100119227";

fn spec(name: &str) -> ProviderSpec {
    ProviderSpec::parse(name, preset(name).unwrap().text).unwrap()
}

fn taxpayer(ruc: &str) -> DialectTaxpayer {
    let ruc: Ruc = ruc.parse().unwrap();
    let summary = TaxpayerSummary {
        name: "EMPRESA \"ÑANDÚ\" S.A.C.".to_owned(),
        status: TaxpayerStatus::from_text("BAJA PROV. POR OFICI"),
        condition: DomicileCondition::from_text("NO HABIDO"),
        address: "JR. UNION NRO. 7".to_owned(),
        ubigeo: Some("010101".parse().unwrap()),
        withholding_agent: Some(true),
        ..TaxpayerSummary::empty(ruc)
    };
    DialectTaxpayer {
        profile: TaxpayerProfile { lists: Some(Vec::new()), ..TaxpayerProfile::from_summary(summary) },
        datasets: Vec::new(),
        updated: Date::new(2026, 11, 21).unwrap(),
    }
}

/// What the form at a path answers.
fn written(dialect: &Dialect, path: &str, query: &str, taxpayers: &[DialectTaxpayer]) -> String {
    write(dialect.find(path, query).unwrap().form, taxpayers)
}

/// The answer about these taxpayers, or about a day if the form is about rates.
fn write(form: &DialectForm, taxpayers: &[DialectTaxpayer]) -> String {
    match &form.answer {
        DialectAnswer::Taxpayer(form) => form.write(taxpayers),
        DialectAnswer::ExchangeRate(form) => form.write(&[DialectExchangeRate {
            date: Date::new(2026, 9, 6).unwrap(),
            rates: DayRates { buy: "3.36".parse().unwrap(), sell: "3.369".parse().unwrap() },
            source: "BCRP",
        }]),
    }
}

fn written_by(provider: &str, path: &str, ruc: &str) -> Value {
    let text = written(spec(provider).dialect().unwrap(), path, "", &[taxpayer(ruc)]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn an_answer_has_the_keys_of_the_sample_in_their_order_and_its_types() {
    let text = written(spec("migo").dialect().unwrap(), "/api/v1/ruc", "", &[taxpayer(COMPANY)]);
    assert_eq!(
        text,
        r#"{"success":true,"ruc":"20100119227","nombre_o_razon_social":"EMPRESA \"ÑANDÚ\" S.A.C.","#.to_owned()
            + r#""estado_del_contribuyente":"BAJA PROV. POR OFICI","condicion_de_domicilio":"NO HABIDO","ubigeo":"010101","#
            + r#""tipo_de_via":"-","nombre_de_via":"-","codigo_de_zona":"-","tipo_de_zona":"-","numero":"-","interior":"-","#
            + r#""lote":"-","dpto":"-","manzana":"-","kilometro":"-","distrito":"CHACHAPOYAS","provincia":"CHACHAPOYAS","#
            + r#""departamento":"AMAZONAS","direccion_simple":"JR. UNION NRO. 7","#
            + r#""direccion":"JR. UNION NRO. 7 - AMAZONAS CHACHAPOYAS CHACHAPOYAS","actualizado_en":"2026-11-21 00:00:00"}"#
    );
    let factiliza = written_by("factiliza", "/v1/ruc/info/20100119227", COMPANY);
    assert_eq!(factiliza["status"], 200);
    assert_eq!(factiliza["data"]["ubigeo"], json!(["01", "0101", "010101"]));
    assert_eq!(factiliza["data"]["tipo_contribuyente"], "", "the sample shows no other way");
    let decolecta = written_by("decolecta", "/v1/sunat/ruc/full", COMPANY);
    assert_eq!(decolecta["es_agente_retencion"], true);
    assert_eq!(decolecta["locales_anexos"], Value::Null);
    assert_eq!(decolecta["estado"], "BAJA PROV. POR OFICIO");
    assert_eq!(written_by("peruapi", "/api/ruc/20100119227", COMPANY)["code"], "200");
    assert_eq!(written_by("apisnetpe", "/v1/ruc", COMPANY)["nombre"], "EMPRESA \"ÑANDÚ\" S.A.C.");
}

#[test]
fn a_value_has_the_type_that_the_sample_shows() {
    let mut file = preset("migo").unwrap().text.to_owned();
    for (old, new) in [
        (r#""ubigeo": "150101""#, r#""ubigeo": 150101"#),
        (
            r#""actualizado_en": "2026-08-25 16:11:53""#,
            r#""actualizado_en": "25/08/2026 16:11:53", "locales": ["LIMA"]"#,
        ),
    ] {
        assert!(file.contains(old), "{old}");
        file = file.replace(old, new);
    }
    let text = written(
        ProviderSpec::parse("mine", &file).unwrap().dialect().unwrap(),
        "/api/v1/ruc",
        "",
        &[taxpayer(COMPANY)],
    );
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["ubigeo"], 10101, "a number has no zero at its start");
    assert_eq!(answer["actualizado_en"], "21/11/2026 00:00:00");
    assert_eq!(answer["locales"], json!([]), "a list that is not known");
}

#[test]
fn what_is_not_known_is_written_as_the_sample_writes_it() {
    let person = "10000000006";
    let migo = written_by("migo", "/api/v1/ruc", person);
    for field in ["ubigeo", "direccion", "direccion_simple", "departamento", "nombre_de_via"] {
        assert_eq!(migo[field], "-", "{field}");
    }
    let peruapi = written_by("peruapi", "/api/ruc/1", person);
    assert_eq!((&peruapi["direccion"], &peruapi["ubigeo"]), (&json!(""), &json!("")));
    let jsonpe = written_by("jsonpe", "/api/ruc", person);
    assert_eq!(jsonpe["message"], "exito", "what the answer says of itself");
    assert_eq!(jsonpe["data"]["ubigeo"], json!([null, null, null]));
    assert_eq!(jsonpe["data"]["es_agente_de_percepcion"], "", "the list is not available");
    assert_eq!(jsonpe["data"]["es_agente_de_retencion"], "SI");
    let apisperu = written_by("apisperu", "/api/v1/ruc/1", COMPANY);
    assert_eq!(apisperu["fechaInscripcion"], Value::Null);
    assert_eq!(apisperu["sistEmsion"], Value::Null);
}

/// Every text and number in a document, with its place.
fn leaves(document: &Value, at: &str, found: &mut Vec<(String, Value)>) {
    match document {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| leaves(value, &format!("{at}/{key}"), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(n, it)| leaves(it, &format!("{at}/{n}"), found)),
        leaf @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            found.push((at.to_owned(), leaf.clone()));
        }
    }
}

#[test]
fn no_value_of_a_sample_survives_but_what_it_says_of_itself() {
    const OF_ITSELF: [&str; 8] = [
        "/success",
        "/status",
        "/code",
        "/message",
        "/mensaje",
        "/tipoDocumento",
        "/nombreComercial",
        "/quote_currency",
    ];
    for preset in PRESETS {
        let file: toml::Table = preset.text.parse().unwrap();
        let spec = spec(preset.name);
        for form in spec.dialect().iter().flat_map(|dialect| &dialect.forms) {
            let (mut samples, mut answers) = (Vec::new(), Vec::new());
            let bodies = file["dialect"]["forms"].as_array().unwrap().iter().filter_map(|form| form.get("body"));
            for body in bodies.chain([&file["sample"]["found"]["body"]]) {
                leaves(&serde_json::from_str(body.as_str().unwrap()).unwrap(), "", &mut samples);
            }
            let text = write(form, &[taxpayer(COMPANY)]);
            leaves(&serde_json::from_str(&text).unwrap(), "", &mut answers);
            for (at, value) in answers {
                let is_unknown = ["", "-", "SI", "NO", "USD"].iter().any(|text| value == *text) || value.is_null();
                let may_stay = is_unknown || value.is_boolean() || OF_ITSELF.iter().any(|own| at.ends_with(own));
                assert!(may_stay || samples.iter().all(|(_, known)| *known != value), "{} {at}: {value}", preset.name);
            }
        }
    }
}

#[test]
fn an_answer_is_read_back_by_the_rules_of_its_file() {
    for preset in PRESETS.iter().filter(|preset| preset.text.contains("[[dialect.forms]]")) {
        let spec = spec(preset.name);
        let form = &spec.dialect().unwrap().forms[0];
        let told = explain(&spec, write(form, &[taxpayer(COMPANY)]).as_bytes(), 200, COMPANY.parse().unwrap());
        let record = told.record.unwrap_or_else(|| panic!("{}: {}", preset.name, told.reason));
        assert_eq!(record.name, "EMPRESA \"ÑANDÚ\" S.A.C.", "{}", preset.name);
        assert_eq!(record.full_address, "JR. UNION NRO. 7 - CHACHAPOYAS - CHACHAPOYAS - AMAZONAS", "{}", preset.name);
        if let Some((status, body)) = form.not_found.as_ref().filter(|_| preset.text.contains("[sample.not_found]")) {
            let told = explain(&spec, body.as_bytes(), *status, COMPANY.parse().unwrap());
            assert_eq!(told.class, "not_found", "{}: {}", preset.name, told.reason);
        }
    }
}

#[test]
fn a_path_may_have_its_own_form_of_not_found() {
    let apisnetpe = spec("apisnetpe");
    let of_version_1 = apisnetpe.dialect().unwrap().find("/v1/ruc", "").unwrap().form.not_found.clone();
    assert!(of_version_1.unwrap().1.contains("error"), "it counts before the form of the provider's file");
    let (status, body) = spec("apisperu").dialect().unwrap().forms[0].not_found.clone().unwrap();
    assert_eq!((status, &*body), (404, r#"{"success":false,"message":"No se encontraron resultados."}"#), "two keys");
}

#[test]
fn a_fault_of_the_section_names_its_line_and_the_remedy() {
    let good = preset("migo").unwrap().text;
    let first = good.lines().position(|line| line == "[dialect]").unwrap() + 1;
    for (old, new, part) in [
        ("in = \"query\"", "in = \"cookie\"", "\"header\", \"query\" or \"body\""),
        ("\"/message\" = \"{message}\"", "\"/text\" = \"{message}\"", "has nothing at /text"),
        ("\"/message\" = \"{message}\"", "\"message\" = \"{message}\"", "not a JSON pointer"),
        ("{message}", "{name}", "there is no value \"name\"; there are message, status, code"),
        ("{\"success\": false, \"message\": \"\"}", "{", "the body is not JSON"),
        ("cut_at", "cut", "unknown field `cut`"),
        ("[\"/api/v1/ruc\"]", "[\"api/v1/ruc\"]", "with / at its start"),
        ("[\"/api/v1/ruc\"]", "[\"/a/{b}/{c}\"]", "one {parameter} at most"),
        ("[\"/api/v1/ruc\"]", "[]", "a form has paths"),
        ("{purchase}", "{ruc}", "there is no value \"ruc\"; there are date, purchase, sale"),
        ("about = \"exchange_rate\"", "about = \"rate\"", "unknown variant `rate`"),
        ("\"{items}\"", "\"[]\"", "{items} where its answers are"),
    ] {
        assert!(good.contains(old), "{old}");
        let error = ProviderSpec::parse("mine.toml", &good.replacen(old, new, 1)).unwrap_err();
        let told = error.to_string();
        assert!(error.line.is_some_and(|line| line > first) && told.contains(part), "{new}: {told}");
    }
}
