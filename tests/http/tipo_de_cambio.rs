//! `POST /tipo-de-cambio`: a day, a month, the names of other clients, and the days that have no rate.

use kuraka_adapters::datasets::exchange_rates::file;
use kuraka_ports::fake::ManualClock;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::app::{App, Owner, scene};

/// Wednesday, 7 October 2026, with the sample: its last close is of the 6th.
async fn start() -> (App, Owner) {
    let clock = ManualClock::at("2026-10-07T15:00:00Z".parse().unwrap());
    scene().clock(clock).with_datasets().start_with_owner().await
}

/// The queries that the account has used this month.
async fn used(app: &App, owner: &Owner) -> Value {
    app.request("GET", "/usage").token(&owner.token).send().await.found()["consultas"]["usadas"].clone()
}

async fn ask(app: &App, owner: &Owner, path: &str, body: &Value) -> Answer {
    app.post(path).token(&owner.token).json(body.to_string()).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_sunday_has_fridays_close_with_three_decimals() {
    let (app, owner) = start().await;
    let answer = ask(&app, &owner, "/tipo-de-cambio", &json!({"fecha": "2026-09-06"})).await;
    answer.found();
    let data = r#""data":{"fecha_busqueda":"2026-09-06","fecha_sunat":"2026-09-06","moneda":"USD","compra":3.360,"venta":3.369,"fecha_cierre":"2026-09-04","fuente":"BCRP"},"time""#;
    assert!(answer.body.contains(data), "{}", answer.body);
    assert!(answer.must("x-registry-edition").starts_with("2026-10-06-"));
    let get = app.request("GET", "/tipo-de-cambio/2026-09-06").token(&owner.token).send().await;
    assert_eq!(get.found(), answer.found());
    assert_eq!(used(&app, &owner).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_clients_get_their_fields_too() {
    let (app, owner) = start().await;
    for path in ["/tipo_de_cambio", "/api/tipo_de_cambio", "/api/tipo-de-cambio"] {
        let data = ask(&app, &owner, path, &json!({"fecha": "2026-09-29", "moneda": "USD"})).await.found();
        let (fuente, date) = (&data["fuente"], &data["date"]);
        assert_eq!((fuente, date), (&json!("SUNAT"), &json!("2026-09-29")), "{path}");
        assert_eq!((&data["purchase"], &data["sale"]), (&json!(3.432), &json!(3.44)), "{path}");
    }
    let data = ask(&app, &owner, "/tipo-de-cambio", &json!({"fecha": "2026-09-29"})).await.found();
    assert_eq!(data.get("purchase"), None);
    let form = app.post("/api/tipo_de_cambio").token(&owner.token);
    let form = form.header("Content-Type", "application/x-www-form-urlencoded").body("fecha=2026-09-29");
    assert_eq!(form.send().await.found()["venta"], json!(3.44));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_a_day_it_is_today_in_lima_and_a_month_has_its_known_days() {
    let (app, owner) = start().await;
    let today = ask(&app, &owner, "/tipo-de-cambio", &json!({})).await.found();
    assert_eq!((&today["fecha_busqueda"], &today["venta"]), (&json!("2026-10-07"), &json!(3.437)));
    let month = ask(&app, &owner, "/tipo-de-cambio", &json!({"mes": "2026-10"})).await.found();
    let days: Vec<_> = month.as_array().unwrap().iter().map(|day| day["fecha_sunat"].as_str().unwrap()).collect();
    assert_eq!(days, ["2026-10-01", "2026-10-03", "2026-10-04", "2026-10-05", "2026-10-06", "2026-10-07"]);
    let csv = app.post("/tipo-de-cambio").token(&owner.token).header("Accept", "text/csv");
    let csv = csv.json(r#"{"mes": "2026-10"}"#).send().await;
    assert_eq!((csv.status, csv.must("content-type")), (200, "text/csv; charset=utf-8"));
    let lines: Vec<_> = csv.body.lines().collect();
    assert_eq!(lines[0], "fecha_busqueda,fecha_sunat,moneda,compra,venta,fecha_cierre,fuente");
    assert_eq!(lines[2], "2026-10-03,2026-10-03,USD,3.437,3.442,2026-10-02,BCRP");
    let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let book = app.post("/tipo-de-cambio").token(&owner.token).header("Accept", xlsx);
    assert_eq!(book.json(r#"{"mes": "2026-10"}"#).send().await.must("content-type"), xlsx);
    assert_eq!(used(&app, &owner).await, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_day_without_a_rate_never_gets_another_days() {
    let (app, owner) = start().await;
    for (day, code) in [
        ("2026-10-08", "invalid_input"),
        ("2026-12-24", "invalid_input"),
        ("1990-01-02", "date_not_covered"),
        ("2026-09-10", "date_not_covered"),
        ("2026-02-30", "invalid_input"),
    ] {
        let answer = ask(&app, &owner, "/tipo-de-cambio", &json!({"fecha": day})).await;
        let (message, dates) = answer.refused_with_dates(code);
        let covered = if code == "date_not_covered" { answer.json()["cubierto"].take() } else { Value::Null };
        assert_eq!(dates.is_empty(), covered.is_null(), "{message} {dates}");
        let periods = covered.as_array().map(Vec::as_slice).unwrap_or_default();
        let period = |period: &Value| ["desde", "hasta"].map(|end| period[end].as_str().unwrap().to_owned());
        assert!(periods.iter().map(period).all(|[first, last]| !(&*first..=&*last).contains(&day)), "{covered}");
        if let Some([first, last]) = periods.last().map(period) {
            assert!(message.contains(&format!(" del {first} al {last}")) && last == "2026-10-07", "{message}");
            for day in [first, last] {
                ask(&app, &owner, "/tipo-de-cambio", &json!({ "fecha": day })).await.found();
            }
        }
    }
    for body in [json!({"moneda": "EUR"}), json!({"mes": "2026-13"}), json!({"mes": "2026-09", "fecha": "2026-09-06"})]
    {
        ask(&app, &owner, "/tipo-de-cambio", &body).await.refused("invalid_input");
    }
    // A day that is not covered costs nothing; the ends of its last period cost four.
    assert_eq!(used(&app, &owner).await, 10);
    // A day later the 8th has begun, and its close is n.d. in the series.
    let clock = ManualClock::at("2026-10-08T15:00:00Z".parse().unwrap());
    let (app, owner) = scene().clock(clock).with_datasets().start_with_owner().await;
    let answer = ask(&app, &owner, "/tipo-de-cambio", &json!({})).await;
    answer.refused("upstream_unavailable");
    assert_eq!((answer.must("retry-after"), used(&app, &owner).await), ("600", json!(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn it_is_a_dataset_that_a_builder_serves() {
    let (app, owner) = start().await;
    let ready = app.admin("/readyz").send().await.json();
    let status = |ready: &Value| {
        let datasets = ready["datasets"].as_array().unwrap();
        datasets.iter().find(|dataset| dataset["name"] == "tipo_de_cambio").cloned().unwrap()
    };
    let known = status(&ready);
    assert_eq!(
        (&known["state"], &known["date"], &known["is_sample"]),
        (&json!("loaded"), &json!("2026-10-06"), &json!(true))
    );
    let metrics = app.admin("/metrics").send().await.body;
    for line in
        ["kuraka_exchange_rate_disagreements 0", r#"kuraka_dataset_state{dataset="tipo_de_cambio",state="loaded"} 1"#]
    {
        assert!(metrics.lines().any(|known| known == line), "{line}");
    }
    let served = app.admin("/edition/tipo_de_cambio").send().await;
    let path = file(&app.registry_dir());
    assert_eq!(served.body, std::fs::read_to_string(&path).unwrap());
    std::fs::remove_file(path).unwrap();
    crate::app::eventually("the file is gone", async || {
        let answer = app.post("/tipo-de-cambio").token(&owner.token).json("{}").send().await;
        (answer.status == 503).then_some(())
    })
    .await;
    assert_eq!(app.admin("/edition/tipo_de_cambio").send().await.status, 404);
}
