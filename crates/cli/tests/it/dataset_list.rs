//! `kuraka dataset list`: its states, which agree with `/readyz`, and its exit code; the progress of an update.

use serde_json::{Value, json};

use super::datasets::{listed, piece};
use super::files::{annexes, damage};
use super::http::get;
use super::program::{Home, today};
use super::publisher::Publisher;
use super::update::{sample_publisher, url_of, without_publishers};

/// A folder with the three datasets that `/ruc` needs, of which the padrón is always enabled.
fn enabled() -> Home {
    without_publishers().with("KURAKA__DATASETS__ENABLED", "retencion,buenos_contribuyentes")
}

/// The exit code of the list, its error, and what it says about a dataset.
fn list(home: &Home, name: &str) -> (Option<i32>, String, Value) {
    let done = home.run(&["dataset", "list", "--json"]);
    let records: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    (done.code, done.stderr, records.into_iter().find(|it| it["name"] == name).unwrap())
}

/// Publishes the three lists, with editions of today.
fn all_imported() -> Home {
    let home = enabled();
    for name in ["padron", "retencion", "buenos_contribuyentes"] {
        home.import_of(&today(), name, piece(name).bytes);
    }
    home
}

#[test]
fn the_list_fails_while_a_dataset_needs_the_operator() {
    let home = all_imported();
    let (code, error, padron) = list(&home, "padron");
    assert_eq!((code, &*error, &padron["state"]), (Some(0), "", &json!("loaded")), "{padron}");
    assert!(listed(&home, "anexos").contains("not enabled"), "a dataset that is not enabled does not count");

    let none = enabled();
    let (code, error, _) = list(&none, "padron");
    assert_eq!((code, &*error), (Some(1), "error: never imported: padron, retencion, buenos_contribuyentes\n"));

    let publisher = Publisher::new("padron.txt", b"no padron", "\"v1\"");
    let home = home.with(&url_of("padron"), &publisher.url);
    assert_eq!(home.run(&["dataset", "update", "padron"]).code, Some(1));
    let (code, error, padron) = list(&home, "padron");
    assert_eq!((code, &*error), (Some(1), "error: not updated at the last attempt: padron\n"));
    assert_eq!((&padron["state"], &padron["last_attempt"]["outcome"]), (&json!("loaded"), &json!("failed")));

    let file = home.write("old.txt", piece("padron").bytes);
    home.run(&["dataset", "import", "padron", &file, "--date", "2026-01-01", "--force"]).succeeded();
    let (code, error, padron) = list(&home, "padron");
    assert_eq!((code, &*error, &padron["is_too_old"]), (Some(1), "error: too old: padron\n", &json!(true)));
    assert!(listed(&home, "padron").contains(" too old "), "{}", listed(&home, "padron"));
}

#[test]
fn the_list_has_the_states_of_readyz() {
    let home = all_imported();
    let list_says = || serde_json::from_str::<Value>(&home.run(&["dataset", "list", "--json"]).stdout).unwrap();
    let agree = || {
        let serving = home.serve();
        let ready = get(serving.admin, "/readyz").json();
        let list = list_says();
        for (listed, ready) in list.as_array().unwrap().iter().zip(ready["datasets"].as_array().unwrap()) {
            for field in ["name", "state", "edition", "date", "age_days", "is_too_old", "rows", "last_attempt"] {
                assert_eq!(listed[field], ready[field], "{field}: {listed} {ready}");
            }
        }
        serving.stop();
    };
    agree();
    damage(&home.current("retencion"));
    agree();
    let (code, error, _) = list(&home, "padron");
    assert_eq!((code, &*error), (Some(1), "error: damaged: retencion\n"));
    assert!(listed(&home, "retencion").contains(" unusable "), "{}", listed(&home, "retencion"));
}

#[test]
fn the_list_names_the_edition_of_the_latest_of_two_rollbacks() {
    let home = Home::new();
    let streets = ["GRAU", "UNO", "DOS"];
    let labels: Vec<_> =
        (1..=3).map(|count| home.import_dataset("anexos", "anexos.txt", &annexes(&streets[..count]))).collect();
    let roll_back = |label: &str| {
        home.run(&["dataset", "rollback", "anexos"]).succeeded();
        let (_, _, record) = list(&home, "anexos");
        assert_eq!(record["rolled_back_from"], *label);
    };
    labels[1..].iter().rev().for_each(|label| roll_back(label));
    // Older rolled back editions may lie between the two.
    roll_back(&home.import_dataset("anexos", "anexos.txt", &annexes(&["GRAU", "UNO", "DOS", "TRES"])));
}

#[test]
fn an_update_tells_which_dataset_of_how_many_and_closes() {
    let publishers = ["padron", "buenos_contribuyentes", "ssco"].map(|name| (name, sample_publisher(name)));
    let home = publishers.iter().fold(without_publishers(), |home, (name, it)| home.with(&url_of(name), &it.url));
    // The second fails, and the others are updated.
    let page = Publisher::new("AgenRet_TXT.txt", b"<html><body>Mantenimiento</body></html>", "\"page\"");
    let home = home.with(&url_of("retencion"), &page.url);
    let alone = home.run(&["dataset", "update", "ssco"]).stderr;
    assert!(alone.starts_with("ssco: download …\nssco: reading …\n"), "{alone}");
    let done = home.run(&["dataset", "update"]);
    let lines: Vec<&str> = done.stderr.lines().collect();
    for line in [
        "padron (1 of 4): download …",
        "padron (1 of 4): reading …",
        "retencion (2 of 4): download …",
        "buenos_contribuyentes (3 of 4): verification …",
        "ssco (4 of 4): download …",
    ] {
        assert!(lines.contains(&line), "{line}: {done:?}");
    }
    let [.., closing, error] = lines.as_slice() else { panic!("{done:?}") };
    assert_eq!(*closing, "4 datasets: 2 published, 1 unchanged, 1 not updated");
    assert_eq!(*error, "error: not updated: retencion");
    let warning = lines.iter().find(|line| line.starts_with("warning: ")).unwrap();
    assert_eq!(warning.matches("retencion").count(), 1, "{warning}");
}
