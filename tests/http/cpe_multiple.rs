//! `POST /cpe-multiple`: each voucher is answered as a single call would answer it, in any of the forms of a list.

use std::time::Duration;

use kuraka_api::cpe_multiple::OPERATION;
use kuraka_sandbox::upstream::{Delivery, KnownVoucher, Target, VOUCHERS};
use serde_json::{Value, json};

use crate::app::{App, Owner, eventually, scene};
use crate::request::Request;
use crate::sandbox::{asked_about_vouchers, claim, sandbox};
use crate::shared::shared;

const FORM: &str = "application/x-www-form-urlencoded";

fn batch(app: &App, owner: &Owner, body: &Value) -> Request {
    app.post("/cpe-multiple").token(&owner.token).json(body.to_string())
}

/// The claim of an accepted voucher with another number.
fn numbered(number: usize) -> Value {
    let mut claim = claim(&VOUCHERS[0]);
    claim["numero_documento"] = json!(number.to_string());
    claim
}

/// The line of the mass validator for a voucher.
fn line(known: &KnownVoucher, is_dmy: bool) -> String {
    let claim = claim(known);
    let date = known.issued.split('-').rev().collect::<Vec<_>>().join("/");
    let date = if is_dmy { &date } else { known.issued };
    let text = |name: &str| claim[name].as_str().unwrap().to_owned();
    let [issuer, kind, series, number] =
        ["ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento"].map(text);
    format!("{issuer}|{kind}|{series}|{number}|{date}|{}", known.total)
}

