//! SIGHUP: a running server takes the settings that can change, names the others, and ignores an invalid file.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::CLIENT_SECRET;
use serde_json::json;

use super::http::{Answer, ask, lookup, post};
use super::program::{Home, Serving};
use super::publisher::Publisher;
use super::sources::{sandbox, with_sources};

/// Writes the settings file, sends the signal and waits for this log line.
fn reload(home: &Home, serving: &mut Serving, settings: &str, message: &str) -> String {
    home.write("kuraka.toml", settings);
    serving.signal("HUP");
    serving.log(message)
}

fn monthly(answer: &Answer) -> &str {
    answer.header("ratelimit-policy").unwrap().split_once("\"monthly\";q=").unwrap().1.split(';').next().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn plans_log_level_and_trusted_proxies_change_without_a_restart() {
    let home = Home::new().with("KURAKA_CONFIG", "kuraka.toml");
    home.write("kuraka.toml", "[plans.free]\nqueries = 500\n");
    let (mut serving, token) = home.serve_sample("ana@example.pe");
    let call = || lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!(monthly(&call()), "500");

    let changed = "[plans.free]\nqueries = 700\n[plans.other]\nqueries = 1\nrate = 1\nburst = 1\n\
                   [http]\ntrusted_proxies = [\"127.0.0.1\"]\n[log]\nlevel = \"debug\"\n";
    let api = serving.api;
    let line = reload(&home, &mut serving, changed, "the settings are reloaded");
    for key in ["http.trusted_proxies", "log.level", "plans.free.queries", "plans.other.rate"] {
        assert!(line.contains(key), "{key}: {line}");
    }
    let answer = lookup(api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, monthly(&answer)), (200, "700"));
    serving.log("\"DEBUG\"");
    let forwarded = "GET /docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n";
    assert_eq!(ask(api, forwarded).unwrap().status, 200);
    assert!(serving.log("\"/docs\"").contains("192.0.2.7"));
    serving.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_cannot_change_is_named_and_an_invalid_file_changes_nothing() {
    let home = Home::new().with("KURAKA_CONFIG", "kuraka.toml");
    home.write("kuraka.toml", "[plans.free]\nqueries = 500\n");
    let (mut serving, token) = home.serve_sample("ana@example.pe");
    let api = serving.api;
    let limit = || monthly(&lookup(api, &token, sample::COMPANY).unwrap()).to_owned();

    for invalid in ["[plans.free]\nqueries = 600\nrate = 0\n", "[plans", "[http]\nbnd = \"x\"\n"] {
        let line = reload(&home, &mut serving, invalid, "the settings are not reloaded");
        assert!(line.contains("kuraka.toml") && line.contains("\"ERROR\""), "{line}");
        assert_eq!(limit(), "500");
    }
    let further = "[plans.free]\nqueries = 800\n[official]\nopen_data = false\n[panel]\nsign_up = \"off\"\n";
    for _ in 0..2 {
        let line = reload(&home, &mut serving, further, "changed settings need a restart");
        assert!(line.contains("official.open_data, panel.sign_up") && !line.contains("plans"), "{line}");
        assert_eq!(limit(), "800");
    }
    let restored = reload(&home, &mut serving, "[plans.free]\nqueries = 800\n", "the settings are reloaded");
    assert!(restored.contains("\"changed\":\"\""), "{restored}");
    let log = serving.stop();
    let named = log.iter().filter(|line| line.contains("need a restart")).count();
    assert_eq!(named, 2, "not after the file was restored: {log:?}");
}

#[test]
fn plans_without_the_plan_of_new_accounts_need_a_restart() {
    let file =
        |plan: &str| format!("[plans.{plan}]\nqueries = 5\nrate = 1\nburst = 1\n[panel]\nsign_up = \"{plan}\"\n");
    let home = Home::new().with("KURAKA_CONFIG", "kuraka.toml");
    home.write("kuraka.toml", file("start"));
    let mut serving = home.serve();
    let line = reload(&home, &mut serving, &file("other"), "changed settings need a restart");
    assert!(line.contains("panel.sign_up") && line.contains("plans.start.queries"), "{line}");
    serving.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_new_token_of_a_provider_is_used_without_a_restart() {
    let provider = Publisher::new("answer", b"{}", "\"v1\"");
    let home = with_sources(Home::new(), &sandbox().await, &[], CLIENT_SECRET)
        .with("KURAKA__OFFICIAL__URL", "")
        .with("KURAKA__PROVIDERS__CHAIN", "apisperu")
        .with("KURAKA__PROVIDERS__APISPERU__URL", &format!("{}/{{ruc}}", provider.url));
    let secret = home.write("secret", "first-token");
    let home = home.with("KURAKA__PROVIDERS__APISPERU__TOKEN_FILE", &secret);
    let (mut serving, token) = home.serve_sample("ana@example.pe");
    let api = serving.api;
    let call = |ruc: &str| post(api, "/ruc-official", &token, &json!({ "ruc": ruc }).to_string());
    call(sample::COMPANY);
    home.write("secret", "second-token");
    serving.signal("HUP");
    let line = serving.log("the settings are reloaded");
    assert!(line.contains("providers.apisperu.token") && !line.contains("second-token"), "{line}");
    call(sample::DESCRIBED);
    let requests = provider.requests();
    let of = |ruc: &str| requests.iter().find(|head| head.contains(ruc)).unwrap();
    assert!(of(sample::COMPANY).contains("first-token"), "{requests:?}");
    assert!(of(sample::DESCRIBED).contains("second-token"), "{requests:?}");

    // Without a token the provider cannot be asked, so the file is invalid.
    home.write("secret", "");
    serving.signal("HUP");
    assert!(serving.log("the settings are not reloaded").contains("needs a token"));
    serving.stop();
}
