//! The ways in which clients of the original interface write a request: at every path below `/api` and at aliases, and
//! nowhere else.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{ISSUER, VOUCHERS};
use serde_json::{Value, json};

use crate::request::Request;
use crate::sandbox::claim;
use crate::shared::shared;

const FORM: &str = "application/x-www-form-urlencoded";
const BOUNDARY: &str = "----WebKitFormBoundary7MA4YWxk";

/// Fields as `multipart/form-data`.
pub(crate) fn multipart(request: Request, fields: &[(String, String)]) -> Request {
    let part = |(name, value): &(String, String)| {
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body = fields.iter().map(part).collect::<String>() + &format!("--{BOUNDARY}--\r\n");
    request.header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}

/// Fields as `application/x-www-form-urlencoded`.
pub(crate) fn form(request: Request, fields: &[(String, String)]) -> Request {
    request.header("Content-Type", FORM).body(encoded(fields))
}

fn encoded(fields: &[(String, String)]) -> String {
    // As PHP writes names and values: everything but letters and digits is escaped.
    let escaped = |text: &str| {
        let byte = |byte: u8| match byte {
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(byte).collect::<String>()
    };
    fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect::<Vec<_>>().join("&")
}

/// The fields of a JSON object, as forms have them.
pub(crate) fn fields(object: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    flatten(String::new(), object, &mut found);
    found
}

fn flatten(name: String, value: &Value, found: &mut Vec<(String, String)>) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}[{key}]") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| flatten(below(key), value, found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| flatten(below(&at.to_string()), item, found));
        }
        Value::String(text) => found.push((name, text.clone())),
        Value::Null | Value::Bool(_) | Value::Number(_) => found.push((name, value.to_string())),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_form_of_a_request_is_answered_alike() {
    let (app, owner) = shared().await;
    let ruc = json!({"ruc": sample::DESCRIBED});
    let voucher = claim(&VOUCHERS[0]);
    for (paths, body) in [
        (&["/api/ruc", "/api/ruc-ficha", "/api/ruc-sunat", "/ruc_sunat", "/ruc_ficha", "/api/ruc_anexos"][..], &ruc),
        (&["/api/ruc-busqueda", "/api/ruc_busqueda"], &json!({"nombre": "3M PERU"})),
        (&["/api/ruc-historial"], &ruc),
        (&["/api/ruc-multiple", "/ruc_multiple"], &json!({"rucs": [sample::COMPANY, sample::DESCRIBED]})),
        (&["/api/cpe"], &voucher),
        (
            &["/api/cpe-multiple", "/cpe_multiple", "/api/validacion-multiple-cpe"],
            &json!({"comprobantes": [voucher, voucher]}),
        ),
    ] {
        for path in paths {
            let post = || app.post(path).token(&owner.token);
            let (expected, fields) = (post().json(body.to_string()).send().await.found(), fields(body));
            let backwards: Vec<_> = fields.iter().rev().cloned().collect();
            let query = || app.post(&format!("{path}?{}", encoded(&fields))).token(&owner.token);
            for (how, request) in [
                ("form", form(post(), &fields)),
                ("backwards", form(post(), &backwards)),
                ("multipart", multipart(post(), &fields)),
                ("query", query()),
                ("query, an empty body", query().body("")),
                ("query, JSON's media type", query().json("")),
                ("query, a form's media type", query().header("Content-Type", FORM).body("\r\n")),
                ("a spare slash", app.post(&format!("{path}/")).token(&owner.token).json(body.to_string())),
                ("a doubled slash", app.post(&format!("/{path}")).token(&owner.token).json(body.to_string())),
            ] {
                let mut answer = request.send().await.found();
                // What was sent as a number is echoed as a text of a form.
                let mut expected = expected.clone();
                for answer in [&mut answer, &mut expected] {
                    for item in answer.get_mut("comprobantes").and_then(Value::as_array_mut).into_iter().flatten() {
                        item.as_object_mut().unwrap().remove("total");
                    }
                }
                if *path == "/api/cpe" {
                    for answer in [&mut answer, &mut expected] {
                        answer.as_object_mut().unwrap().remove("total");
                    }
                }
                assert_eq!(answer, expected, "{path}: {how}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn digits_may_be_a_number_and_a_date_may_have_a_time() {
    let (app, owner) = shared().await;
    let post = |path: &str, body: String| app.post(path).token(&owner.token).json(body);
    let number = |ruc: &str| format!("{{\"ruc\": {ruc} }}");
    assert_eq!(post("/api/ruc", number(sample::COMPANY)).send().await.found()["ruc"], sample::COMPANY);
    post("/api/ruc", number("20100119227.0")).send().await.refused("invalid_input");
    post("/api/ruc", number("2.0100119227e10")).send().await.refused("invalid_input");
    post("/ruc", number(sample::COMPANY)).send().await.refused("invalid_input");
    let mut voucher = claim(&VOUCHERS[0]);
    voucher["numero_documento"] = 1.into();
    voucher["ruc_emisor"] = ISSUER.parse::<u64>().unwrap().into();
    post("/cpe", voucher.to_string()).send().await.refused("invalid_input");
    for time in ["", "T00:00:00", "T23:59:59.999Z", " 00:00:00", "T00:00:00-05:00", "T05:00:00.000000Z"] {
        voucher["fecha_de_emision"] = format!("{}{time}", VOUCHERS[0].issued).into();
        let data = post("/api/cpe", voucher.to_string()).send().await.found();
        assert_eq!(
            (&data["comprobante_estado_codigo"], &data["numero_documento"]),
            (&"1".into(), &"1".into()),
            "{time}"
        );
    }
    for no_time in ["x", "T00:00:00 Lima", "/2026"] {
        voucher["fecha_de_emision"] = format!("{}{no_time}", VOUCHERS[0].issued).into();
        post("/api/cpe", voucher.to_string()).send().await.refused("invalid_input");
    }
    let lists = json!({"rucs": [sample::COMPANY.parse::<u64>().unwrap()]}).to_string();
    assert_eq!(post("/api/ruc-multiple", lists.clone()).send().await.found()["resultados"][0]["code"], "found");
    post("/ruc-multiple", lists).send().await.refused("invalid_input");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_hundred_vouchers_of_six_fields_are_one_request() {
    let (app, owner) = shared().await;
    let items: Vec<_> = (0..100).map(|_| claim(&VOUCHERS[0])).collect();
    let body = json!({
        "ruc_empresa": ISSUER, "sol_usuario": "MODDATOS", "clave_usuario": "moddatos", "comprobantes": items,
    });
    let fields = fields(&body);
    assert_eq!(fields.len(), 603);
    let post = || app.post("/api/cpe-multiple").token(&owner.token);
    for request in [post().json(body.to_string()), form(post(), &fields), multipart(post(), &fields)] {
        assert_eq!(request.send().await.found()["encontrados"], 100);
    }
    // The list is bounded by its items, and by its bytes.
    let one_more = json!({"comprobantes": vec![claim(&VOUCHERS[0]); 101]});
    let message = form(post(), &self::fields(&one_more)).send().await.refused("invalid_input");
    assert!(message.contains("101"), "{message}");
    form(post(), &[("x".to_owned(), "x".repeat(128 * 1024))]).send().await.refused("payload_too_large");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_get_with_a_body_is_answered_and_its_body_ignored() {
    let (app, owner) = shared().await;
    let get = || app.request("GET", &format!("/api/ruc/{}", sample::COMPANY)).token(&owner.token);
    for request in [
        get().header("Content-Type", "application/json"),
        get().json(""),
        get().ruc(sample::ABSENT),
        get().json("{"),
        get().json("x".repeat(5_000)),
        get().json("x".repeat(60_000)),
        app.request("GET", &format!("/api/ruc/{}?ruc=1", sample::COMPANY)).token(&owner.token),
    ] {
        assert_eq!(request.send().await.found()["ruc"], sample::COMPANY);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_is_wrong_with_a_form_is_said() {
    let (app, owner) = shared().await;
    let post = |path: &str| app.post(path).token(&owner.token);
    let of_form = async |body: &str| {
        post("/api/cpe-multiple").header("Content-Type", FORM).body(body).send().await.refused("invalid_input")
    };
    let gap = "A la lista comprobantes del formulario le falta el elemento [1]: se numeran desde 0, sin saltos.";
    assert_eq!(of_form("comprobantes[2]=a&comprobantes[0]=b").await, gap);
    let repeated = "El cuerpo repite la clave comprobantes[0][total]; cada campo va una sola vez.";
    assert_eq!(of_form("comprobantes[0][total]=1&comprobantes[0][total]=2").await, repeated);
    let in_parts = |body: &str| {
        let content_type = "multipart/form-data; boundary=x; charset=utf-8";
        post("/api/ruc").header("Content-Type", content_type).body(body).send()
    };
    let message = in_parts("ruc=20100119227").await.refused("invalid_input");
    assert_eq!(message, "El formulario multipart está incompleto, o su separador no es el que dice Content-Type.");
    let file = "--x\r\nContent-Disposition: form-data; name=\"ruc\"; filename=\"a\"\r\n\r\n1\r\n--x--";
    assert_eq!(in_parts(file).await.refused("invalid_input"), "El formulario no puede llevar archivos, solo campos.");
    let no_boundary = post("/api/ruc").header("Content-Type", "multipart/form-data").body(file);
    no_boundary.send().await.refused("unsupported_media_type");
    // A path of the contract takes none of it.
    for content_type in [FORM, "multipart/form-data; boundary=x"] {
        let request = post("/ruc").header("Content-Type", content_type).body("ruc=20100119227");
        request.send().await.refused("unsupported_media_type");
    }
    post(&format!("/ruc?ruc={}", sample::COMPANY)).send().await.refused("unsupported_media_type");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_voucher_without_an_answer_has_a_dash_and_says_why() {
    let (app, owner) = shared().await;
    let mut wrong = claim(&VOUCHERS[0]);
    wrong["numero_documento"] = VOUCHERS[0].number.into();
    wrong["serie_documento"] = "f001".into();
    let post = |path: &str, body: Value| app.post(path).token(&owner.token).json(body.to_string()).send();
    let rows = post("/api/validacion_multiple_cpe", json!({"comprobantes": [wrong, "a|b"]})).await.found();
    for row in 0..2 {
        let row = &rows["comprobantes"][row];
        assert_eq!(row["comprobante_estado_codigo"], "-", "{row}");
        assert!(row["message"].is_string() && row["observaciones"] == json!([]), "{row}");
    }
    assert_eq!(rows["comprobantes"][0]["numero_documento"], VOUCHERS[0].number);
    assert_eq!(rows["comprobantes"][1]["codigo_tipo_documento"], "b");
    let rows = post("/validacion-multiple-cpe", json!({"comprobantes": ["a|b", "1|2|3|4|5|6|7"]})).await.found();
    assert_eq!(rows["comprobantes"], json!(["a|b|||||-", "1|2|3|4|5|6|-"]));
}
