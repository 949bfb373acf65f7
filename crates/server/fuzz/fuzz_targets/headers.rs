//! Any header lines on a call or on a page of the panel; `TOKEN` stands for a valid token. A record needs exactly one
//! `Authorization` with that token; no cookie opens a page of an account; the id of the answer is the client's or new.

#![no_main]

mod served;

use libfuzzer_sys::fuzz_target;

/// Headers that change where a request ends. Their tests are elsewhere, because the client here would misread them.
const FRAMING: [&[u8]; 5] = [b"content-length", b"transfer-encoding", b"connection", b"upgrade", b"expect"];

fuzz_target!(|data: &[u8]| {
    let Some((&chosen, data)) = data.split_first() else { return };
    let is_call = chosen % 4 != 0;
    let mut head = if is_call { b"POST /ruc".to_vec() } else { b"GET /panel/tokens".to_vec() };
    head.extend_from_slice(b" HTTP/1.1\r\nHost: x\r\n");
    let (mut tokens, mut ids) = (Vec::new(), Vec::new());
    for line in data.split(|byte| *byte == b'\n').take(16) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = (line[..colon].to_ascii_lowercase(), line[colon + 1..].trim_ascii());
        // An invalid name or value gets a 400 from the HTTP parser, which has tests of its own.
        let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        let is_value = value.iter().all(|byte| *byte == b'\t' || *byte >= b' ' && *byte != 0x7f);
        if !is_name || !is_value || FRAMING.contains(&&*name) || name == b"host" {
            return;
        }
        let value: Vec<u8> = match value.windows(5).position(|window| window == b"TOKEN") {
            Some(at) => [&value[..at], served::SERVED.token.as_bytes(), &value[at + 5..]].concat(),
            None => value.to_vec(),
        };
        head.extend_from_slice(&[&name, &b": "[..], &value, b"\r\n"].concat());
        match &*name {
            b"authorization" => tokens.push(value),
            b"x-request-id" => ids.push(value),
            _ => {}
        }
    }
    let body: &[u8] = if is_call { br#"{"ruc":"20100119227"}"# } else { b"" };
    let answer = served::ask(&head, body);
    if is_call {
        let (code, _) = answer.envelope();
        let token = served::SERVED.token.as_bytes();
        let is_known = match tokens.as_slice() {
            [value] => value
                .split_at_checked(7)
                .is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case(b"Bearer ") && rest.trim_ascii() == token),
            _ => false,
        };
        let is_authenticated = ["found", "unsupported_media_type"].contains(&code.as_str());
        assert_eq!(is_authenticated, is_known, "{code}: {}", String::from_utf8_lossy(&head));
    } else {
        assert!([303, 403, 429].contains(&answer.status), "{} {}", answer.status, answer.body);
    }
    let id = answer.header("x-request-id").unwrap();
    let is_given = ids.first().is_some_and(|given| given == id.as_bytes());
    let is_new = id.len() == 36 && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    assert!(is_given || is_new, "{id}");
});
