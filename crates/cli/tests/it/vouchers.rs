//! Vouchers: credentials in the settings, the sandbox as the voucher service, and `kuraka explain vouchers`.

use super::http::{Answer, ask, get};
use super::program::{Home, Serving};
use kuraka_sandbox::upstream::{CLIENT_ID, REQUESTER_RUC};

const ID: &str = "the-client-id";
const SECRET: &str = "s3cr3t-0001.50";

/// Starts the sandbox and returns the settings that it prints; the secret is the last.
fn sandbox() -> (Serving, Vec<(String, String)>) {
    let mut sandbox = Home::new().start(&["sandbox", "--bind", "127.0.0.1:0"]);
    sandbox.output("KURAKA__VOUCHERS__CLIENT_SECRET=");
    let settings = sandbox.outputs().iter().filter(|line| line.starts_with("KURAKA__VOUCHERS__"));
    let settings = settings.filter_map(|line| line.split_once('='));
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (sandbox, settings)
}

impl House {
    fn validate(&self) -> Answer {
        validate(&self.serving, &self.token)
    }
}

fn validate(serving: &Serving, token: &str) -> Answer {
    let body = r#"{"ruc_emisor":"20999990062","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"1","fecha_de_emision":"2026-01-15","total":118.00}"#;
    let request = format!(
        "POST /cpe HTTP/1.1\r\nHost: kuraka\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    ask(serving.api, &request).unwrap()
}

/// A server whose voucher service is the sandbox, and a token.
struct House {
    serving: Serving,
    token: String,
    _sandbox: Serving,
    _home: Home,
}

/// Starts a server; `secret` puts the secret into its settings.
fn serve(secret: impl FnOnce(Home, String) -> Home) -> House {
    let (sandbox, mut settings) = sandbox();
    let (_, its_secret) = settings.pop().unwrap();
    let home = settings.iter().fold(Home::new(), |home, (name, value)| home.with(name, value));
    let home = secret(home, its_secret);
    let token = home.token("ana@example.pe");
    House { serving: home.serve(), token, _sandbox: sandbox, _home: home }
}

#[test]
fn a_secret_that_looks_like_a_number_is_sent_unchanged() {
    let house = serve(|home, secret| {
        assert_eq!(secret, "0001.50", "the sandbox's secret looks like a number");
        home.with("KURAKA__VOUCHERS__CLIENT_SECRET", &secret)
    });
    let answer = house.validate();
    assert_eq!((answer.status, answer.header("x-source")), (200, Some("official")), "{answer:?}");
    assert!(get(house.serving.admin, "/readyz").body.contains("sunat_vouchers"));
}

#[test]
fn a_secret_may_be_read_from_a_file() {
    let house = serve(|home, secret| {
        let file = home.write("vouchers.secret", format!("{secret}\n"));
        home.with("KURAKA__VOUCHERS__CLIENT_SECRET_FILE", &file)
    });
    assert_eq!(house.validate().status, 200);
}

#[test]
fn blanks_in_a_secret_are_kept() {
    let mut house = serve(|home, secret| home.with("KURAKA__VOUCHERS__CLIENT_SECRET", &format!(" {secret}")));
    assert_eq!(house.validate().status, 503);
    let line = house.serving.log("voucher credentials refused");
    assert!(line.contains("\"set\":1") && !line.contains("0001.50"), "{line}");
}

#[test]
fn a_second_credential_set_is_used_when_the_first_is_refused() {
    let house = serve(|home, secret| {
        let more = "KURAKA__VOUCHERS__MORE__SPARE__";
        home.with("KURAKA__VOUCHERS__CLIENT_SECRET", "wrong")
            .with(&format!("{more}RUC"), REQUESTER_RUC)
            .with(&format!("{more}CLIENT_ID"), CLIENT_ID)
            .with(&format!("{more}CLIENT_SECRET"), &secret)
    });
    for _ in 0..3 {
        assert_eq!(house.validate().status, 200);
    }
}

#[test]
fn incomplete_voucher_credentials_stop_the_start_and_are_named() {
    let home = Home::new();
    let set = [("RUC", "20100119227"), ("CLIENT_ID", ID), ("CLIENT_SECRET", SECRET)];
    for section in ["KURAKA__VOUCHERS__", "KURAKA__VOUCHERS__MORE__SPARE__"] {
        for missing in ["RUC", "CLIENT_ID", "CLIENT_SECRET"] {
            let variables: Vec<(String, &str)> = set
                .iter()
                .filter(|(name, _)| *name != missing)
                .map(|(name, value)| (format!("{section}{name}"), *value))
                .collect();
            let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (&**name, *value)).collect();
            let line = home.run_with(&["serve"], &variables, "").failed();
            let key = format!("{section}{missing}").replace("KURAKA__", "").replace("__", ".").to_lowercase();
            assert!(line.contains(&key) && !line.contains(ID) && !line.contains(SECRET), "{key}: {line}");
        }
    }
}

