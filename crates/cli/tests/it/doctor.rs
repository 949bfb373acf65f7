//! `kuraka doctor`: each check in a passing and in a failing state, on its own and beside a server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::CLIENT_SECRET;
use serde_json::Value;
use sqlx::Connection;

use super::certificates::authority::{Authority, Kind};
use super::certificates::terminator::Terminator;
use super::files::damage;
use super::postgres::{database, shell};
use super::program::{Home, eventually, free_addresses};
use super::publisher::Publisher;
use super::rights::home_of_another_user;
use super::sources::{sandbox, with_sources};
use super::update::url_of;

const PROVIDER: &str = "apisperu";

/// What the doctor found: the exit code, and the severity and detail of each check.
struct Found {
    code: i32,
    checks: BTreeMap<String, (String, String)>,
}

impl Found {
    fn by(home: &Home, arguments: &[&str]) -> Self {
        let out = home.run(&[&["doctor", "--json"], arguments].concat());
        let list: Vec<Value> = serde_json::from_str(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"));
        let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
        for finding in &list {
            assert_eq!(finding["advice"].is_null(), finding["severity"] == "good", "{finding}");
        }
        let check = |it: &Value| (text(it, "check"), (text(it, "severity"), text(it, "detail")));
        Self { code: out.code.unwrap(), checks: list.iter().map(check).collect() }
    }

    /// The severity of a check, and whether its detail has this part.
    #[track_caller]
    fn has(&self, check: &str, severity: &str, part: &str) {
        let found = self.checks.get(check).unwrap_or_else(|| panic!("{check}: {:#?}", self.checks));
        assert!(found.0 == severity && found.1.contains(part), "{check}: {found:?}");
    }
}

/// A machine on which nothing is wrong, its settings apart. It downloads nothing.
fn machine() -> Home {
    let home = Home::new().with("KURAKA__HTTP__MAX_CONNECTIONS", "16").with("KURAKA__OFFICIAL__URL", "");
    let home = home.with("KURAKA__DATASETS__ENABLED", "padron");
    kuraka_registry::dataset::ALL.iter().fold(home, |home, dataset| home.with(&url_of(dataset.name), ""))
}

fn with_data(home: Home) -> Home {
    home.run(&["store", "migrate"]).succeeded();
    home.import(sample::PADRON);
    home
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_machine_in_order_passes_every_check_beside_its_server() {
    let upstream = sandbox().await;
    let published = Publisher::new("padron", b"", "\"v1\"");
    let [api, admin] = free_addresses().map(|address| address.to_string());
    let home = with_sources(machine(), &upstream, &[(PROVIDER, "token")], CLIENT_SECRET)
        .with("KURAKA__HTTP__BIND", &api)
        .with("KURAKA__ADMIN__BIND", &admin)
        .with(&url_of("padron"), &published.url);
    let home = with_data(home);
    let found = Found::by(&home, &[]);
    found.has("ports", "good", "no server is running");
    let serving = home.serve();
    let ready = || home.run(&["doctor"]).stdout.contains("✔ ports").then_some(());
    eventually("the server is ready", ready).await;
    let found = Found::by(&home, &["--live"]);
    assert!(found.code == 0 && found.checks.values().all(|(severity, _)| severity == "good"), "{:#?}", found.checks);
    for check in ["settings", "data folder", "open files", "disk space", "ports", "padron", "store"] {
        found.has(check, "good", "");
    }
    let host = upstream.address().to_string();
    found.has(&host, "good", &format!("reachable (official, {PROVIDER}, vouchers)"));
    found.has("voucher credentials 1", "good", "accepted");
    found.has(&format!("query of {PROVIDER}"), "good", "");
    found.has(&published.url["http://".len()..].replace("/padron", ""), "good", "reachable (padron)");
    serving.stop();
    // Only the host was asked, not the file.
    assert!(published.requests().iter().all(|head| head.starts_with("head / ")), "{:?}", published.requests());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_provider_is_queried_only_if_asked_to() {
    let provider = Publisher::new("answer", b"{}", "\"v1\"");
    let home = machine()
        .with("KURAKA__PROVIDERS__CHAIN", PROVIDER)
        .with("KURAKA__PROVIDERS__APISPERU__URL", &format!("{}/{{ruc}}", provider.url))
        .with("KURAKA__PROVIDERS__APISPERU__TOKEN", "token");
    Found::by(&home, &[]);
    assert!(provider.requests().iter().all(|head| head.starts_with("head / ")), "{:?}", provider.requests());
    let found = Found::by(&home, &["--live"]);
    found.has(&format!("query of {PROVIDER}"), "error", "");
    assert!(provider.requests().iter().any(|head| head.contains(sample::COMPANY)), "{:?}", provider.requests());
}

#[test]
fn invalid_settings_are_an_error_and_end_the_examination() {
    let found = Found::by(&machine().with("KURAKA__HTTP__BIND", "nowhere"), &[]);
    found.has("settings", "error", "http.bind");
    assert_eq!((found.code, found.checks.len()), (2, 1));
    let found = Found::by(&machine().with("KURAKA__PROVIDERS__CHAIN", "nobody"), &[]);
    found.has("settings", "error", "neither a preset nor a readable file");
    let printed = machine().with("KURAKA__PROVIDERS__CHAIN", "nobody").run(&["doctor"]);
    assert_eq!(printed.code, Some(2));
    assert!(printed.stdout.contains("✘ settings ") && printed.stdout.contains("→ correct the setting"), "{printed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_missing_newer_locked_or_damaged_store_is_reported() {
    let home = machine();
    let found = Found::by(&home, &[]);
    found.has("store", "warning", "does not exist");
    found.has("data folder", "warning", "does not exist");
    assert!(!home.data("").exists(), "it changes nothing");
    let home = with_data(home);
    Found::by(&home, &[]).has("store", "good", "whole and takes writes");
    let address = format!("sqlite://{}", home.data("kuraka.db").display());
    let mut other = sqlx::SqliteConnection::connect(&address).await.unwrap();
    let locked = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    Found::by(&home, &[]).has("store", "error", "locked");
    locked.rollback().await.unwrap();
    sqlx::query("UPDATE _sqlx_migrations SET version = version + 9000").execute(&mut other).await.unwrap();
    Found::by(&home, &[]).has("store", "error", "this version of kuraka knows");
    sqlx::query("UPDATE _sqlx_migrations SET version = version - 9001").execute(&mut other).await.unwrap();
    Found::by(&home, &[]).has("store", "warning", "older schema");
    other.close().await.unwrap();
    fs::write(home.data("kuraka.db"), "no database").unwrap();
    let found = Found::by(&home, &[]);
    found.has("store", "error", "not a database");
    assert_eq!(found.code, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn postgresql_and_its_clock_are_checked() {
    let home = machine().store(&database().await);
    Found::by(&home, &[]).has("store", "warning", "does not exist");
    home.run(&["store", "migrate"]).succeeded();
    let found = Found::by(&home, &[]);
    found.has("store", "good", "takes writes");
    found.has("clock of the store", "good", "agrees");
    found.has("audit", "warning", "may change and delete lines of the audit log");
    let address = database().await;
    let mut owner = shell(&address).await;
    for statement in ["DROP ROLE IF EXISTS without_rights", "CREATE ROLE without_rights LOGIN"] {
        sqlx::query(statement).execute(&mut owner).await.unwrap();
    }
    let home = machine().store(&address.replace("kuraka@", "without_rights@"));
    Found::by(&home, &[]).has("store", "error", "may not create tables");
    let home = machine().store("postgres://kuraka:s3cr3t@127.0.0.1:1/kuraka");
    Found::by(&home, &[]).has("store", "error", "postgres://127.0.0.1:1/kuraka");
}

#[test]
fn a_lacking_plan_and_missing_and_damaged_editions_are_reported() {
    let home = machine();
    Found::by(&home, &[]).has("padron", "error", "never imported");
    let home = with_data(home);
    let gold = ["QUERIES", "RATE", "BURST"].map(|limit| format!("KURAKA__PLANS__GOLD__{limit}"));
    let gold: Vec<_> = gold.iter().map(|limit| (&**limit, "9")).collect();
    home.run_with(&["account", "create", "--email", "ana@example.pe", "--plan", "gold"], &gold, "").succeeded();
    let found = Found::by(&home, &[]);
    found.has("plans", "error", "not in the settings: gold");
    found.has("padron", "good", "whole, of ");
    let edition = home.current("padron");
    damage(&edition);
    let damaged = home.run(&["doctor"]);
    assert!(damaged.stdout.contains("✘ padron ") && !damaged.stdout.contains("--force"), "{damaged:?}");
    fs::remove_file(&edition).unwrap();
    Found::by(&home, &[]).has("padron", "error", "not here yet");
}

#[test]
fn a_server_of_another_folder_or_one_that_hangs_is_told() {
    let addresses = free_addresses().map(|address| address.to_string());
    let at = |home: Home| home.with("KURAKA__HTTP__BIND", &addresses[0]).with("KURAKA__ADMIN__BIND", &addresses[1]);
    let (home, other) = (with_data(at(machine())), with_data(at(machine())));
    other.serve().stop();
    let serving = home.serve();
    Found::by(&other, &[]).has("ports", "error", "a server of another data folder");
    serving.signal("STOP");
    Found::by(&home, &[]).has("ports", "error", "does not answer");
    serving.kill();
}

/// A host that states this date.
fn dated(date: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4_096]);
            let head = format!("HTTP/1.1 404 Not Found\r\nDate: {date}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(head.as_bytes());
        }
    });
    address
}

#[test]
fn hosts_are_checked_for_tls_and_the_clock_by_their_answers() {
    let authority = Authority::new();
    let host = dated("Thu, 01 Jan 2026 00:00:00 GMT");
    let found = |tls: &Terminator| {
        let home = machine();
        let file = home.write("authority.pem", authority.pem());
        let home = home.with("SSL_CERT_FILE", &file);
        Found::by(&home.with("KURAKA__OFFICIAL__URL", &format!("https://{}/page", tls.address)), &[])
    };
    let tls = Terminator::start(authority.server(Kind::Valid), host);
    let valid = found(&tls);
    valid.has(&tls.address.to_string(), "good", "reachable (official)");
    valid.has(&format!("clock of {}", tls.address), "error", "s apart");
    let tls = Terminator::start(authority.server(Kind::Expired), host);
    found(&tls).has(&tls.address.to_string(), "error", Kind::Expired.reason());
    // No certificate is valid by a clock that is years behind.
    let plain = machine().with("KURAKA__DATASETS__PADRON__URL", &format!("http://{host}/padron.zip"));
    let plain = plain.with("KURAKA__OFFICIAL__URL", &format!("https://{}/page", tls.address));
    Found::by(&plain, &[]).has(&format!("clock of {host}"), "error", "s apart");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn unreachable_hosts_and_refused_credentials_are_reported() {
    let upstream = sandbox().await;
    let home = with_sources(machine(), &upstream, &[], "wrong");
    let home = home.with("KURAKA__OFFICIAL__URL", "http://127.0.0.1:1/page");
    let found = Found::by(&home.with(&url_of("padron"), "http://127.0.0.1:2/padron"), &[]);
    found.has("127.0.0.1:1", "error", "not reachable (official)");
    found.has("127.0.0.1:2", "warning", "not reachable (padron)");
    found.has("voucher credentials 1", "error", "");
    Found::by(&machine(), &[]).has("voucher credentials", "good", "none");
}

#[test]
fn another_user_than_the_owner_is_told_so() {
    let (home, _, owner) = home_of_another_user();
    let found = Found::by(&home.with("KURAKA__OFFICIAL__URL", ""), &[]);
    found.has("rights", "error", &format!("run this command with sudo -u {owner}"));
    assert_eq!((found.code, found.checks.contains_key("store")), (2, false));
}
