//! Invalid vouchers: each field in every wrong form. The message names the field, and the server sends no request.

use kuraka_sandbox::upstream::VOUCHERS;
use serde_json::json;

use crate::app::{now, scene};
use crate::sandbox::{asked_about_vouchers, claim, sandbox};
use crate::shared::shared;

const FIELDS: [&str; 6] =
    ["ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision", "total"];

/// A body in which this JSON text replaces the value of a field.
fn with(field: &str, value: &str) -> String {
    const HERE: &str = "\"@here@\"";
    let mut body = claim(&VOUCHERS[0]);
    body[field] = json!("@here@");
    body.to_string().replace(HERE, value)
}

fn without(field: &str) -> String {
    let mut body = claim(&VOUCHERS[0]);
    body.as_object_mut().unwrap().remove(field);
    body.to_string()
}

/// Fields, each with JSON that is not valid for it.
fn wrong() -> Vec<(&'static str, String)> {
    let mut wrong: Vec<(&'static str, String)> = Vec::new();
    for field in FIELDS {
        let others =
            ["null", "true", "[]", "{}", "[\"01\"]", "\"\"", "\" \"", "\"\\u0000\"", "\"１２３\"", "\"١٢٣\"", "\"²\""];
        wrong.extend(others.map(|value| (field, value.to_owned())));
        if field != "total" {
            wrong.extend(["1", "0", "20999990062", "1e3"].map(|value| (field, value.to_owned())));
        }
    }
    let texts: [(&'static str, &[&str]); 6] = [
        ("ruc_emisor", &["20999990063", "2099999006", "209999900622", "30999990062", "+2099999006", "20999990062 "]),
        ("codigo_tipo_documento", &["1", "02", "12", "001", "r1", "01 ", "09", "factura"]),
        (
            "serie_documento",
            &["B001", "EB01", "F01", "F0011", "f001", "F-01", "FÑ01", "00001", "E002", " F001", "F001\\n"],
        ),
        ("numero_documento", &["123456789", "-1", "1.0", "1e3", "F1", " 1", "1 ", "0x1"]),
        (
            "fecha_de_emision",
            &["2026-02-30", "2025-02-29", "15/01/2026", "2026-1-15", "2026-01-15T00:00:00", "20260115", "0000-01-01"],
        ),
        (
            "total",
            &[
                "1e308", "7e1", "-0", "-1", "NaN", "Infinity", "1,5", "1.500,00", "S/ 118", "0x10", "01", ".5", "5.",
                "118.000", " 118",
            ],
        ),
    ];
    for (field, values) in texts {
        wrong.extend(values.iter().map(|value| (field, format!("\"{value}\""))));
    }
    let tomorrow = now() + std::time::Duration::from_secs(2 * 86_400);
    wrong.push(("fecha_de_emision", format!("\"{}\"", tomorrow.strftime("%Y-%m-%d"))));
    let numbers = "1e308 7e1 7E+1 -0 -0.01 -1 118.001 118.000 0.123456789012345678 1000000000000 \
         999999999999999999999999999999 18446744073709551616";
    wrong.extend(numbers.split(' ').map(|value| ("total", value.to_owned())));
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_message_names_an_invalid_field_and_no_request_is_made() {
    let upstream = sandbox().await;
    let mut app = scene().vouchers(&upstream).start().await;
    let owner = app.owner().await;
    let mut wire = app.connect().await;
    let cases: Vec<(&str, String)> = FIELDS
        .map(|field| (field, without(field)))
        .into_iter()
        .chain(wrong().into_iter().map(|(field, value)| (field, with(field, &value))))
        .collect();
    assert!(cases.len() > 150);
    for (field, body) in &cases {
        let answer = wire.ask(&app.post("/cpe").token(&owner.token).json(body)).await;
        let message = answer.refused("invalid_input");
        assert!(message.contains(field), "{body}: {message}");
        assert_eq!(answer.header("x-source"), None);
    }
    assert_eq!(asked_about_vouchers(&upstream), [0, 0]);
    drop(wire);
    app.stop().await;
    assert_eq!(app.used(&owner).await, cases.len() as u64, "each call is charged once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_lower_case_series_is_told_of_the_case() {
    let (app, owner) = shared().await;
    for (series, is_about_case) in [("f001", true), ("F0a1", true), ("F01", false), ("B001", false)] {
        let post = app.post("/cpe").token(&owner.token).json(with("serie_documento", &format!("\"{series}\"")));
        let message = post.send().await.refused("invalid_input");
        assert_eq!(message.contains("en mayúsculas"), is_about_case, "{series}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_voucher_issued_today_is_sent_to_the_service() {
    let (app, owner) = shared().await;
    let today = kuraka_app::calendar::today(now()).to_string();
    let body = with("fecha_de_emision", &format!("{today:?}"));
    let record = app.post("/cpe").token(&owner.token).json(body).send().await.found();
    assert_eq!(record["comprobante_estado_codigo"], "0");
}
