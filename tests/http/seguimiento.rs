//! `POST /seguimiento` and `GET /seguimiento`: the RUCs that an account watches.

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, scene};

pub(crate) async fn watch(app: &App, owner: &Owner, body: Value) -> Value {
    app.post("/seguimiento").token(&owner.token).json(body.to_string()).send().await.found()
}

async fn list(app: &App, owner: &Owner) -> Value {
    app.request("GET", "/seguimiento").token(&owner.token).send().await.found()
}

fn company(number: u32) -> String {
    Ruc::from_parts(RucKind::LegalPerson, number).unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn rucs_are_added_listed_and_removed() {
    let app = scene().without_edition().plan(0, 1_000, 1_000).start().await;
    let (owner, other) = (app.owner().await, app.owner().await);
    assert_eq!(list(&app, &owner).await, json!({"total": 0, "rucs": [], "siguiente": null}));
    let person = Ruc::from_parts(RucKind::NaturalPerson, 99_999_901).unwrap().to_string();
    let body = json!({"agregar": [
        sample::COMPANY,
        {"ruc": sample::DESCRIBED, "codigo": " P-0042 "},
        {"ruc": person, "codigo": null},
        "2010011922",
        {"ruc": company(1), "codigo": "x".repeat(41)},
        {"codigo": "A"},
        company(2),
    ], "quitar": [company(2), "no"]});
    let done = watch(&app, &owner, body).await;
    assert_eq!([&done["total"], &done["agregados"], &done["quitados"]], [&json!(3), &json!(3), &json!(0)]);
    let bad = done["no_validos"].as_array().unwrap();
    let rucs: Vec<_> = bad.iter().map(|item| item["ruc"].as_str().unwrap()).collect();
    assert_eq!(rucs, ["2010011922", &company(1), "", "no"]);
    assert!(bad.iter().all(|item| !item["message"].as_str().unwrap().is_empty()));
    let mut expected = [(sample::COMPANY, Value::Null), (sample::DESCRIBED, json!("P-0042")), (&*person, Value::Null)];
    expected.sort_by_key(|(ruc, _)| *ruc);
    let rucs: Vec<_> = expected.iter().map(|(ruc, code)| json!({"ruc": ruc, "codigo": code})).collect();
    assert_eq!(list(&app, &owner).await, json!({"total": 3, "rucs": rucs, "siguiente": null}));
    assert_eq!(list(&app, &other).await["total"], 0);
    let again = watch(&app, &owner, json!({"agregar": [sample::DESCRIBED], "quitar": [company(9), person]})).await;
    assert_eq!(again, json!({"total": 2, "agregados": 0, "quitados": 1, "no_validos": []}));
    assert_eq!(list(&app, &owner).await["rucs"][1]["codigo"], json!("P-0042"));
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_is_read_in_pages_with_cursors_of_its_own() {
    let app = scene().without_edition().watched(2_000).start().await;
    let (owner, other) = (app.owner().await, app.owner().await);
    for start in [0, 1_000] {
        let rucs: Vec<_> = (start..start + 1_000).map(company).collect();
        watch(&app, &owner, json!({ "agregar": rucs })).await;
    }
    let first = list(&app, &owner).await;
    assert_eq!((first["rucs"].as_array().unwrap().len(), &first["total"]), (1_000, &json!(2_000)));
    let cursor = first["siguiente"].as_str().unwrap();
    let page = |owner: &Owner, query: &str| app.request("GET", &format!("/seguimiento?{query}")).token(&owner.token);
    let second = page(&owner, &format!("cursor={cursor}")).send().await.found();
    assert_eq!((&second["rucs"][0]["ruc"], &second["siguiente"]), (&json!(company(1_000)), &Value::Null));
    assert_eq!(second["rucs"].as_array().unwrap().len(), 1_000);
    for (owner, query) in [(&other, &*format!("cursor={cursor}")), (&owner, "cursor=x"), (&owner, "cursor=")] {
        let message = page(owner, query).send().await.refused("invalid_input");
        assert!(message.contains("siguiente"), "{message}");
    }
    for query in ["pagina=1", "cursor=a&cursor=b"] {
        let message = page(&owner, query).send().await.refused("invalid_input");
        assert!(message.contains("solo admite el parámetro cursor"), "{message}");
    }
    // One more than the plan allows: nothing is changed.
    let body = json!({"agregar": [company(5_000), {"ruc": company(0), "codigo": "A"}]}).to_string();
    let refused = app.post("/seguimiento").token(&owner.token).json(body).send().await;
    assert!(refused.refused("watch_limit_exceeded").contains("2000 RUC: no se cambió nada"));
    assert_eq!(list(&app, &owner).await["rucs"][0]["codigo"], Value::Null);
    let swapped = json!({"agregar": [company(5_000)], "quitar": [company(0)]});
    assert_eq!(watch(&app, &owner, swapped).await["total"], 2_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn additions_beyond_twice_the_list_cost_a_query_each() {
    let (app, owner) = scene().without_edition().plan(3, 1_000, 1_000).watched(2).start_with_owner().await;
    let change = async |add: &[u32], remove: &[u32]| {
        let [add, remove] = [add, remove].map(|numbers| numbers.iter().map(|it| company(*it)).collect::<Vec<_>>());
        let body = json!({"agregar": add, "quitar": remove}).to_string();
        app.post("/seguimiento").token(&owner.token).json(body).send().await
    };
    change(&[1, 2], &[]).await.found();
    change(&[2, 3, 4], &[1, 2]).await.found();
    assert_eq!(app.used(&owner).await, 0);
    let paid = change(&[3, 5, 6], &[3, 4]).await;
    assert_eq!(paid.found()["agregados"], 2);
    assert!(paid.must("ratelimit").contains("r=1"), "{paid:?}");
    assert_eq!(app.used(&owner).await, 2);
    // All or none: one is left.
    let before = list(&app, &owner).await;
    let refused = change(&[7, 8], &[5, 6]).await.refused("quota_exceeded");
    assert!(refused.contains("cuesta 2 consultas y a su plan le queda 1"), "{refused}");
    assert_eq!((list(&app, &owner).await, app.used(&owner).await), (before, 2));
    change(&[7], &[5]).await.found();
    assert_eq!(app.used(&owner).await, 3);
    change(&[], &[6, 7]).await.found();
    let metrics = app.admin("/metrics").send().await.body;
    assert!(metrics.contains("kuraka_queries_charged_total{operation=\"seguimiento\"} 3"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_body_that_cannot_be_read_changes_nothing() {
    let (app, owner) = scene().without_edition().start_with_owner().await;
    let many: Vec<_> = (0..1_001).map(company).collect();
    for (body, reason) in [
        (json!({}), "Falta el campo agregar o quitar"),
        (json!({"agregar": null, "quitar": null}), "Falta el campo agregar o quitar"),
        (json!({"agregar": many}), "hasta 1000 RUC a la vez, y son 1001"),
        (json!({"agregar": many[1..], "quitar": [many[0]]}), "hasta 1000 RUC a la vez, y son 1001"),
        (json!({"agregar": sample::COMPANY}), "agregar debe ser una lista"),
        (json!({"agregar": [sample::COMPANY, 20_100_119_227_u64]}), "El elemento 2 de agregar"),
        (json!({"quitar": [{"ruc": sample::COMPANY}]}), "El elemento 1 de quitar"),
    ] {
        let answer = app.post("/seguimiento").token(&owner.token).json(body.to_string()).send().await;
        let message = answer.refused("invalid_input");
        assert!(message.contains(reason), "{message}");
    }
    let nothing = watch(&app, &owner, json!({"agregar": [], "quitar": []})).await;
    assert_eq!(nothing["total"], 0);
    assert_eq!(watch(&app, &owner, json!({ "agregar": many[1..] })).await["agregados"], 1_000);
}
