//! Logs at `trace` contain no secrets or personal data, and callers cannot forge log lines.

use kuraka_sandbox::sample;

use super::browser::{Owner, PASSWORD};
use super::files::next_day;
use super::http::{ask, get, lookup, lookup_request, post};
use super::program::Home;

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
    let owner = Owner::log_in(api, "ana@example.pe");
    let get_page = |path: &str| owner.get(path).unwrap();
    let page = get_page(&format!("/panel/tokens?{}", owner.session));
    assert!(page.body.contains("canario"), "the panel shows the token's name");
    assert_eq!(get_page(&format!("/panel/consultar/{person}")).status, 200);
    assert_eq!(get_page(&format!("/panel/consultar/{bad_check}")).status, 400);
    assert_eq!(get_page(&format!("/panel/consultar?q={person}")).status, 303);
    for path in ["/panel/consultar", "/panel/consultar/sugerencias"] {
        assert!(get_page(&format!("{path}?q={}", NAME.replace(' ', "+"))).status >= 200);
    }
    let list = owner.post("/panel/lista", &format!("text={person}")).header("location").unwrap().to_owned();
    assert!(get_page(&list).body.contains(person));
    assert_eq!(owner.post(&format!("{list}/consultar"), "modo=rucs").status, 303);
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
    let panel = [owner.session.as_str(), &owner.session[..20], password, "ana%40"];
    let secrets = [token, &token[10..], &mistyped, PASSWORD, NAME, "VILCA", person, &bad_check, &bad_check[2..]];
    for secret in secrets.into_iter().chain(panel) {
        let line = logged.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "a secret was logged");
    }
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
