//! `POST /cambios`: what has changed about the watched RUCs.

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::dataset::{PADRON, RETENCION};
use kuraka_registry::rollback;
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, scene};
use crate::ruc_historial::{ago, line, padron, publish_on};
use crate::seguimiento::watch;

async fn changes(app: &App, owner: &Owner, body: Value) -> Value {
    app.post("/cambios").token(&owner.token).json(body.to_string()).send().await.found()
}

/// RUC, datum and value after of each change.
fn told(page: &Value) -> Vec<(&str, &str, &str)> {
    let changes = page["cambios"].as_array().unwrap().iter();
    changes
        .map(|it| (it["ruc"].as_str().unwrap(), it["dato"].as_str().unwrap(), it["despues"].as_str().unwrap()))
        .collect()
}

/// The padrón in which [`sample::DESCRIBED`] is not found.
fn lost() -> String {
    let described = line(sample::DESCRIBED);
    padron(&[(&described, &described.replace("|HABIDO|", "|NO HALLADO|"))])
}

/// The same, and without [`sample::SANCTIONED`].
fn without() -> String {
    lost().replace(&format!("{}\n", line(sample::SANCTIONED)), "")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn changes_of_watched_rucs_are_told_in_the_order_of_publication() {
    let app = scene().without_edition().plan(3, 1_000, 1_000).start().await;
    publish_on(&app, &PADRON, ago(5), &padron(&[])).await;
    let owner = app.owner().await;
    let start = changes(&app, &owner, json!({})).await;
    assert_eq!((&start["cambios"], &start["al_dia"]), (&json!([]), &json!(true)));
    let from = |page: &Value| json!({"desde": page["siguiente"]});
    watch(&app, &owner, json!({"agregar": [{"ruc": sample::DESCRIBED, "codigo": "P-0042"}, sample::COMPANY]})).await;
    assert_eq!(changes(&app, &owner, from(&start)).await, start);
    assert_eq!(app.used(&owner).await, 0);
    publish_on(&app, &PADRON, ago(4), &lost()).await;
    let second = changes(&app, &owner, from(&start)).await;
    let label = second["cambios"][0]["edicion"].as_str().unwrap();
    assert!(label.starts_with(&ago(4).to_string()));
    let change = json!({"ruc": sample::DESCRIBED, "codigo": "P-0042", "fecha": ago(4), "edicion": label,
        "dato": "condicion", "antes": "HABIDO", "despues": "NO HALLADO"});
    assert_eq!((&second["cambios"], &second["al_dia"]), (&json!([change]), &json!(true)));
    rollback(&app.registry_dir(), &PADRON).unwrap();
    let third = changes(&app, &owner, from(&second)).await;
    assert_eq!(told(&third), [(sample::DESCRIBED, "condicion", "HABIDO")]);
    assert_eq!(third["cambios"][0]["fecha"], json!(ago(5)));
    // It was told before it was watched, and a RUC that is watched now tells what was before.
    watch(&app, &owner, json!({"agregar": [sample::SANCTIONED], "quitar": [sample::DESCRIBED]})).await;
    publish_on(&app, &PADRON, ago(2), &without()).await;
    let all = changes(&app, &owner, json!({"desde": ago(5).to_string(), "limite": 1})).await;
    assert_eq!(told(&all), [(sample::SANCTIONED, "existe", "NO")]);
    assert_eq!(all["al_dia"], json!(true));
    // Three pages had changes, and the plan has three queries. A page without changes is free all the same.
    assert_eq!(app.used(&owner).await, 3);
    let nothing = changes(&app, &owner, from(&all)).await;
    assert_eq!((&nothing["cambios"], &nothing["siguiente"]), (&json!([]), &all["siguiente"]));
    let exhausted = app.post("/cambios").token(&owner.token).json(from(&third).to_string()).send().await;
    exhausted.refused("quota_exceeded");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn all_companies_or_some_data_can_be_asked_for() {
    let app = scene().without_edition().start().await;
    publish_on(&app, &PADRON, ago(5), &padron(&[])).await;
    let agents = encoding_rs::WINDOWS_1252.decode(sample::WITHHOLDING).0.into_owned();
    publish_on(&app, &RETENCION, ago(5), &agents).await;
    let owner = app.owner().await;
    publish_on(&app, &PADRON, ago(3), &without()).await;
    let last = agents.trim_end().rsplit(['\r', '\n']).find(|line| line.starts_with("20")).unwrap();
    publish_on(&app, &RETENCION, ago(2), &agents.replace(last, "")).await;
    let mut body = json!({"desde": ago(3).to_string(), "limite": 2, "todos": true});
    let first = changes(&app, &owner, body.clone()).await;
    let mut both = [(sample::DESCRIBED, "condicion", "NO HALLADO"), (sample::SANCTIONED, "existe", "NO")];
    both.sort_unstable();
    assert_eq!((told(&first), &first["al_dia"]), (both.to_vec(), &json!(false)));
    body["desde"] = first["siguiente"].clone();
    let second = changes(&app, &owner, body.clone()).await;
    assert_eq!((told(&second), &second["al_dia"]), (vec![(&last[..11], "retencion", "NO")], &json!(true)));
    let some = json!({"desde": ago(5).to_string(), "todos": true, "datos": ["estado", "retencion"]});
    assert_eq!(told(&changes(&app, &owner, some).await), told(&second));
    let later = json!({"desde": ago(2).to_string(), "todos": true});
    assert_eq!(told(&changes(&app, &owner, later).await), told(&second));
    let watched = changes(&app, &owner, json!({"desde": ago(5).to_string()})).await;
    assert_eq!((&watched["cambios"], &watched["al_dia"]), (&json!([]), &json!(true)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_empty_page_that_read_much_costs_a_query() {
    let app = scene().without_edition().plan(1, 1_000, 1_000).start().await;
    let company = |number| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, number).unwrap();
        format!("{ruc}|EMPRESA {number} {}|ACTIVO|HABIDO|150101|-|-|-|-|-|-|-|-|-|-|\n", "X".repeat(90))
    };
    publish_on(&app, &PADRON, ago(5), &padron(&[])).await;
    let new: String = (70_000_000..70_050_000).map(company).collect();
    publish_on(&app, &PADRON, ago(4), &(padron(&[]) + &new)).await;
    let owner = app.owner().await;
    watch(&app, &owner, json!({"agregar": [sample::COMPANY]})).await;
    let watched = changes(&app, &owner, json!({"desde": ago(5).to_string()})).await;
    assert_eq!((&watched["cambios"], app.used(&owner).await), (&json!([]), 0));
    let body = json!({"desde": ago(5).to_string(), "todos": true, "datos": ["direccion"]});
    let all = changes(&app, &owner, body.clone()).await;
    assert_eq!((&all["cambios"], &all["al_dia"], app.used(&owner).await), (&json!([]), &json!(true), 1));
    app.post("/cambios").token(&owner.token).json(body.to_string()).send().await.refused("quota_exceeded");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_cannot_be_asked_for_is_refused_with_the_first_date() {
    let app = scene().without_edition().start().await;
    let (owner, other) = (app.owner().await, app.owner().await);
    let send =
        async |owner: &Owner, body: Value| app.post("/cambios").token(&owner.token).json(body.to_string()).send().await;
    let ask = async |owner: &Owner, body: Value| send(owner, body).await.refused("invalid_input");
    let none = send(&owner, json!({"desde": "2026-01-01"})).await;
    assert!(none.refused("service_unavailable").contains("Todavía no hay ninguna edición"));
    assert_eq!(none.number("retry-after"), 60);
    publish_on(&app, &PADRON, ago(5), &padron(&[])).await;
    let cursor = changes(&app, &other, json!({})).await["siguiente"].clone();
    let own = changes(&app, &owner, json!({})).await["siguiente"].clone();
    let damaged = own.as_str().unwrap().replacen(|_: char| true, "_", 1);
    let first = format!("La primera fecha que se puede pedir es {}.", ago(5));
    let old = send(&owner, json!({"desde": ago(6)})).await.refused_with_dates("cursor_expired");
    assert!(old.0.contains(&first), "{old:?}");
    assert_eq!(old.1, format!(r#","desde":"{}""#, ago(5)));
    for from in [cursor, json!(damaged), json!(""), json!("2026-02-30"), json!("a\u{0}b")] {
        let message = ask(&owner, json!({"desde": from})).await;
        assert!(message.contains(&first), "{from}: {message}");
    }
    for (body, reason) in [
        (json!({"limite": 0}), "de 1 a 1000"),
        (json!({"limite": 1_001}), "de 1 a 1000"),
        (json!({"limite": 1.5}), "de 1 a 1000"),
        (json!({"limite": true}), "limite debe ser un número"),
        (json!({"desde": 20_260_101}), "desde debe ser un texto"),
        (json!({"todos": "si"}), "todos debe ser true o false"),
        (json!({"datos": ["condicion", "telefono"]}), "\"telefono\" no existe. Los datos son: existe, nombre_o_razon"),
        (json!({"datos": []}), "datos debe tener de 1 a"),
        (json!({"datos": "condicion"}), "datos debe ser una lista"),
    ] {
        let message = ask(&owner, body).await;
        assert!(message.contains(reason), "{message}");
    }
    // The document names all data.
    let document = app.request("GET", "/openapi.json").send().await.json();
    let names = &document["components"]["schemas"]["ChangedDatumName"]["enum"];
    let names: Vec<_> = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let message = ask(&owner, json!({"datos": ["telefono"]})).await;
    assert!(message.ends_with(&format!("son: {}.", names.join(", "))), "{message}");
    // A list that is missing is a gap. Behind it, the record begins anew.
    publish_on(&app, &PADRON, ago(3), &lost()).await;
    std::fs::remove_dir_all(app.registry_dir().join("padron/changes")).unwrap();
    let (message, dates) = send(&owner, json!({"desde": own})).await.refused_with_dates("cursor_expired");
    assert!(message.contains(&format!("es {}.", ago(3))), "{message}");
    assert_eq!(dates, format!(r#","desde":"{}""#, ago(3)));
    assert_eq!(changes(&app, &owner, json!({"desde": ago(3).to_string()})).await["al_dia"], json!(true));
    assert_eq!(app.used(&owner).await, 0);
}
