//! Vouchers: credentials in the settings, the sandbox as the voucher service, and `kuraka explain vouchers`.

use kuraka_sandbox::upstream::{CLIENT_ID, REQUESTER_RUC};

use super::http::{Answer, get, post};
use super::program::{Home, Serving};
use super::sources::VOUCHER;

/// A server whose voucher service is the sandbox, and a token.
struct House {
    serving: Serving,
    token: String,
    _sandbox: Serving,
    _home: Home,
}

impl House {
    /// With the settings that the sandbox prints; `secret` puts the last of them, the secret.
    fn start(secret: impl FnOnce(Home, &str) -> Home) -> Self {
        let mut sandbox = Home::new().start(&["sandbox", "--bind", "127.0.0.1:0"]);
        sandbox.output("KURAKA__VOUCHERS__CLIENT_SECRET=");
        let settings = sandbox.outputs().iter().filter_map(|line| line.split_once('='));
        let mut settings: Vec<_> = settings.filter(|(name, _)| name.starts_with("KURAKA__VOUCHERS__")).collect();
        let (_, its_secret) = settings.pop().unwrap();
        assert_eq!(its_secret, "0001.50", "the sandbox's secret looks like a number");
        let home = settings.iter().fold(Home::new(), |home, (name, value)| home.with(name, value));
        let home = secret(home, its_secret);
        let token = home.token("ana@example.pe");
        Self { serving: home.serve(), token, _sandbox: sandbox, _home: home }
    }

    fn validate(&self) -> Answer {
        post(self.serving.api, "/cpe", &self.token, VOUCHER)
    }
}

#[test]
fn a_secret_that_looks_like_a_number_is_sent_unchanged() {
    let house = House::start(|home, secret| home.with("KURAKA__VOUCHERS__CLIENT_SECRET", secret));
    let answer = house.validate();
    assert_eq!((answer.status, answer.header("x-source")), (200, Some("official")), "{answer:?}");
    assert!(get(house.serving.admin, "/readyz").body.contains("sunat_vouchers"));
}

#[test]
fn blanks_in_a_secret_are_kept() {
    let mut house = House::start(|home, secret| home.with("KURAKA__VOUCHERS__CLIENT_SECRET", &format!(" {secret}")));
    assert_eq!(house.validate().status, 503);
    let line = house.serving.log("voucher credentials refused");
    assert!(line.contains("\"set\":1") && !line.contains("0001.50"), "{line}");
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
    assert!(explain(r#"{"success":true,"data":{}}"#, "200").starts_with("unavailable: "));
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

#[test]
fn a_second_credential_set_is_used_when_the_first_is_refused() {
    let house = House::start(|home, secret| {
        let file = home.write("vouchers.secret", format!("{secret}\n"));
        let more = "KURAKA__VOUCHERS__MORE__SPARE__";
        home.with("KURAKA__VOUCHERS__CLIENT_SECRET", "wrong")
            .with(&format!("{more}RUC"), REQUESTER_RUC)
            .with(&format!("{more}CLIENT_ID"), CLIENT_ID)
            .with(&format!("{more}CLIENT_SECRET_FILE"), &file)
    });
    for _ in 0..3 {
        assert_eq!(house.validate().status, 200);
    }
}
