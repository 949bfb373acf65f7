//! Logs at `trace` contain no secrets or personal data, and callers cannot forge log lines.

use std::io;
use std::net::SocketAddr;

use kuraka_sandbox::sample;

use super::files::next_day;
use super::http::{Answer, ask, get, lookup, lookup_request, post};
use super::program::Home;

pub(crate) const PASSWORD: &str = "canario-de-contraseña";
const NAME: &str = "VILCA CONDORI WILBER";

#[test]
fn logs_never_contain_tokens_passwords_names_or_personal_rucs() {
    let home = Home::new().plan(1_000, 1_000).with("KURAKA__LOG__LEVEL", "trace");
    let home = home.with("KURAKA__DATASETS__ENABLED", "padron");
    let mut logged = Vec::new();
    let mut run = |arguments: &[&str], input: &str| {
        let done = home.run_with(arguments, &[], input);
        logged.push(done.stderr.clone());
        done
    };
    run(&["account", "create", "--email", "ana@example.pe"], "").succeeded();
    run(&["account", "set-password", "--email", "ana@example.pe"], PASSWORD).succeeded();
    let token = run(&["token", "create", "--email", "ana@example.pe", "--name", "canario"], "").succeeded();
    let token = token.trim_end();
    let file = home.write("padron_reducido_ruc.txt", sample::PADRON);
    run(&["dataset", "import", "padron", &file], "").succeeded();

    let serving = home.serve();
    let api = serving.api;
    assert_eq!(lookup(api, token, sample::PERSON).unwrap().status, 200);
    let bad_check = format!("{}{}", &sample::PERSON[..10], '6');
    assert_eq!(lookup(api, token, &bad_check).unwrap().status, 400);
    // Secrets in places where they do not belong.
    let other = if token.ends_with('x') { 'y' } else { 'x' };
    let mistyped = format!("{}{other}", &token[..token.len() - 1]);
    assert_eq!(lookup(api, &mistyped, sample::PERSON).unwrap().status, 401);
    let person = sample::PERSON;
    for line in [
        format!("GET /ruc/{person} HTTP/1.1"),
        format!("GET /{token} HTTP/1.1"),
        format!("POST /ruc?access_token={token}&ruc={person} HTTP/1.1"),
        format!("POST /api/{person}/{} HTTP/1.1", NAME.replace(' ', "%20")),
        format!("POST /ruc?{token} HTTP/1.1"),
    ] {
        let request = format!(
            "{line}\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\nReferer: /{person}\r\n\
             User-Agent: {token}\r\nCookie: t={token}\r\n\r\n"
        );
        assert!(ask(api, &request).unwrap().status >= 400);
    }
    for body in [format!("{{\"{person}\":1,\"{person}\":2}}"), format!("{{\"ruc\":\"{token}\"}}"), NAME.to_owned()] {
        assert_eq!(post(api, "/ruc", token, &body).status, 400);
    }
    // Calls that are answered, and whose path or form has what must not be logged.
    for (line, body, status) in [
        (format!("GET /ruc/{person}"), String::new(), 200),
        (format!("GET /api/ruc-ficha/{person}?ruc={person}"), String::new(), 200),
        (format!("GET /ruc/{}", NAME.replace(' ', "%20")), String::new(), 400),
        (format!("GET /ruc/{person}?token={token}"), String::new(), 400),
        (format!("POST /ruc/{person}"), String::new(), 405),
        ("POST /ruc_ficha".to_owned(), format!("ruc={person}&nombre=VILCA"), 200),
        ("POST /ruc_multiple".to_owned(), format!("rucs[]={person}&rucs[]={token}&rucs[]=VILCA"), 200),
        // The fields that clients of the original service send.
        ("POST /validacion-multiple-cpe".to_owned(), format!("clave_usuario={PASSWORD}&comprobantes[]={person}"), 200),
    ] {
        let request = format!(
            "{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(ask(api, &request).unwrap().status, status, "{line}");
    }
    let broken = format!("POST /ruc HTTP/1.1\r\nAuthorization: Bearer {token}\r\nbad {person} header\r\n\r\n");
    let _ = ask(api, &broken);
    let session = log_in(api, "ana@example.pe");
    let page = format!(
        "GET /panel/tokens?{session} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: kuraka={session}\r\n\r\n"
    );
    assert!(ask(api, &page).unwrap().body.contains("canario"), "the panel shows the token's name");
    let get_page = |path: String| {
        let headers =
            format!("Host: {api}\r\nConnection: close\r\nCookie: kuraka={session}\r\nSec-Fetch-Site: none\r\n");
        ask(api, &format!("GET {path} HTTP/1.1\r\n{headers}\r\n")).unwrap()
    };
    assert_eq!(get_page(format!("/panel/consultar/{person}")).status, 200);
    assert_eq!(get_page(format!("/panel/consultar/{bad_check}")).status, 400);
    assert_eq!(get_page(format!("/panel/consultar?q={person}")).status, 303);
    for path in ["/panel/consultar", "/panel/consultar/sugerencias"] {
        assert!(get_page(format!("{path}?q={}", NAME.replace(' ', "+"))).status >= 200);
    }
    let form = get_page("/panel/lista".to_owned()).body;
    let (_, rest) = form.split_once("name=\"form_token\" value=\"").unwrap();
    let form_token = rest.split('"').next().unwrap();
    let post = |path: &str, fields: &str| {
        let form = format!("form_token={form_token}&{fields}");
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {api}\r\nOrigin: http://{api}\r\nConnection: close\r\n\
             Cookie: kuraka={session}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        ask(api, &request).unwrap()
    };
    let list = post("/panel/lista", &format!("text={person}")).header("location").unwrap().to_owned();
    assert!(get_page(list.clone()).body.contains(person));
    assert_eq!(post(&format!("{list}/consultar"), "modo=rucs").status, 303);
    let metrics = get(serving.admin, "/metrics").body;
    home.import(&next_day());
    home.run(&["token", "revoke", "--id", "1"]).succeeded();
    logged.extend(serving.stop());
    logged.push(metrics);

    let logged = logged.join("\n");
    assert!(logged.contains("\"TRACE\"") && logged.contains("\"answered\""), "the log has the finest level");
    assert!(logged.contains("\"route\":\"/ruc/{ruc}\"") && logged.contains("\"/api/ruc-ficha/{ruc}\""));
    assert!(logged.contains("\"route\":\"/panel/consultar/{ruc}\""));
    // The part of the password that a form does not encode.
    let password = PASSWORD.split('ñ').next().unwrap();
    let panel = [session.as_str(), &session[..20], password, "ana%40"];
    let secrets = [token, &token[10..], &mistyped, PASSWORD, NAME, "VILCA", person, &bad_check, &bad_check[2..]];
    for secret in secrets.into_iter().chain(panel) {
        let line = logged.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "a secret was logged");
    }
}

