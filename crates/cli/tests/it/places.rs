//! Which store, settings file and data folder a command or the server uses, and what it says about them.

use serde_json::{Value, json};

use super::program::Home;

const EMAIL: [&str; 2] = ["--email", "ana@example.pe"];

#[test]
fn a_command_that_creates_a_store_says_where_and_by_which_settings() {
    let home = Home::new();
    let create = |settings: &[&str]| home.run(&[settings, &["account", "create"], &EMAIL].concat());
    let note = |settings: &str| format!("created the new store {}; {settings}\n", home.data("kuraka.db").display());
    assert_eq!(create(&[]).stderr, note("no settings file was found"));
    assert_eq!(home.run(&["store", "migrate"]).stderr, "", "it exists");
    std::fs::remove_dir_all(home.data("")).unwrap();
    let file = home.write("own.toml", "");
    assert_eq!(create(&["--config", "own.toml"]).stderr, note(&format!("the settings file is {file}")));
}

#[test]
fn a_command_that_reads_or_changes_a_store_creates_none() {
    let home = Home::new();
    for command in [
        &["account", "list"][..],
        &["account", "set-plan", "--email", "ana@example.pe", "--plan", "free"],
        &["account", "suspend", "--email", "ana@example.pe"],
        &["account", "delete", "--email", "ana@example.pe", "--yes"],
        &["token", "list", "--email", "ana@example.pe"],
        &["token", "create", "--email", "ana@example.pe", "--name", "x"],
        &["token", "revoke", "--id", "1"],
        &["store", "check"],
    ] {
        let line = home.run(command).failed();
        let store = home.data("kuraka.db");
        assert_eq!(line, format!("there is no store {}; no settings file was found", store.display()));
        assert!(!home.data("").exists(), "{command:?}");
    }
}

#[test]
fn the_first_line_of_the_log_tells_what_the_server_uses() {
    let home = Home::new().with("KURAKA__STORE__URL", "postgres://ana:s3cr3t@127.0.0.1:9/kuraka?options=s3cr3t");
    let file = home.write("own.toml", "");
    let mut serving = home.start(&["serve", "--config", "own.toml"]);
    // Nothing listens on port 9.
    serving.log("the server waits for its store");
    let line: Value = serde_json::from_str(&serving.logs()[0]).unwrap();
    for (field, value) in [
        ("message", json!("starting")),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("settings_file", json!(file)),
        ("data_dir", json!(home.path("data"))),
        ("store", json!("postgres://127.0.0.1:9/kuraka")),
        ("api", json!("127.0.0.1:0")),
        ("admin", json!("127.0.0.1:0")),
    ] {
        assert_eq!(line[field], value, "{field}: {line}");
    }
    assert!(!serving.logs().concat().contains("s3cr3t"), "{:?}", serving.logs());
}

#[test]
fn a_server_that_creates_a_store_or_lacks_credentials_warns() {
    let home = Home::new();
    let mut serving = home.serve();
    let line = serving.logs().iter().find(|line| line.contains("created a new, empty store")).cloned();
    assert!(line.is_some_and(|line| line.contains(home.data("kuraka.db").to_str().unwrap())), "{:?}", serving.logs());
    assert!(serving.logs().concat().contains("no voucher credentials are set"), "{:?}", serving.logs());
    serving.stop();
    serving = home.serve();
    assert!(!serving.logs().iter().any(|line| line.contains("created a new")), "{:?}", serving.logs());
}
