//! `POST /ruc-historial`: what a taxpayer was on a day, and what has changed since.

use kuraka_app::calendar;
use kuraka_domain::{Date, EditionOrigin};
use kuraka_registry::dataset::{ALL, BUENOS_CONTRIBUYENTES, DATOS_ABIERTOS, Dataset, PADRON, RETENCION};
use kuraka_registry::history::History;
use kuraka_registry::rollback;
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, Scene, eventually, now, publish, scene};
use crate::shared::Shared;

/// So many days ago.
pub(crate) fn ago(days: i32) -> Date {
    Date::from_days_since_epoch(calendar::today(now()).days_since_epoch() - days).unwrap()
}

/// Publishes a file of a day, and waits until a server answers from it.
pub(crate) async fn publish_on(app: &App, dataset: &'static Dataset, date: Date, text: &str) {
    let registry = app.registry_dir();
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(text);
    publish(registry.ancestors().nth(2).unwrap(), dataset, ("file.txt", &bytes), Some(date), EditionOrigin::Published);
    app.refresh();
    let date = date.to_string();
    eventually("the edition answers", async || {
        let ready = app.admin("/readyz").send().await.json();
        let datasets = ready["datasets"].as_array().unwrap();
        datasets.iter().any(|known| known["name"] == dataset.name && known["date"] == *date).then_some(())
    })
    .await;
}