/// Opens a page without a session, and submits its form.
pub(crate) fn submit(api: SocketAddr, path: &str, fields: &str) -> io::Result<Answer> {
    let page = ask(api, &format!("GET {path} HTTP/1.1\r\nHost: {api}\r\nConnection: close\r\n\r\n"))?;
    let form_cookie = page.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let (_, rest) = page.body.split_once("name=\"form_token\" value=\"").unwrap();
    let form = format!("form_token={}&{fields}", rest.split('"').next().unwrap());
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {api}\r\nOrigin: http://{api}\r\nConnection: close\r\nCookie: {form_cookie}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    ask(api, &request)
}

/// Logs in like a browser and returns the session's secret.
pub(crate) fn log_in(api: SocketAddr, email: &str) -> String {
    let (email, password) = (email.replace('@', "%40"), PASSWORD.replace('ñ', "%C3%B1"));
    let answer = submit(api, "/ingresar", &format!("email={email}&password={password}")).unwrap();
    assert_eq!(answer.status, 303, "{answer:?}");
    let cookies = answer.head.lines().filter_map(|line| line.strip_prefix("set-cookie: kuraka="));
    cookies.map(|line| line.split(';').next().unwrap().to_owned()).next().unwrap()
}

#[test]
fn a_caller_cannot_inject_a_log_line() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let serving = home.serve();
    let forged = "{\"level\":\"ERROR\",\"message\":\"forged\"}";
    for path in [format!("/%0a{}", forged.replace('"', "%22")), "/%1b[31m%00".to_owned(), "/\u{9b}".to_owned()] {
        let _ = ask(serving.api, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    }
    let headers = "Connection: close\r\nX-Forwarded-For: \"forged\"\r\nUser-Agent: \"forged\"\r\n";
    ask(serving.api, &lookup_request(&token, sample::COMPANY, headers)).unwrap();
    for line in serving.stop() {
        let event: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(event["message"] != "forged" && !line.chars().any(char::is_control), "{line:?}");
    }
}