/// The codes of the items.
fn codes(data: &Value) -> Vec<&str> {
    data["resultados"].as_array().unwrap().iter().map(|item| item["code"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_has_the_answer_of_a_single_call() {
    let upstream = sandbox().await;
    let (app, owner) = scene().batches(100, 100).vouchers(&upstream).start_with_owner().await;
    let mut claims: Vec<Value> = VOUCHERS.iter().map(claim).collect();
    let changed = |field: &str, value: Value| {
        let mut claim = claim(&VOUCHERS[0]);
        claim[field] = value;
        claim
    };
    claims.extend([
        changed("serie_documento", json!("f001")),
        changed("numero_documento", json!(1)),
        changed("fecha_de_emision", json!("15/01/2026")),
        changed("total", json!("")),
        changed("total", json!("118.00")),
        changed("ruc_emisor", json!("20100119228")),
        json!({}),
    ]);
    let mut expected = Vec::new();
    for claim in &claims {
        let single = app.post("/cpe").token(&owner.token).json(claim.to_string()).send().await;
        let mut answer = single.json();
        let item = answer.as_object_mut().unwrap();
        if single.header("retry-after").is_some() {
            item.insert("retry_after".to_owned(), json!(single.number("retry-after")));
        }
        item.remove("success");
        item.remove("time");
        for field in ["ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision"]
        {
            let text =
                claim[field].as_str().map_or_else(|| claim[field].to_string().replace("null", ""), str::to_owned);
            item.insert(field.to_owned(), json!(text));
        }
        let total =
            claim["total"].as_str().map_or_else(|| claim["total"].to_string().replace("null", ""), str::to_owned);
        item.insert("total".to_owned(), json!(total));
        expected.push(answer);
    }
    let answer = batch(&app, &owner, &json!({ "comprobantes": claims })).send().await;
    let data = answer.found();
    assert_eq!(data["resultados"], json!(expected));
    assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("official", "sandbox"));
    assert_eq!(answer.header("x-registry-edition"), None);
    assert_eq!(data["total"], claims.len());
    assert_eq!(data["encontrados"], expected.iter().filter(|item| item["code"] == "found").count());
    // The first item has its fields in the contract's order.
    let first = r#"{"ruc_emisor":"20999990062","codigo_tipo_documento":"01","serie_documento":"#;
    assert!(answer.body.contains(&format!(r#""resultados":[{first}"#)), "{}", answer.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn lines_texts_and_forms_are_answered_as_objects() {
    let (app, owner) = shared().await;
    let [one, two] = [&VOUCHERS[0], &VOUCHERS[1]];
    let records = |data: &Value| -> Vec<Value> {
        data["resultados"].as_array().unwrap().iter().map(|item| item["data"].clone()).collect()
    };
    let expected = batch(app, &owner, &json!({ "comprobantes": [claim(one), claim(two)] })).send().await.found();
    let expected = records(&expected);
    assert!(expected.iter().all(Value::is_object));

    let lines = json!({ "comprobantes": [line(one, true), line(two, false)] });
    assert_eq!(records(&batch(app, &owner, &lines).send().await.found()), expected);
    for text in [
        format!("{}\n{}", line(one, false), line(two, true)),
        format!("\u{feff}{}\r\n\r\n  {}  \r\n", line(one, true), line(two, true).replace('|', " | ")),
    ] {
        for (path, content_type) in [("/cpe-multiple", "text/plain"), ("/cpe_multiple", "Text/Plain; charset=UTF-8")] {
            let request = app.post(path).token(&owner.token).header("Content-Type", content_type).body(&text);
            assert_eq!(records(&request.send().await.found()), expected, "{text}");
        }
    }
    // At the names of the mass validator the rows are flat, or lines.
    let codes = |data: &Value| -> Vec<String> {
        let rows = ["resultados", "comprobantes"].iter().find_map(|name| data[*name].as_array()).unwrap();
        let code = |row: &Value| match row.as_str() {
            Some(line) => line.rsplit('|').next().unwrap().to_owned(),
            None => row.get("data").unwrap_or(row)["comprobante_estado_codigo"].as_str().unwrap().to_owned(),
        };
        rows.iter().map(code).collect()
    };
    let expected: Vec<_> = expected.iter().map(|record| record["comprobante_estado_codigo"].clone()).collect();
    // One of them is also asked at the legacy base.
    let aliases = OPERATION.aliases.iter().map(|alias| format!("/{alias}"));
    for alias in aliases.chain(["/api/validacion_multiple_cpe_v2".to_owned()]) {
        // The fields that the original service's clients send are ignored.
        let secrets = "ruc_empresa=20100119227&sol_usuario=USUARIO1&clave_usuario=secreta";
        let list =
            [line(one, true), line(two, true)].map(|line| format!("comprobantes[]={}", line.replace('|', "%7C")));
        let form = app
            .post(&alias)
            .token(&owner.token)
            .header("Content-Type", FORM)
            .body(format!("{secrets}&{}", list.join("&")));
        assert_eq!(codes(&form.send().await.found()), expected, "{alias}");
        let more =
            json!({"ruc_empresa": "20100119227", "sol_usuario": [1], "comprobantes": [claim(one), line(two, true)]});
        let post = app.post(&alias).token(&owner.token).json(more.to_string());
        assert_eq!(codes(&post.send().await.found()), expected, "{alias}");
    }
    let form = app.post("/cpe-multiple").token(&owner.token).header("Content-Type", FORM).body("comprobantes[]=x");
    let message = form.send().await.refused("unsupported_media_type");
    assert!(message.contains("application/json o text/plain"), "{message}");
    let other = app.post("/cpe_multiple").token(&owner.token).header("Content-Type", "application/xml").body("x");
    let message = other.send().await.refused("unsupported_media_type");
    assert!(message.contains(FORM) && message.contains("text/plain"), "{message}");
    app.post("/cpe")
        .token(&owner.token)
        .header("Content-Type", "text/plain")
        .body(line(one, true))
        .send()
        .await
        .refused("unsupported_media_type");
    let empty = app.post("/cpe-multiple").token(&owner.token).header("Content-Type", "text/plain").body("\r\n \n");
    let message = "La lista comprobantes debe tener de 1 a 100 elementos en su plan, y tiene 0.";
    assert_eq!(empty.send().await.refused("invalid_input"), message);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn one_issuer_fills_the_items_that_lack_one() {
    let (app, owner) = shared().await;
    let known = &VOUCHERS[0];
    let mut without = claim(known);
    without.as_object_mut().unwrap().remove("ruc_emisor");
    let mut other = claim(known);
    other["ruc_emisor"] = json!("20100119227");
    let line = line(known, true);
    let bare = &line[line.find('|').unwrap()..];
    let items = json!([without, bare, other, line]);
    let body = json!({ "ruc_emisor": "20999990062", "comprobantes": items });
    let data = batch(app, &owner, &body).send().await.found();
    assert_eq!(codes(&data), ["found"; 4]);
    let issuers: Vec<_> =
        data["resultados"].as_array().unwrap().iter().map(|item| item["ruc_emisor"].clone()).collect();
    assert_eq!(issuers, ["20999990062", "20999990062", "20100119227", "20999990062"]);
    let data = batch(app, &owner, &json!({ "comprobantes": items })).send().await.found();
    assert_eq!(codes(&data), ["invalid_input", "invalid_input", "found", "found"]);
    assert_eq!(data["resultados"][0]["message"], "Falta el campo ruc_emisor.");
    assert_eq!(data["resultados"][0]["ruc_emisor"], "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_line_says_what_is_wrong_with_it() {
    let (app, owner) = shared().await;
    let not_a_line = "La línea debe tener seis campos separados por |: ruc|tipo|serie|numero|fecha|total.";
    let amount = "El campo total es incorrecto: debe ser un monto sin signo ni exponente, como 118.00.";
    let date = "El campo fecha_de_emision es incorrecto: debe ser una fecha que exista, como 2026-01-31.";
    for (line, message) in [
        ("", not_a_line),
        ("20999990062|01|F001|1|15/01/2026", not_a_line),
        ("20999990062|01|F001|1|15/01/2026|118.00|", not_a_line),
        ("20999990062|01|F001|1|15/01/2026|", amount),
        ("20999990062|01|F001|1|15/01/2026|1,180.00", amount),
        ("20999990062|01|F001|1|1/1/2026|118.00", date),
        ("20999990062|01|F001|1|31/02/2026|118.00", date),
        (
            "20999990062|01|F001|1|15/01/2999|118.00",
            "El campo fecha_de_emision es incorrecto: no puede ser posterior a hoy en el Perú.",
        ),
    ] {
        let data = batch(app, &owner, &json!({ "comprobantes": [line] })).send().await.found();
        let item = &data["resultados"][0];
        assert_eq!(
            (&item["code"], &item["message"], &item["retryable"]),
            (&json!("invalid_input"), &json!(message), &json!(false))
        );
        match message == not_a_line {
            true => assert_eq!((&item["linea"], item.get("ruc_emisor")), (&json!(line), None)),
            false => assert_eq!((item.get("linea"), &item["ruc_emisor"]), (None, &json!("20999990062"))),
        }
    }
    let printed = VOUCHERS.iter().find(|known| known.about == "authorised, physical").unwrap();
    let mut claim = line(printed, true);
    claim.truncate(claim.rfind('|').unwrap() + 1);
    let data = batch(app, &owner, &json!({ "comprobantes": [claim] })).send().await.found();
    assert_eq!(data["resultados"][0]["data"]["comprobante_estado_descripcion"], "AUTORIZADO");
    assert_eq!(data["resultados"][0]["total"], "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_failing_source_fails_each_item_and_not_the_list() {
    let upstream = sandbox().await;
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).vouchers(&upstream).start_with_owner().await;
    let items = json!({ "comprobantes": [claim(&VOUCHERS[0]), "x", claim(&VOUCHERS[1]), claim(&VOUCHERS[0])] });
    upstream.fault(&Target::Vouchers, Delivery::ResetBeforeHead, usize::MAX);
    let answer = batch(&app, &owner, &items).send().await;
    let data = answer.found();
    assert_eq!(codes(&data), ["upstream_unavailable", "invalid_input", "upstream_unavailable", "upstream_unavailable"]);
    assert_eq!((&data["encontrados"], &data["resultados"][0]["retryable"]), (&json!(0), &json!(true)));
    assert_eq!(answer.header("x-source"), None);
    assert_eq!(app.used(&owner).await, 4);
    let nothing = scene().start().await;
    let owner = nothing.owner().await;
    let data = batch(&nothing, &owner, &items).send().await.found();
    assert_eq!(codes(&data)[0], "upstream_unavailable", "without credentials");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn equal_vouchers_of_a_list_share_one_request() {
    let upstream = sandbox().await;
    let (app, owner) = scene().batches(100, 100).vouchers(&upstream).start_with_owner().await;
    let items: Vec<Value> = (0..100).map(|nth| claim(&VOUCHERS[nth % 2])).collect();
    let data = batch(&app, &owner, &json!({ "comprobantes": items })).send().await.found();
    assert_eq!(codes(&data), ["found"; 100]);
    assert_eq!(asked_about_vouchers(&upstream), [1, 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_leave_room_for_single_vouchers() {
    let upstream = sandbox().await;
    let (app, owner) = scene().batches(100, 100).vouchers(&upstream).start_with_owner().await;
    upstream.fault(&Target::Vouchers, Delivery::Late(Duration::from_secs(1)), usize::MAX);
    let lists = (0..4).map(|list| {
        let items: Vec<Value> = (0..20).map(|nth| numbered(1_000 + list * 100 + nth)).collect();
        tokio::spawn(batch(&app, &owner, &json!({ "comprobantes": items })).send())
    });
    let lists: Vec<_> = lists.collect();
    eventually("the lists are at the source", async || (asked_about_vouchers(&upstream)[1] >= 8).then_some(())).await;
    let began = tokio::time::Instant::now();
    let single = app.post("/cpe").token(&owner.token).json(numbered(7).to_string()).send().await;
    single.found();
    assert!(began.elapsed() < Duration::from_millis(1_900), "{:?}: it waited for no place", began.elapsed());
    for list in lists {
        list.abort();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_of_a_disconnected_client_is_charged_once_and_ends() {
    let upstream = sandbox().await;
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).vouchers(&upstream).start_with_owner().await;
    upstream.fault(&Target::Vouchers, Delivery::Hang, usize::MAX);
    let items: Vec<Value> = (1..=20).map(numbered).collect();
    let mut wire = app.connect().await;
    wire.send(&batch(&app, &owner, &json!({ "comprobantes": items })).bytes()).await;
    eventually("the source is asked", async || (asked_about_vouchers(&upstream)[1] == 8).then_some(())).await;
    wire.stream.set_zero_linger().unwrap();
    drop(wire);
    eventually("the departure is counted", async || {
        let metrics = app.admin("/metrics").send().await.body;
        metrics.contains(r#"kuraka_callers_gone_total{operation="cpe-multiple"} 1"#).then_some(())
    })
    .await;
    assert_eq!(asked_about_vouchers(&upstream)[1], 8, "the others are not asked");
    assert_eq!(app.used(&owner).await, 20);
}
