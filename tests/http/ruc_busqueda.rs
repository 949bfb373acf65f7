//! `POST /ruc-busqueda`: bad input, and an index that is not there.

use serde_json::{Value, json};

use crate::app::scene;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_bad_field_is_named_with_what_is_allowed() {
    let app = scene().start().await;
    let owner = app.owner().await;
    let ask = async |body: &Value| app.post("/ruc-busqueda").token(&owner.token).json(body.to_string()).send().await;
    let named = |name: &str| json!({"nombre": name});
    let with = |field: &str, value: Value| json!({"nombre": "molinos", field: value});
    for (body, parts) in [
        (json!({}), &["nombre"][..]),
        (json!({"nombre": null}), &["nombre", "texto"]),
        (json!({"nombre": 12}), &["nombre", "texto"]),
        (json!({"nombre": ["molinos"]}), &["nombre", "lista"]),
        (named("m"), &["nombre", "2 a 100"]),
        (named(&"m".repeat(101)), &["nombre", "2 a 100", "101"]),
        (named(" m "), &["nombre", "letra"]),
        (named("&&"), &["nombre", "letras o dígitos"]),
        (named(&"a b ".repeat(20)), &["nombre", "10 palabras", "40"]),
        (named(&"molinos ".repeat(100)), &["nombre", "2 a 100", "800"]),
        (named("molinos\u{7}"), &["nombre", "control"]),
        (named("molinos\ndel"), &["nombre", "control"]),
        (json!({"nombre": "el valle", "modo": "contiene"}), &["nombre", "contiene", "3 caracteres", "EL"]),
        (with("modo", json!("exacto")), &["modo", "palabras, comienzo, contiene"]),
        (with("modo", json!(1)), &["modo", "texto"]),
        (with("estado", json!("VIVO")), &["estado", "ACTIVO", "BAJA DE OFICIO"]),
        (with("condicion", json!("VIVO")), &["condicion", "HABIDO", "NO HALLADO"]),
        (with("departamento", json!("MIRAFLORES")), &["departamento", "AMAZONAS", "UCAYALI"]),
        (with("limite", json!(0)), &["limite", "1 a 50"]),
        (with("limite", json!(51)), &["limite", "1 a 50"]),
        (with("limite", json!(2.5)), &["limite", "1 a 50"]),
        (with("limite", json!(true)), &["limite", "número"]),
        (with("cursor", json!("x")), &["cursor", "dañado", "siguiente"]),
        (with("cursor", json!("")), &["cursor", "dañado"]),
        (with("cursor", json!(3)), &["cursor", "texto"]),
    ] {
        let message = ask(&body).await.refused("invalid_input");
        assert!(parts.iter().all(|part| message.contains(part)), "{body}: {message}");
    }
    // A cursor of another query, which the example of the documents is.
    let example: Value = serde_json::from_str(kuraka_api::ruc_busqueda::OPERATION.response.example).unwrap();
    let message = ask(&with("cursor", example["data"]["siguiente"].clone())).await.refused("invalid_input");
    assert!(message.contains("cursor") && message.contains("otra búsqueda"), "{message}");
    let large = app.post("/ruc-busqueda").token(&owner.token).json(with("x", json!("x".repeat(4_096))).to_string());
    assert!(large.send().await.refused("payload_too_large").contains("4 KiB"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_an_edition_a_search_is_answered_as_a_lookup() {
    let app = scene().plan(1_000, 1_000, 1_000).without_edition().start().await;
    let owner = app.owner().await;
    let answer = app.post("/ruc-busqueda").token(&owner.token).json(r#"{"nombre": "molinos"}"#).send().await;
    answer.refused("upstream_unavailable");
    assert_eq!((answer.must("retry-after"), app.used(&owner).await), ("5", 1));
}
