//! The exchange rate in the form of other providers. The table names the program that a request was read in.

use kuraka_ports::Period;
use kuraka_ports::fake::ManualClock;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::app::{App, Owner, scene};

/// A program's request: its name, the path below `/compat`, the body of a `POST` or an empty text, and the whole answer.
type Program = (&'static str, &'static str, &'static str, &'static str);

const PROGRAMS: [Program; 15] = [
    (
        "an Odoo service",
        "/migo/api/v1/exchange/date",
        r#"{"token": "{token}", "fecha": "2026-09-06"}"#,
        r#"{"success":true,"fecha":"2026-09-06","moneda":"USD","precio_compra":"3.360","precio_venta":"3.369"}"#,
    ),
    (
        "an Odoo service",
        "/migo/api/v1/exchange/latest",
        r#"{"token": "{token}"}"#,
        r#"{"success":true,"fecha":"2026-10-07","moneda":"USD","precio_compra":"3.431","precio_venta":"3.437"}"#,
    ),
    (
        "an Odoo service",
        "/migo/api/v1/exchange",
        r#"{"token": "{token}", "fecha_inicio": "2026-09-06", "fecha_fin": "2026-09-06"}"#,
        r#"{"success": true, "data": [{"fecha":"2026-09-06","moneda":"USD","precio_compra":"3.360","precio_venta":"3.369"}]}"#,
    ),
    (
        "a Next.js route",
        "/decolecta/v1/tipo-cambio/sunat?date=2026-09-06",
        "",
        r#"{"buy_price":"3.360","sell_price":"3.369","base_currency":"USD","quote_currency":"PEN","date":"2026-09-06"}"#,
    ),
    (
        "a program with double slashes",
        "/decolecta//v1/tipo-cambio/sunat/?date=2026-09-06&token={token}",
        "",
        r#"{"buy_price":"3.360","sell_price":"3.369","base_currency":"USD","quote_currency":"PEN","date":"2026-09-06"}"#,
    ),
    (
        "consulta.php",
        "/apisnetpe/v1/tipo-cambio-sunat?fecha=2026-09-29",
        "",
        r#"{"compra":3.432,"venta":3.440,"origen":"SUNAT","moneda":"USD","fecha":"2026-09-29"}"#,
    ),
    (
        "a course's exercise",
        "/apisnetpe/v1/tipo-cambio-sunat",
        "",
        r#"{"compra":3.431,"venta":3.437,"origen":"BCRP","moneda":"USD","fecha":"2026-10-07"}"#,
    ),
    (
        "a page with the rate of a date",
        "/apisnetpe/v2/sunat/tipo-cambio?date=2026-09-29",
        "",
        r#"{"precioCompra":3.432,"precioVenta":3.440,"moneda":"USD","fecha":"2026-09-29"}"#,
    ),
    (
        "a module of Laravel",
        "/apisnetpe/v2/sunat/tipo-cambio?fecha=2026-09-29",
        "",
        r#"{"precioCompra":3.432,"precioVenta":3.440,"moneda":"USD","fecha":"2026-09-29"}"#,
    ),
    (
        "a service of exchange rates with tests",
        "/peruapi/api/tipo_cambio?fecha=2026-09-06&summary=0&plan=0",
        "",
        r#"{"fecha":"2026-09-06","compra":"3.360","venta":"3.369","moneda":"USD","fuente":"BCRP","updated_at":"","mensaje":"OK","code":"200"}"#,
    ),
    (
        "the documents of peruapi",
        "/peruapi/api.php?json=tipo_cambio&api_token={token}&fecha=2026-09-06",
        "",
        r#"{"fecha":"2026-09-06","compra":"3.360","venta":"3.369","moneda":"USD","fuente":"BCRP","updated_at":"","mensaje":"OK","code":"200"}"#,
    ),
    (
        "the documents of peruapi, as a form",
        "/peruapi/api.php",
        "json=tipo_cambio&api_token={token}&fecha=2026-09-06",
        r#"{"fecha":"2026-09-06","compra":"3.360","venta":"3.369","moneda":"USD","fuente":"BCRP","updated_at":"","mensaje":"OK","code":"200"}"#,
    ),
    (
        "a route with a cache",
        "/factiliza/v1/tipocambio/info/dia?fecha=2026-09-06",
        "",
        r#"{"status":200,"success":true,"message":"Exito","data":{"fecha":"2026-09-06","compra":3.360,"venta":3.369}}"#,
    ),
    (
        "the guide of a port and its adapters",
        "/jsonpe/api/tipo_de_cambio",
        r#"{"fecha": "2026-09-06"}"#,
        r#"{"success":true,"message":"exito","data":{"moneda":"USD","fecha_busqueda":"2026-09-06","fecha_sunat":"2026-09-06","venta":3.369,"compra":3.360,"date":"2026-09-06","sale":3.369,"purchase":3.360}}"#,
    ),
    (
        "an unknown key is ignored",
        "/apisnetpe/v1/tipo-cambio-sunat?fecha=2026-09-29&mes=2026-08",
        "",
        r#"{"compra":3.432,"venta":3.440,"origen":"SUNAT","moneda":"USD","fecha":"2026-09-29"}"#,
    ),
];

