//! The voucher service, as its client sees it.

use std::collections::HashSet;

use kuraka_domain::Date;
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, ISSUER, KnownVoucher, REQUESTER_RUC, Upstream, VOUCHERS};
use serde_json::{Value, json};

use super::client::{Reply, send, start};
use super::tokens::token;

/// Asks about a voucher.
pub(super) async fn ask(upstream: &Upstream, token: &str, question: &Value) -> Reply {
    let head = format!("Content-Type: application/json\r\nAuthorization: Bearer {token}");
    let path = format!("/v1/contribuyente/contribuyentes/{REQUESTER_RUC}/validarcomprobante");
    post(upstream, &path, &head, &question.to_string()).await
}

pub(super) async fn post(upstream: &Upstream, path: &str, head: &str, body: &str) -> Reply {
    let length = body.len();
    let request = format!("POST {path} HTTP/1.1\r\nHost: x\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}");
    send(upstream, &request).await.reply()
}

/// The question about a voucher.
pub(super) fn about(known: &KnownVoucher) -> Value {
    let mut question = json!({
        "numRuc": ISSUER, "codComp": known.kind, "numeroSerie": known.series, "numero": known.number,
        "fechaEmision": Date::parse(known.issued).unwrap().dmy().to_string(),
    });
    if !known.is_physical() {
        question["monto"] = known.total.into();
    }
    question
}

#[tokio::test]
async fn number_and_total_may_be_texts_or_numbers() {
    let upstream = start().await;
    let token = token(&upstream).await;
    let good = about(&VOUCHERS[0]);
    let with = |field: &str, value: Value| {
        let mut question = good.clone();
        question[field] = value;
        question
    };
    for same in [with("numero", "1".into()), with("monto", 118.into()), with("monto", 118.0.into())] {
        assert_eq!(ask(&upstream, &token, &same).await.json()["data"]["estadoCp"], "1", "{same}");
    }
    let others = [
        with("monto", "118.01".into()),
        with("fechaEmision", "16/01/2026".into()),
        with("numero", 999.into()),
        with("numRuc", "20100119227".into()),
        with("codComp", "03".into()),
    ];
    for other in others {
        assert_eq!(ask(&upstream, &token, &other).await.json()["data"], json!({"estadoCp": "0"}), "{other}");
    }
    for (field, value, message) in
        [("fechaEmision", "2026-01-15", "Fecha incorrecta"), ("codComp", "12", "tipo de comprobante es incorrecto: 12")]
    {
        let reply = ask(&upstream, &token, &with(field, value.into())).await;
        assert_eq!((reply.status, &reply.json()["message"]), (422, &message.into()));
    }
}

#[tokio::test]
async fn a_voucher_request_needs_a_token_a_ruc_and_a_body() {
    let upstream = start().await;
    let token = token(&upstream).await;
    assert_eq!(ask(&upstream, "made-up", &about(&VOUCHERS[0])).await.status, 401);
    let body = about(&VOUCHERS[0]).to_string();
    let head = format!("Authorization: Bearer {token}");
    let service = |ruc: &str| format!("/v1/contribuyente/contribuyentes/{ruc}/validarcomprobante");
    assert_eq!(post(&upstream, &service(REQUESTER_RUC), "X-Nothing: here", &body).await.status, 401);
    assert_eq!(post(&upstream, &service("20999990063"), &head, &body).await.status, 403, "its check digit is wrong");
    assert_eq!(post(&upstream, &service(REQUESTER_RUC), &head, "{").await.status, 400);
    assert_eq!(post(&upstream, &service(REQUESTER_RUC), &head, &body).await.status, 200);
}

#[tokio::test]
async fn vouchers_of_an_outcomes_company_meet_the_outcome() {
    let upstream = start().await;
    let token = token(&upstream).await;
    let mut question = about(&VOUCHERS[0]);
    let issuer = |name: &str, fault_target| FaultCase::named(name).unwrap().ruc(fault_target).unwrap().to_string();
    question["numRuc"] = issuer("status-503", FaultTarget::Official).into();
    assert_eq!(ask(&upstream, &token, &question).await.status, 503);
    question["numRuc"] = issuer("label-removed", FaultTarget::Both).into();
    assert_eq!(ask(&upstream, &token, &question).await.json()["data"].get("estadoCp"), None);
    question["numRuc"] = issuer("status-503", FaultTarget::Providers).into();
    assert_eq!(ask(&upstream, &token, &question).await.json()["data"]["estadoCp"], "1");
}

#[test]
fn no_two_vouchers_are_the_same_and_the_readme_lists_each() {
    let readme = include_str!("../../../README.md");
    let rows = readme.lines().filter(|line| line.starts_with("| 0") || line.starts_with("| R1")).count();
    assert_eq!(rows, VOUCHERS.len());
    let mut numbers = HashSet::new();
    for KnownVoucher { kind, series, number, issued, total, about, .. } in VOUCHERS {
        assert!(numbers.insert(number));
        let row = format!("| {kind} | {series} | {number} | {issued} | {total} | {about} |");
        assert!(readme.contains(&row), "{row}");
    }
}
