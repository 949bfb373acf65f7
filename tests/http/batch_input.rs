//! Lists that are refused as a whole: the message says what is wrong and how much is allowed, and the call costs one query.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use serde_json::json;

use crate::app::{App, Owner, scene};
use crate::sandbox::claim;
use crate::shared::shared;

/// The operations, with the name of their list and the name of an item that is no text.
const LISTS: [(&str, &str); 2] = [("/ruc-multiple", "rucs"), ("/cpe-multiple", "comprobantes")];

async fn refusal(app: &App, owner: &Owner, path: &str, body: &str) -> String {
    app.post(path).token(&owner.token).json(body).send().await.refused("invalid_input")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_message_says_what_is_wrong_with_a_list() {
    let (app, owner) = shared().await;
    let mut used = 0;
    for (path, list) in LISTS {
        for (value, message) in [
            ("[]", format!("La lista {list} debe tener de 1 a MOST elementos en su plan, y tiene 0.")),
            ("\"20100119227\"", format!("El campo {list} debe ser una lista, no un texto.")),
            ("{}", format!("El campo {list} debe ser una lista, no un objeto.")),
            ("7", format!("El campo {list} debe ser una lista, no un número.")),
            ("null", format!("El campo {list} debe ser una lista, no null.")),
            (r#"["x", 20100119227]"#, format!("El elemento 2 de {list} debe ser EXPECTED, no un número.")),
            (r#"["x", "y", null]"#, format!("El elemento 3 de {list} debe ser EXPECTED, no null.")),
            (r#"[["x"]]"#, format!("El elemento 1 de {list} debe ser EXPECTED, no una lista.")),
            ("[true]", format!("El elemento 1 de {list} debe ser EXPECTED, no un valor lógico.")),
        ] {
            let message = message.replace("MOST", "100").replace("EXPECTED", "un objeto o un texto");
            assert_eq!(refusal(app, &owner, path, &format!(r#"{{"{list}":{value}}}"#)).await, message);
            used += 1;
        }
        assert_eq!(refusal(app, &owner, path, "{}").await, format!("Falta el campo {list}."));
        used += 1;
    }
    for ficha in ["1", "\"true\"", "[]", "{}"] {
        let body = format!(r#"{{"rucs":["20100119227"],"ficha":{ficha}}}"#);
        assert_eq!(refusal(app, &owner, LISTS[0].0, &body).await, "El campo ficha debe ser true o false.");
    }
    let issuer = refusal(app, &owner, LISTS[1].0, r#"{"ruc_emisor":20100119227,"comprobantes":["x"]}"#).await;
    assert_eq!(issuer, "El campo ruc_emisor debe ser un texto entre comillas, no un número.");
    assert_eq!(app.used(&owner).await, used + 5, "each costs one query, as an invalid single call");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_plan_says_how_long_a_list_may_be() {
    for (scene, [rucs, vouchers]) in [(scene().batches(3, 2), [3, 2]), (scene().batches(1_000, 100), [1_000, 100])] {
        let (app, owner) = scene.start_with_owner().await;
        for ((path, list), most) in LISTS.into_iter().zip([rucs, vouchers]) {
            let body = |length: usize| json!({ list: vec![sample::COMPANY; length] }).to_string();
            let data = app.post(path).token(&owner.token).json(body(most)).send().await.found();
            assert_eq!(data["total"], most);
            let message =
                format!("La lista {list} debe tener de 1 a {most} elementos en su plan, y tiene {}.", most + 1);
            assert_eq!(refusal(&app, &owner, path, &body(most + 1)).await, message);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_may_have_64_kib_and_no_byte_more() {
    const LIMIT: usize = 64 * 1024;
    let mut wires = Vec::new();
    let (app, owner) = shared().await;
    for body in [json!({ "rucs": [sample::COMPANY] }), json!({ "comprobantes": [claim(&VOUCHERS[0])] })] {
        let path = if body.get("rucs").is_some() { LISTS[0].0 } else { LISTS[1].0 };
        let padded = |length: usize| format!("{body}{}", " ".repeat(length - body.to_string().len()));
        let mut wire = app.connect().await;
        wire.ask(&app.post(path).token(&owner.token).json(padded(LIMIT))).await.found();
        let used = app.used(&owner).await;
        let answer = wire.ask(&app.post(path).token(&owner.token).json(padded(LIMIT + 1))).await;
        assert_eq!(answer.refused("payload_too_large"), "El cuerpo supera los 64 KiB permitidos.");
        assert_eq!(answer.must("connection"), "close", "the rest of the body is not read");
        assert_eq!(app.used(&owner).await, used);
        wires.push(wire);
    }
    for wire in &mut wires {
        assert!(wire.is_closed().await);
    }
}