/// A day with the sample, whose last close is of 6 October 2026.
async fn start(now: &str) -> (App, Owner) {
    let app = scene().clock(ManualClock::at(now.parse().unwrap())).with_datasets();
    let app = app.set("compat.providers", "migo, decolecta, apisnetpe, peruapi, factiliza, jsonpe");
    app.set("compat.tokens_in_query", "true").plan(1_000, 10_000, 10_000).start_with_owner().await
}

/// Sends a request with its token in the place that it names, or in the header. A body is JSON or a form.
async fn ask(app: &App, owner: &Owner, path: &str, body: &str) -> Answer {
    let is_sent = path.contains("{token}") || body.contains("{token}");
    let path = format!("/compat{}", path.replace("{token}", &owner.token));
    let request = match body {
        "" => app.request("GET", &path),
        body => {
            let kind = if body.starts_with('{') { "json" } else { "x-www-form-urlencoded" };
            let request = app.post(&path).header("Content-Type", format!("application/{kind}"));
            request.body(body.replace("{token}", &owner.token))
        }
    };
    if is_sent { request.send().await } else { request.token(&owner.token).send().await }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_program_gets_the_rate_in_the_form_of_its_provider() {
    let (app, owner) = start("2026-10-07T15:00:00Z").await;
    for (name, path, body, expected) in PROGRAMS {
        let answer = ask(&app, &owner, path, body).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, expected), "{name}: {path}");
        assert!(answer.must("x-source") == "registry" && answer.must("content-type") == "application/json", "{name}");
    }
    let used = app.store.used(owner.account, Period { year: 2026, month: 10 }).await.unwrap();
    assert_eq!(used, PROGRAMS.len() as u64, "each call costs what its operation costs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_month_or_a_period_has_its_known_days() {
    let (app, owner) = start("2026-10-07T15:00:00Z").await;
    let october = ["2026-10-01", "2026-10-03", "2026-10-04", "2026-10-05", "2026-10-06", "2026-10-07"];
    for (path, body, list, day, days) in [
        ("/decolecta/v1/tipo-cambio/sunat?month=10&year=2026", "", "", "date", october.as_slice()),
        ("/apisnetpe/v1/tipo-cambio-sunat?year=2026&month=10", "", "", "fecha", &october),
        ("/apisnetpe/v1/tipo-cambio-sunat?fecha=2026-09-06&year=2026&month=10", "", "", "fecha", &october),
        ("/decolecta/v1/tipo-cambio/sunat", "month=10&year=2026", "", "date", &october),
        ("/decolecta/v1/tipo-cambio/sunat", r#"{"month": "10", "year": "2026"}"#, "", "date", &october),
        ("/apisnetpe/v1/tipo-cambio-sunat", r#"{"month": 10, "year": 2026}"#, "", "fecha", &october),
        ("/apisnetpe/v1/tipo-cambio-sunat", "year=2026&month=10", "", "fecha", &october),
        (
            "/migo/api/v1/exchange",
            r#"{"fecha_inicio": "2026-10-02T00:00:00", "fecha_fin": "2026-10-04 00:00:00"}"#,
            "/data",
            "fecha",
            &october[1..3],
        ),
        (
            "/migo/api/v1/exchange",
            r#"{"fecha_inicio": "2026-10-02", "fecha_fin": "2026-10-04"}"#,
            "/data",
            "fecha",
            &october[1..3],
        ),
    ] {
        let answer = ask(&app, &owner, path, body).await;
        let answered = answer.json().pointer(list).unwrap().as_array().unwrap().clone();
        let answered: Vec<_> = answered.iter().map(|it| it[day].as_str().unwrap()).collect();
        assert_eq!(answered, days, "{path}: {answer:?}");
    }
    let first = |answer: Answer| answer.body.split_inclusive('}').next().unwrap_or_default().to_owned();
    let answer = ask(&app, &owner, "/decolecta/v1/tipo-cambio/sunat?month=9&year=2026", "").await;
    assert!(first(answer).ends_with(r#""date":"2026-09-01"}"#), "a month of one digit");
    let answer = ask(&app, &owner, "/decolecta/v1/tipo-cambio/sunat", r#"{"month": 9, "year": 2026}"#).await;
    assert!(first(answer).ends_with(r#""date":"2026-09-01"}"#), "a number of one digit");
    let answer = ask(&app, &owner, "/apisnetpe/v1/tipo-cambio-sunat?year=2026&month=10", "").await;
    let typed = r#"[{"compra":3.429,"venta":3.437,"origen":"SUNAT","moneda":"USD","fecha":"2026-10-01"}"#;
    assert_eq!(first(answer), typed, "a list has the types of its sample");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_day_without_a_rate_is_an_error_in_the_form_of_the_provider() {
    let (app, owner) = start("2026-10-08T15:00:00Z").await;
    let period = |first: &str, last: &str| json!({"fecha_inicio": first, "fecha_fin": last}).to_string();
    for (path, body, status, at, message) in [
        // The 8th has begun, and its close is not known.
        ("/migo/api/v1/exchange/latest", "{}".to_owned(), 503, "/message", ""),
        ("/migo/api/v1/exchange", period("2026-10-08", "2026-10-08"), 503, "/message", ""),
        ("/decolecta/v1/tipo-cambio/sunat?date=2026-10-08", String::new(), 503, "/message", ""),
        ("/apisnetpe/v1/tipo-cambio-sunat", String::new(), 503, "/error", ""),
        ("/apisnetpe/v1/tipo-cambio-sunat?year=2026&month=11", String::new(), 400, "/error", ""),
        // A hole of the record.
        ("/migo/api/v1/exchange/date", json!({"fecha": "2026-09-10"}).to_string(), 400, "/message", ""),
        ("/peruapi/api/tipo_cambio?fecha=2026-09-10", String::new(), 400, "/mensaje", ""),
        ("/factiliza/v1/tipocambio/info/dia?fecha=1990-01-02", String::new(), 400, "/message", ""),
        ("/jsonpe/api/tipo_de_cambio", json!({"fecha": "mañana"}).to_string(), 400, "/message", "AAAA-MM-DD"),
        ("/migo/api/v1/exchange", period("2026-10-02", "2026-10-01"), 400, "/message", "de 1 a 31 días"),
        ("/migo/api/v1/exchange", period("2026-09-01", "2026-10-02"), 400, "/message", "de 1 a 31 días"),
        (
            "/migo/api/v1/exchange",
            json!({"fecha_inicio": "2026-10-01"}).to_string(),
            400,
            "/message",
            "Falta el campo fecha_inicio/fecha_fin.",
        ),
        ("/decolecta/v1/tipo-cambio/sunat?month=13&year=2026", String::new(), 400, "/message", "un mes"),
        ("/peruapi/api.php?json=ruc", String::new(), 400, "/mensaje", "Falta el campo id."),
    ] {
        let answer = ask(&app, &owner, path, &body).await;
        let (told, document) = (answer.must("x-error-code").to_owned(), answer.json());
        assert_eq!(answer.status, status, "{path} {body}: {answer:?}");
        let text = document.pointer(at).and_then(Value::as_str).unwrap_or_else(|| panic!("{path}: {answer:?}"));
        assert!(!text.is_empty() && text.contains(message), "{path} {body}: {told} {text}");
        assert_eq!(
            (answer.header("retry-after").is_some(), document.get("success") == Some(&json!(true))),
            (status == 503, false)
        );
        assert!(!answer.body.contains("3.4"), "{path}: {answer:?}");
    }
}