#[test]
fn invalid_voucher_credentials_are_refused_by_setting_name() {
    let home = Home::new();
    let set = [("RUC", "20100119227"), ("CLIENT_ID", ID), ("CLIENT_SECRET", SECRET)];
    for (name, value, key) in [
        ("RUC", "20100119228", "vouchers.ruc"),
        ("CLIENT_ID", "two words", "vouchers.client_id"),
        ("TOKEN_URL", "api-seguridad.example.pe", "vouchers.token_url"),
        ("API_URL", "ftp://api.example.pe/{ruc}", "vouchers.api_url"),
        ("CLIENT_SECRET_FILE", "/nowhere", "vouchers.client_secret_file"),
    ] {
        let mut variables = set.to_vec();
        variables.retain(|(known, _)| *known != name && !(name == "CLIENT_SECRET_FILE" && *known == "CLIENT_SECRET"));
        variables.push((name, value));
        let variables: Vec<(String, &str)> =
            variables.into_iter().map(|(name, value)| (format!("KURAKA__VOUCHERS__{name}"), value)).collect();
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (&**name, *value)).collect();
        let line = home.run_with(&["config", "check"], &variables, "").failed();
        assert!(line.contains(key) && !line.contains(SECRET), "{name}: {line}");
    }
}

#[test]
fn voucher_credentials_are_never_printed() {
    let home = Home::new()
        .with("KURAKA__VOUCHERS__RUC", "20100119227")
        .with("KURAKA__VOUCHERS__CLIENT_ID", ID)
        .with("KURAKA__VOUCHERS__CLIENT_SECRET", SECRET);
    let done = home.run(&["config", "show"]);
    let printed = format!("{done:?}");
    assert_eq!(done.code, Some(0));
    assert!(!printed.contains(ID) && !printed.contains(SECRET), "{printed}");
    assert!(done.stdout.contains("vouchers.client_secret") && done.stdout.contains("20100119227"));
}

#[test]
fn a_server_without_voucher_credentials_starts_and_warns() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let mut serving = home.start(&["serve"]);
    serving.log("no voucher credentials are set");
    let listening: serde_json::Value = serde_json::from_str(&serving.log("\"listening\"")).unwrap();
    serving.api = listening["api"].as_str().unwrap().parse().unwrap();
    assert_eq!(validate(&serving, &token).status, 503);
}

#[test]
fn explain_vouchers_classifies_a_saved_answer() {
    let home = Home::new();
    let explain = |body: &str, status: &str| {
        let file = home.write("answer.json", body);
        home.run(&["explain", "vouchers", &file, "--status", status]).succeeded()
    };
    let out = explain(r#"{"success":true,"data":{"estadoCp":"2","estadoRuc":"99","observaciones":["- Uno."]}}"#, "200");
    let (reason, record) = out.split_once('\n').unwrap();
    assert!(reason.starts_with("found: "), "{out}");
    let expected = serde_json::json!({
        "comprobante_estado_codigo": "2",
        "comprobante_estado_descripcion": "ANULADO",
        "empresa_estado_codigo": "99",
        "empresa_estado_descripcion": "",
        "empresa_condicion_codigo": null,
        "empresa_condicion_descripcion": null,
        "observaciones": ["Uno."],
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(record).unwrap(), expected);
    assert!(explain(r#"{"success":true,"data":{}}"#, "200").starts_with("unreadable: "));
    let out = explain(r#"{"success":false,"message":"Fecha incorrecta"}"#, "422");
    assert!(out.starts_with("rejected: ") && out.contains("Fecha incorrecta"), "{out}");
    assert!(home.run(&["explain", "vouchers", "/nowhere"]).failed().contains("/nowhere"));
}

#[test]
fn sandbox_outcomes_lists_the_rucs_of_each_fault_and_the_vouchers() {
    let out = Home::new().run(&["sandbox", "--outcomes"]).succeeded();
    let (faults, vouchers) = out.split_once("issued by 20999990062").unwrap();
    let rows: Vec<Vec<&str>> = faults.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.iter().any(|row| row[..] == ["status-503", "20999985034", "20999975039", "20999965033"]), "{faults}");
    for about in ["accepted", "annulled", "authorised, physical", "not authorised, physical", "not reported"] {
        assert!(vouchers.lines().any(|line| line.trim_end().ends_with(about)), "{about} in {vouchers}");
    }
}
