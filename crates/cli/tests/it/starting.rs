//! Starts that fail, and starts with a damaged registry.

use std::net::TcpListener;
use std::path::PathBuf;

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{get, lookup};
use super::program::Home;

/// The error line of a start that fails.
fn refusal(home: &Home) -> String {
    let done = home.run(&["serve"]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), ""), "{done:?}");
    done.stderr.lines().last().and_then(|line| line.strip_prefix("error: ")).unwrap().to_owned()
}

#[test]
fn a_port_in_use_is_reported_with_its_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (variable, key) in [("KURAKA__HTTP__BIND", "http.bind"), ("KURAKA__ADMIN__BIND", "admin.bind")] {
        let line = refusal(&Home::new().with(variable, &address));
        assert!(line.starts_with(&format!("cannot listen on {address}: ")) && line.contains("in use"), "{line}");
        assert!(line.ends_with(&format!("; set {key} to another address")), "{line}");
    }
}

#[test]
fn a_second_server_on_the_same_data_folder_is_refused() {
    let home = Home::new();
    let first = home.serve();
    let line = refusal(&home);
    assert!(line.starts_with("another server already serves "), "{line}");
    assert!(line.contains(home.path("data").to_str().unwrap()), "{line}");
    assert_eq!(get(first.admin, "/healthz").status, 200);
    first.stop();
    home.serve().stop();
}

/// Inverts 64 bytes in the middle of a file.
fn damage(path: &PathBuf) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte = !*byte);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn the_previous_edition_is_served_if_the_current_is_damaged() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let (first, second) = (home.import(sample::PADRON), home.import(&next_day()));
    damage(&home.edition("padron", &second));
    let mut serving = home.serve();
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, answer.header("x-registry-edition")), (200, Some(&*first)));
    assert_ne!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 200);
    assert_eq!(get(serving.admin, "/readyz").status, 200);
    serving.signal("TERM");
    serving.log("stopping");
    let (_, _, log) = serving.ended();
    let skipped = log.iter().find(|line| line.contains("an edition was skipped")).unwrap();
    assert!(skipped.contains(&second) && skipped.contains("\"ERROR\""), "{skipped}");
}

#[test]
fn a_server_without_a_usable_edition_is_not_ready() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let label = home.import(sample::PADRON);
    std::fs::write(home.edition("padron", &label), b"").unwrap();
    let serving = home.serve();
    let ready = get(serving.admin, "/readyz");
    assert_eq!(ready.status, 503, "{}", ready.body);
    assert!(ready.body.contains("\"unusable\""), "{}", ready.body);
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("upstream_unavailable"), "{}", answer.body);
}

#[test]
fn piped_logs_have_no_colour() {
    for format in ["text", "json"] {
        let log = Home::new().with("KURAKA__LOG__FORMAT", format).with("KURAKA__LOG__LEVEL", "debug");
        let mut serving = log.start(&["serve"]);
        serving.log("listening");
        let logged = serving.stop();
        assert!(!logged.iter().any(|line| line.contains('\u{1b}')), "{format}: {logged:?}");
    }
}

#[test]
fn a_healthcheck_asks_the_running_server() {
    let home = Home::new()
        .with("KURAKA__DATASETS__UPDATE_EVERY", "24h")
        .with("KURAKA__DATASETS__BUILDER_URL", "http://127.0.0.1:9");
    let serving = home.serve();
    let address = serving.admin.to_string();
    let check = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("KURAKA__ADMIN__BIND", &address).status().unwrap().code()
    };
    assert_eq!(check(&["healthcheck"]), Some(0));
    assert_eq!(check(&["healthcheck", "--ready"]), Some(1), "the server has no padrón yet");
    serving.stop();
    assert_eq!(check(&["healthcheck"]), Some(1));
}
