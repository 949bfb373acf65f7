//! `kuraka dataset changes`: what changed between two editions.

use std::time::{Duration, SystemTime};

use kuraka_sandbox::sample;
use serde_json::{Value, json};

use super::files::{NEW_COMPANY, annexes, damage, next_day};
use super::program::{Home, eventually};

/// The next day's padrón, in which one company is gone and another has another name.
fn changed() -> Vec<u8> {
    let text = next_day();
    let kept =
        text.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(sample::SANCTIONED.as_bytes()));
    let renamed = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap().replace("3M PERU S A", "3M \"PERU\", S A");
    let is_renamed = |line: &[u8]| line.starts_with(sample::COMPANY.as_bytes());
    kept.flat_map(|line| if is_renamed(line) { renamed(line).into_bytes() } else { line.to_vec() }).collect()
}

fn ndjson(home: &Home, more: &[&str]) -> Vec<Value> {
    let done = home.run(&[&["dataset", "changes", "padron", "--output", "ndjson"], more].concat()).succeeded();
    done.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn changes_of_the_padron_are_printed_as_csv_and_ndjson() {
    let home = Home::new();
    let none = home.run(&["dataset", "changes", "padron"]);
    assert!(none.stderr.starts_with("no changes of padron are recorded"), "{none:?}");
    assert_eq!(none.succeeded(), "from,to,ruc,change,field,before,after\r\n");

    let first = home.import(sample::PADRON);
    let second = home.import_padron(&changed());
    let out = home.run(&["dataset", "changes", "padron"]).succeeded();
    let wanted = [
        "from,to,ruc,change,field,before,after".to_owned(),
        format!(
            "{first},{second},{},changed,nombre_o_razon_social,3M PERU S A,\"3M \"\"PERU\"\", S A\"",
            sample::COMPANY
        ),
        format!("{first},{second},{},gone,,,", sample::SANCTIONED),
        format!("{first},{second},{NEW_COMPANY},new,,,"),
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), wanted);

    let lines = ndjson(&home, &[]);
    let [renamed, gone, new] = lines.as_slice() else { panic!("{lines:#?}") };
    let fields = json!([{"field": "nombre_o_razon_social", "before": "3M PERU S A", "after": "3M \"PERU\", S A"}]);
    assert_eq!((&renamed["change"], &renamed["fields"]), (&json!("changed"), &fields));
    assert_eq!((&new["change"], &new["ruc"]), (&json!("new"), &json!(NEW_COMPANY)));
    assert_eq!((&gone["change"], gone["rows"].as_array().unwrap().len()), (&json!("gone"), 1));
    assert_eq!((&gone["from"], &gone["to"]), (&json!(first), &json!(second)));

    home.run(&["dataset", "rollback", "padron"]).succeeded();
    let back = ndjson(&home, &[]).split_off(3);
    assert!(back.iter().all(|line| line["from"] == second && line["to"] == first), "{back:#?}");
    assert_eq!(back.iter().map(|line| &line["change"]).collect::<Vec<_>>(), ["changed", "new", "gone"]);
    assert_eq!(ndjson(&home, &["--since", "2099-01-01"]).len(), 0);
}

#[test]
fn a_gap_is_in_the_output_and_on_standard_error() {
    let home = Home::new();
    let first = home.import(sample::PADRON);
    let second = home.import_padron(&changed());
    let list = std::fs::read_dir(home.dataset("padron", "changes")).unwrap().next().unwrap().unwrap().path();
    damage(&list);
    let done = home.run(&["dataset", "changes", "padron"]);
    assert!(done.stderr.starts_with(&format!("warning: from {first} to {second}: ")), "{done:?}");
    let out = done.succeeded();
    assert!(out.lines().nth(1).unwrap().starts_with(&format!("{first},{second},,gap,,,")), "{out}");
    let lines = ndjson(&home, &[]);
    let [gap] = lines.as_slice() else { panic!("{lines:#?}") };
    assert_eq!(gap["change"], "gap");
    assert!(gap["reason"].as_str().unwrap().contains("damaged"), "{gap}");
}

#[test]
fn changed_rows_of_a_taxpayer_are_printed_whole() {
    let home = Home::new();
    home.import_of("2026-01-01", "anexos", annexes(&["GRAU", "UNO"]));
    let out = home.import_of("2026-01-02", "anexos", annexes(&["DOS", "GRAU"]));
    assert!(out.contains("changes             0 taxpayers new, 0 gone, 1 changed"), "{out}");
    let out = home.run(&["dataset", "changes", "anexos"]).succeeded();
    let [_, removed, added] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert!(removed.contains(",row_removed,,") && removed.contains("\"\"UNO\"\"") && removed.ends_with(','), "{out}");
    assert!(added.contains(",row_added,,,") && added.contains("\"\"DOS\"\""), "{out}");
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the time of a file is the system's")]
async fn a_server_removes_changes_that_are_old_enough() {
    let home = Home::new().with("KURAKA__DATASETS__CHANGES_KEPT_DAYS", "30");
    let (first, second) = (sample::PADRON.to_vec(), next_day());
    for (day, padron) in [("2026-01-01", first.clone()), ("2026-01-02", second), ("2026-01-03", first)] {
        home.import_of(day, "padron", padron);
    }
    let lists = || std::fs::read_dir(home.dataset("padron", "changes")).unwrap().count();
    assert_eq!(lists(), 2);
    for list in std::fs::read_dir(home.dataset("padron", "changes")).unwrap() {
        // As if it had been recorded then.
        let recorded = SystemTime::now() - Duration::from_secs(32 * 86_400);
        let file = std::fs::File::options().append(true).open(list.unwrap().path()).unwrap();
        file.set_modified(recorded).unwrap();
    }
    let serving = home.serve();
    // The last list stays.
    eventually("the first list is removed", || (lists() == 1).then_some(())).await;
    serving.stop();
}
