//! Invalid bodies and RUCs: one code for all, a message that names the reason, and a server that keeps working.

use kuraka_sandbox::sample;

use crate::app::{App, Owner};
use crate::shared::shared;

async fn refusal(app: &App, owner: &Owner, body: impl AsRef<[u8]>) -> String {
    app.post("/ruc").token(&owner.token).json(body).send().await.refused("invalid_input")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_invalid_ruc_is_rejected_with_a_reason() {
    let (app, owner) = shared().await;
    for (ruc, reason) in [
        ("", "debe tener 11 dígitos y tiene 0 caracteres"),
        ("2010011922", "debe tener 11 dígitos y tiene 10 caracteres"),
        ("20100119227 ", "debe tener 11 dígitos y tiene 12 caracteres"),
        ("+2010011922", "el carácter 1 no lo es"),
        ("2010011922\\u0000", "el carácter 11 no lo es"),
        ("٢٠١٠٠١١٩٢٢٧", "el carácter 1 no lo es"),
        ("𝟐0100119227", "el carácter 1 no lo es"),
        ("30100119227", "debe empezar con 10, 15, 16, 17 o 20 y empieza con 30"),
        (sample::BAD_CHECK_DIGIT, "el dígito verificador no corresponde"),
    ] {
        let message = refusal(app, &owner, format!("{{\"ruc\":\"{ruc}\"}}")).await;
        assert!(message.starts_with("El RUC es incorrecto: ") && message.contains(reason), "{ruc:?}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_message_names_a_missing_or_mistyped_field() {
    let (app, owner) = shared().await;
    for body in ["{}", r#"{"Ruc":"20100119227"}"#, r#"{"ruc ":"20100119227"}"#, r#"{"data":{"ruc":"20100119227"}}"#] {
        assert_eq!(refusal(app, &owner, body).await, "Falta el campo ruc.", "{body}");
    }
    for (value, found) in [
        ("20100119227", "un número"),
        ("20100119227.0", "un número"),
        ("1e400", "un número"),
        ("1e308", "un número"),
        ("-0", "un número"),
        ("123456789012345678901234567890", "un número"),
        ("null", "null"),
        ("true", "un valor lógico"),
        (r#"["20100119227"]"#, "una lista"),
        (r#"{"ruc":"20100119227"}"#, "un objeto"),
    ] {
        let message = refusal(app, &owner, format!("{{\"ruc\":{value}}}")).await;
        assert_eq!(message, format!("El campo ruc debe ser un texto entre comillas, no {found}."), "{value}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_body_that_is_not_a_json_object_is_rejected() {
    let (app, owner) = shared().await;
    let utf16: Vec<u8> = r#"{"ruc":"20100119227"}"#.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep = |count| "[".repeat(count);
    for body in [
        b"".to_vec(),
        b" ".to_vec(),
        b"ruc=20100119227".to_vec(),
        b"20100119227".to_vec(),
        br#""20100119227""#.to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        // serde would accept an array as the fields in order.
        br#"["20100119227"]"#.to_vec(),
        br#"[{"ruc":"20100119227"}]"#.to_vec(),
        br#"{"ruc":"20100119227""#.to_vec(),
        br#"{"ruc":"20100119227",}"#.to_vec(),
        br#"{'ruc':'20100119227'}"#.to_vec(),
        br#"{"ruc":"20100119227"} x"#.to_vec(),
        br#"{"ruc":"20100119227"}{"ruc":"20100119227"}"#.to_vec(),
        br#"{"ruc":NaN}"#.to_vec(),
        br#"{"ruc":Infinity}"#.to_vec(),
        br#"{"ruc":"2010011922\ud800"}"#.to_vec(),
        br#"{"ruc":"2010011922\x41"}"#.to_vec(),
        b"{\"ruc\":\"2010011922\x00\"}".to_vec(),
        b"{\"ruc\":\"2010011922\xff\"}".to_vec(),
        utf16,
        deep(4_000).into_bytes(),
        format!(r#"{{"a":{}"#, deep(4_000)).into_bytes(),
        r#"{"a":"#.repeat(800).into_bytes(),
    ] {
        let message = refusal(app, &owner, &body).await;
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        assert_eq!(message, "El cuerpo debe ser un objeto JSON con los campos de la consulta.", "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_message_names_a_repeated_key() {
    let (app, owner) = shared().await;
    for (body, key) in [
        (r#"{"ruc":"20100119227","ruc":"20100119227"}"#, "ruc"),
        (r#"{"ruc":"20100119227","\u0072uc":"20100119227"}"#, "ruc"),
        (r#"{"a":1,"ruc":"20100119227","a":2}"#, "a"),
    ] {
        let message = refusal(app, &owner, body).await;
        assert_eq!(message, format!("El cuerpo repite la clave {key}; cada campo va una sola vez."), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn unknown_keys_may_be_many_and_deeply_nested() {
    let (app, owner) = shared().await;
    let deep = format!(r#"{{"a":{}{},"ruc":"20100119227"}}"#, "[".repeat(120), "]".repeat(120));
    let keys: String = (0..400).map(|n| format!("\"k{n}\":0,")).collect();
    let many = format!(r#"{{{keys}"ruc":"20100119227"}}"#);
    for body in [deep, many] {
        app.post("/ruc").token(&owner.token).json(body).send().await.found();
    }
    // Each is compared with all before it.
    let keys: String = (0..512).map(|n| format!("\"{n}\":0,")).collect();
    let too_many = app.post("/ruc").token(&owner.token).json(format!(r#"{{{keys}"ruc":"20100119227"}}"#)).send().await;
    assert_eq!(too_many.refused("invalid_input"), "El cuerpo tiene más de 512 campos.");
}
