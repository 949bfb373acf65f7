//! Any bytes as the body of a call: the answer is one that the contract names, and the body is accepted exactly if a
//! second reading finds valid fields in it.

#![no_main]

mod served;

use kuraka_domain::Ruc;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Most bytes of a body.
const LIMIT: usize = 4 * 1024;

fuzz_target!(|data: &[u8]| {
    let Some((&chosen, body)) = data.split_first() else { return };
    let (path, field) = [("/ruc", "ruc"), ("/ruc-official", "ruc"), ("/cpe", "ruc_emisor")][usize::from(chosen) % 3];
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
        served::SERVED.token
    );
    let answer = served::ask(head.as_bytes(), body);
    let (code, rest) = answer.envelope();
    if body.len() > LIMIT {
        assert_eq!(code, "payload_too_large");
        return;
    }
    let is_accepted = match code.as_str() {
        "found" | "document_not_found" | "upstream_unavailable" => true,
        "invalid_input" => false,
        other => panic!("{other}: {}", answer.body),
    };
    let fields = match serde_json::from_slice::<Value>(body) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return assert!(!is_accepted, "not an object: {}", answer.body),
        // The second reading also reads what the server skips, such as numbers that are too large.
        Err(_) => return,
    };
    let ruc = fields.get(field).and_then(Value::as_str).and_then(|text| Ruc::parse(text).ok());
    assert!(!is_accepted || ruc.is_some(), "{}", answer.body);
    if code == "found" {
        assert_eq!(rest["ruc"].as_str(), ruc.map(|ruc| ruc.to_string()).as_deref());
    }
    // The second reading keeps the last of equal keys.
    let is_repeated = rest.as_str().is_some_and(|message| message.contains("repite la clave"));
    assert!(is_accepted || is_repeated || path == "/cpe" || ruc.is_none(), "{}", answer.body);
});