/// The padrón of the sample with these texts for others.
pub(crate) fn padron(changes: &[(&str, &str)]) -> String {
    let text = encoding_rs::WINDOWS_1252.decode(sample::PADRON).0.into_owned();
    changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// The line of a taxpayer of the sample.
pub(crate) fn line(ruc: &str) -> String {
    padron(&[]).lines().find(|line| line.starts_with(ruc)).unwrap().to_owned()
}

/// A server whose padrón has editions of 5, 4 and 1 days ago: [`sample::DESCRIBED`] loses its condition in the second one
/// and moves in the third, [`sample::SANCTIONED`] appears in the second one. Withholding agents are known for 2 days, good
/// taxpayers are not enabled.
async fn published() -> App {
    let app = without_good_taxpayers().without_edition().start().await;
    let described = line(sample::DESCRIBED);
    let lost = described.replace("|HABIDO|", "|NO HALLADO|");
    let moved = lost.replace("|210101|", "|040101|").replace("|1240|", "|7|");
    let newer = format!("{}\n", line(sample::SANCTIONED));
    publish_on(&app, &PADRON, ago(5), &padron(&[(&newer, "")])).await;
    publish_on(&app, &PADRON, ago(4), &padron(&[(&described, &lost)])).await;
    publish_on(&app, &PADRON, ago(1), &padron(&[(&described, &moved)])).await;
    let agents = encoding_rs::WINDOWS_1252.decode(sample::WITHHOLDING).0.into_owned();
    publish_on(&app, &RETENCION, ago(2), &agents).await;
    app
}

fn without_good_taxpayers() -> Scene {
    let enabled = ALL.iter().map(|dataset| dataset.name).filter(|name| *name != BUENOS_CONTRIBUYENTES.name);
    scene().set("datasets.enabled", &enabled.collect::<Vec<_>>().join(","))
}

static PUBLISHED: Shared = Shared::new(|| Box::pin(published()));

/// The server for tests that publish nothing.
async fn server() -> (&'static App, Owner) {
    let app = PUBLISHED.app().await;
    (app, app.owner().await)
}

/// A server of the test's own with the same editions.
async fn own_server() -> (App, Owner) {
    without_good_taxpayers().with_editions_of(PUBLISHED.app().await).start_with_owner().await
}

async fn history(app: &App, owner: &Owner, body: &Value) -> Value {
    app.post("/ruc-historial").token(&owner.token).json(body.to_string()).send().await.found()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_history_has_the_day_and_the_changes_since_the_first_edition() {
    let (app, owner) = server().await;
    let found = history(app, &owner, &json!({"ruc": sample::DESCRIBED, "fecha": ago(2).to_string()})).await;
    let label = found["en_fecha"]["edicion"].as_str().unwrap();
    assert!(label.starts_with(&ago(4).to_string()), "{found}");
    assert_eq!((&found["desde"], &found["hasta"]), (&json!(ago(5)), &json!(ago(0))));
    assert_eq!(found["vigente_desde"], json!({"estado": ago(5), "condicion": ago(4)}));
    let day = &found["en_fecha"];
    for (field, expected) in [
        ("existe", json!(true)),
        ("ruc", json!(sample::DESCRIBED)),
        ("condicion", json!("NO HALLADO")),
        ("departamento", json!("PUNO")),
        ("es_agente_de_retencion", json!("NO")),
        ("es_buen_contribuyente", Value::Null),
        ("sin_capacidad_operativa", Value::Null),
        ("padrones", json!([])),
    ] {
        assert_eq!(day[field], expected, "{field}");
    }
    let changes: Vec<_> = found["cambios"].as_array().unwrap().iter().map(|change| &change["dato"]).collect();
    assert_eq!(changes, ["direccion", "departamento", "provincia", "distrito", "condicion"]);
    let last = &found["cambios"][4];
    assert_eq!(
        (&last["fecha"], &last["antes"], &last["despues"]),
        (&json!(ago(4)), &json!("HABIDO"), &json!("NO HALLADO"))
    );
    assert_eq!((&found["mas_cambios"], &found["por_mes"]), (&json!(false), &Value::Null));
    let gaps = found["periodos_sin_registro"].as_array().unwrap();
    let agents = gaps.iter().find(|gap| gap["dataset"] == "retencion").unwrap();
    let expected = json!({"dataset": "retencion", "desde": ago(5), "hasta": ago(3), "motivo": "sin ediciones"});
    assert_eq!(*agents, expected);
    let before = history(app, &owner, &json!({"ruc": sample::SANCTIONED, "fecha": ago(5).to_string()})).await;
    let absent = json!({"fecha": ago(5), "edicion": before["en_fecha"]["edicion"], "existe": false});
    assert_eq!(before["en_fecha"], absent);
    assert_eq!(before["cambios"][0]["dato"], "existe");
    let today = history(app, &owner, &json!({"ruc": sample::COMPANY, "fecha": null})).await;
    assert_eq!((&today["en_fecha"], &today["cambios"]), (&Value::Null, &json!([])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_forms_of_a_history_are_answered_alike() {
    let (app, owner) = server().await;
    let body = json!({"ruc": sample::DESCRIBED, "fecha": ago(4).to_string()}).to_string();
    let expected = app.post("/ruc-historial").token(&owner.token).json(&body).send().await;
    assert_eq!((expected.must("x-source"), expected.must("x-source-status")), ("registry", "live"));
    for path in ["/ruc-historial", "/api/ruc_historial"] {
        let get = format!("{path}/{}?fecha={}", sample::DESCRIBED, ago(4));
        assert_eq!(app.request("GET", &get).token(&owner.token).send().await.found(), expected.found(), "{get}");
        let post = app.post(&format!("{path}?fecha=x&otro=1")).token(&owner.token).json(&body).send().await;
        assert_eq!(post.found(), expected.found(), "{path}");
    }
    for query in ["dia=1", "fecha=2026-01-01&fecha=2026-01-01", "fecha=2026-01-01&x=1", "&=", "Fecha=2026-01-01"] {
        let path = format!("/ruc-historial/{}?{query}", sample::DESCRIBED);
        let message = app.request("GET", &path).token(&owner.token).send().await.refused("invalid_input");
        assert!(message.contains("solo admite el parámetro fecha"), "{query}: {message}");
    }
    let other = format!("/ruc-ficha/{}?fecha=x", sample::DESCRIBED);
    app.request("GET", &other).token(&owner.token).send().await.found();
    let absent = app.post("/ruc-historial").token(&owner.token).ruc(sample::ABSENT).send().await;
    absent.refused("document_not_found");
    assert!(absent.must("x-registry-edition").starts_with(&ago(1).to_string()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_legacy_request_may_have_a_time_after_its_day() {
    let (app, owner) = server().await;
    let post = |path: &str, body: Value| app.post(path).token(&owner.token).json(body.to_string()).send();
    let (day, timed) = (ago(4).to_string(), format!("{}T00:00:00", ago(4)));
    let [one, one_timed] = [&day, &timed].map(|day| json!({"ruc": sample::DESCRIBED, "fecha": day}));
    let expected = post("/ruc-historial", one).await.found();
    for path in ["/api/ruc-historial", "/ruc_historial"] {
        assert_eq!(post(path, one_timed.clone()).await.found(), expected, "{path}");
        let get = format!("{path}/{}?fecha={timed}", sample::DESCRIBED);
        assert_eq!(app.request("GET", &get).token(&owner.token).send().await.found(), expected, "{get}");
    }
    let list = json!({"rucs": [one_timed]});
    let item = post("/api/ruc-multiple", list.clone()).await.found()["resultados"][0].take();
    assert_eq!((&item["fecha"], &item["data"]), (&json!(timed), &expected["en_fecha"]));
    let changes = post("/cambios", json!({"desde": day, "todos": true})).await.found();
    assert_eq!(post("/api/cambios", json!({"desde": timed, "todos": true})).await.found(), changes);
    // A path of the contract takes a date only.
    let item = post("/ruc-multiple", list).await.found()["resultados"][0].take();
    assert_eq!(item["code"], "invalid_input");
    post("/cambios", json!({"desde": timed})).await.refused("invalid_input");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_day_that_is_not_covered_is_refused_with_the_covered_days() {
    let (app, owner) = server().await;
    let covered = format!("Cubre del {} al {}.", ago(5), ago(0));
    let ask = async |ruc: &str, day: Value| {
        let body = json!({"ruc": ruc, "fecha": day}).to_string();
        app.post("/ruc-historial").token(&owner.token).json(body).send().await
    };
    for day in [ago(6), ago(-1)] {
        for ruc in [sample::DESCRIBED, sample::ABSENT] {
            let (message, dates) = ask(ruc, json!(day)).await.refused_with_dates("date_not_covered");
            assert!(message.ends_with(&covered), "{day}: {message}");
            assert_eq!(dates, format!(r#","cubierto":[{{"desde":"{}","hasta":"{}"}}]"#, ago(5), ago(0)));
        }
    }
    assert_eq!(app.used(&owner).await, 0);
    for day in ["2026-02-30", "ayer", ""] {
        let message = ask(sample::DESCRIBED, json!(day)).await.refused("invalid_input");
        assert!(message.ends_with(&covered), "{day}: {message}");
    }
    ask(sample::DESCRIBED, json!(20_261_101)).await.refused("invalid_input");
    ask("20100119228", json!(ago(6))).await.refused("invalid_input");
    ask(sample::DESCRIBED, json!(ago(0))).await.found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_day_that_is_not_covered_is_told_before_the_charge() {
    let (app, owner) = scene().plan(2, 1_000, 1_000).start_with_owner().await;
    let (none, one) = (json!("2000-01-01"), json!({"ruc": sample::COMPANY, "fecha": "2000-01-01"}));
    let list = async |items: Vec<Value>| {
        app.post("/ruc-multiple").token(&owner.token).json(json!({ "rucs": items }).to_string()).send().await
    };
    let codes = |found: &Value| found["resultados"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect();
    let found: Vec<Value> = codes(&list(vec![one.clone(), json!(sample::COMPANY), one.clone()]).await.found());
    assert_eq!(found, ["date_not_covered", "found", "date_not_covered"]);
    assert_eq!(app.used(&owner).await, 1);
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    list(vec![json!(sample::COMPANY)]).await.refused("quota_exceeded");
    assert_eq!(list(vec![one.clone(); 2]).await.found()["encontrados"], json!(0));
    let body = json!({"ruc": sample::COMPANY, "fecha": none}).to_string();
    let single = app.post("/ruc-historial").token(&owner.token).json(body).send().await;
    single.refused_with_dates("date_not_covered");
    assert_eq!(app.used(&owner).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_rolled_back_edition_is_not_in_the_history() {
    let (app, owner) = own_server().await;
    rollback(&app.registry_dir(), &PADRON).unwrap();
    app.refresh();
    let found = history(&app, &owner, &json!({"ruc": sample::DESCRIBED})).await;
    assert_eq!(found["cambios"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["cambios"][0]["fecha"], json!(ago(4)), "{found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_its_file_a_history_answers_again_after_the_next_publication() {
    let (app, owner) = own_server().await;
    std::fs::write(History::path(&app.registry_dir(), &PADRON), "damaged").unwrap();
    let lacks = async |expected: bool| {
        eventually("readyz tells", async || {
            let ready = app.admin("/readyz").send().await;
            assert_eq!(ready.status, 200);
            (ready.json()["datasets"][0]["lacks_history"] == expected).then_some(())
        })
        .await;
    };
    lacks(true).await;
    let answer = app.post("/ruc-historial").token(&owner.token).ruc(sample::DESCRIBED).send().await;
    answer.refused("upstream_unavailable");
    app.post("/ruc").token(&owner.token).ruc(sample::DESCRIBED).send().await.found();
    publish_on(&app, &PADRON, ago(0), &padron(&[])).await;
    lacks(false).await;
    let found = history(&app, &owner, &json!({"ruc": sample::DESCRIBED, "fecha": ago(5).to_string()})).await;
    assert_eq!((&found["desde"], &found["en_fecha"]["condicion"]), (&json!(ago(5)), &json!("HABIDO")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_natural_person_has_no_address_on_any_day() {
    let (app, owner) = own_server().await;
    let person = line(sample::PERSON);
    let mut cells: Vec<_> = person.split('|').collect();
    (cells[2], cells[4], cells[5], cells[6]) = ("BAJA DE OFICIO", "150101", "AV.", "SECRETA");
    publish_on(&app, &PADRON, ago(0), &padron(&[(&person, &cells.join("|"))])).await;
    for days in 0..=5 {
        let found = history(&app, &owner, &json!({"ruc": sample::PERSON, "fecha": ago(days).to_string()})).await;
        assert_eq!((&found["en_fecha"]["direccion"], &found["en_fecha"]["departamento"]), (&json!(""), &json!("")));
        assert_eq!(found["cambios"][0]["dato"], "estado");
        assert_eq!(found["cambios"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_item_with_a_date_is_the_day_of_a_single_call() {
    let (app, owner) = server().await;
    let rucs = [sample::DESCRIBED, sample::SANCTIONED, sample::PERSON, sample::ABSENT, "2010011922"];
    let days = [6, 5, 4, 3, 2, 1, 0, -1].map(|days| ago(days).to_string());
    let (mut items, mut expected) = (Vec::new(), Vec::new());
    for ruc in rucs {
        for day in days.iter().map(String::as_str).chain(["2026-02-30", ""]) {
            let single =
                app.post("/ruc-historial").token(&owner.token).json(json!({"ruc": ruc, "fecha": day}).to_string());
            let single = single.send().await.json();
            items.push(json!({"ruc": ruc, "fecha": day}));
            let mut answer = json!({"ruc": ruc, "code": single["code"], "retryable": single["retryable"]});
            answer["fecha"] = json!(day);
            match single.get("data").filter(|data| !data.is_null()) {
                Some(data) => answer["data"] = data["en_fecha"].clone(),
                None => answer["message"] = single["message"].clone(),
            }
            expected.push(answer);
        }
    }
    let wrong = [
        (json!({"ruc": sample::COMPANY}), "Falta el campo fecha."),
        (json!({"ruc": sample::COMPANY, "fecha": null}), "El campo fecha debe ser un texto entre comillas, no null."),
        (json!({"fecha": days[2]}), "Falta el campo ruc."),
    ];
    for (item, message) in wrong {
        let ruc = item["ruc"].as_str().unwrap_or_default();
        expected.push(json!({"ruc": ruc, "code": "invalid_input", "retryable": false, "message": message}));
        if let Some(day) = item["fecha"].as_str() {
            expected.last_mut().unwrap()["fecha"] = json!(day);
        }
        items.push(item);
    }
    items.push(json!(sample::DESCRIBED));
    let now = app.post("/ruc").token(&owner.token).ruc(sample::DESCRIBED).send().await.found();
    expected.push(json!({"ruc": sample::DESCRIBED, "code": "found", "retryable": false, "data": now}));
    let ask = |accept: &str, items: &[Value]| {
        let request = app.post("/ruc-multiple").token(&owner.token).header("Accept", accept);
        request.json(json!({ "rucs": items }).to_string()).send()
    };
    let found = ask("application/json", &items).await.found();
    assert_eq!(found["resultados"], json!(expected));

    let csv = ask("text/csv", &items[1..3]).await;
    let label = &expected[2]["data"]["edicion"].as_str().unwrap();
    let lines: Vec<&str> = csv.body.lines().collect();
    assert!(lines[0].starts_with("ruc,fecha,code,message,nombre_o_razon_social,"), "{}", lines[0]);
    assert!(
        lines[0].ends_with(",es_buen_contribuyente,existe,edicion,padrones,sin_capacidad_operativa"),
        "{}",
        lines[0]
    );
    let begin = format!("{},{},found,,", sample::DESCRIBED, days[2]);
    assert!(lines[2].starts_with(&begin) && lines[2].contains(",NO HALLADO,"), "{}", lines[2]);
    assert!(lines[2].ends_with(&format!(",NO DISPONIBLE,NO DISPONIBLE,SI,{label},,NO DISPONIBLE")), "{}", lines[2]);
}

/// A month of the open data with these companies and others, and their status and condition.
fn open_data(month: &str, companies: &[(&str, &str)]) -> String {
    let header = DATOS_ABIERTOS.columns.iter().map(|column| column.header).collect::<Vec<_>>().join(",");
    let row = |(ruc, state): &(&str, &str)| format!("{ruc},{state}{},{month}\n", ",-".repeat(12));
    let others = [sample::ON_BOTH_LISTS, sample::OPEN_DATA_ONLY, "20131312955"].map(|ruc| (ruc, "ACTIVO,HABIDO"));
    format!("{header}\n{}", others.iter().chain(companies).map(row).collect::<String>())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn published_months_say_what_a_company_was_before_the_first_edition() {
    let (app, owner) = own_server().await;
    let body = |ruc: &str| json!({"ruc": ruc});
    assert_eq!(history(&app, &owner, &body(sample::DESCRIBED)).await["por_mes"], Value::Null);
    let (both, lost) = ("ACTIVO,HABIDO", "ACTIVO,NO HALLADO");
    for (month, companies) in [
        ("202601", vec![(sample::COMPANY, both)]),
        ("202602", vec![(sample::COMPANY, both), (sample::DESCRIBED, both)]),
        ("202604", vec![(sample::COMPANY, both), (sample::DESCRIBED, lost)]),
        ("202605", vec![(sample::COMPANY, both), (sample::PERSON, lost)]),
    ] {
        let day = format!("{}-{}-01", &month[..4], &month[4..]).parse().unwrap();
        publish_on(&app, &DATOS_ABIERTOS, day, &open_data(month, &companies)).await;
    }
    let found = eventually("the months answer", async || {
        let found = history(&app, &owner, &body(sample::DESCRIBED)).await;
        (found["por_mes"]["hasta"] == "2026-05").then_some(found)
    })
    .await;
    let change = |month: &str, status: Value, condition: Value| json!({"periodo": month, "estado": status, "condicion": condition});
    let expected = [
        change("2026-05", Value::Null, Value::Null),
        change("2026-04", json!("ACTIVO"), json!("NO HALLADO")),
        change("2026-02", json!("ACTIVO"), json!("HABIDO")),
        change("2026-01", Value::Null, Value::Null),
    ];
    let months = json!({"desde": "2026-01", "hasta": "2026-05", "meses_que_faltan": ["2026-03"], "cambios": expected});
    assert_eq!(found["por_mes"], months);
    assert_eq!(found["en_fecha"], Value::Null);
    let unchanged = history(&app, &owner, &body(sample::COMPANY)).await;
    assert_eq!(unchanged["por_mes"]["cambios"], json!([change("2026-01", json!("ACTIVO"), json!("HABIDO"))]));
    assert_eq!(history(&app, &owner, &body(sample::PERSON)).await["por_mes"], Value::Null);
    assert_eq!(app.admin("/readyz").send().await.json()["datasets"][6]["lacks_history"], false);
}
