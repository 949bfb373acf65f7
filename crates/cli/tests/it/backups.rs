//! `kuraka store backup` beside a server under load, and `kuraka store restore`.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{Client, lookup};
use super::postgres::database;
use super::program::Home;

const ANA: &str = "ana@example.pe";
/// Backups during one load.
const BACKUPS: u64 = 2;

/// The number in a line such as `tokens    2`.
fn count(printed: &str, name: &str) -> u64 {
    let line = printed.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap();
    line.split_whitespace().next().unwrap().replace(',', "").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_calls_restores_every_token_and_the_counts_of_its_moment() {
    // The plan leases one query at a time, so that used queries are answered ones.
    let home = Home::new().plan(9_999, 1_000_000);
    home.import(sample::PADRON);
    let mut tokens = BTreeSet::from([home.token(ANA)]);
    let serving = home.serve();
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let calling = thread::spawn({
        let (stop, answered, token) = (Arc::clone(&stop), Arc::clone(&answered), tokens.first().unwrap().clone());
        let mut client = Client::new(serving.api, &token, sample::COMPANY);
        move || {
            while !stop.load(Ordering::Acquire) && answered.load(Ordering::Acquire) < 9_000 {
                assert_eq!(client.ask().unwrap(), 200);
                answered.fetch_add(1, Ordering::AcqRel);
            }
        }
    });
    for backup in 0..BACKUPS {
        let made = home.run(&["token", "create", "--email", ANA, "--name", "more"]).succeeded();
        tokens.insert(made.trim_end().to_owned());
        let file = home.path(&format!("{backup}.db")).to_str().unwrap().to_owned();
        let before = answered.load(Ordering::Acquire);
        home.run(&["store", "backup", &file]).succeeded();
        let after = answered.load(Ordering::Acquire) + 1;

        let elsewhere = Home::new().plan(1_000_000, 1_000_000);
        elsewhere.import(sample::PADRON);
        let restored = elsewhere.run(&["store", "restore", &file]).succeeded();
        let (kept, used) = (count(&restored, "tokens"), count(&restored, "usage"));
        assert_eq!((count(&restored, "accounts"), kept), (1, tokens.len() as u64), "{restored}");
        assert!((before..=after).contains(&used), "{before} {after}: {restored}");
        let there = elsewhere.serve();
        for token in &tokens {
            assert_eq!(lookup(there.api, token, sample::COMPANY).unwrap().status, 200);
        }
        there.stop();
        assert_eq!(elsewhere.used(ANA).await, used + tokens.len() as u64);
    }
    stop.store(true, Ordering::Release);
    calling.join().unwrap();
    serving.stop();
}

/// The files that the guide leaves out of a backup, as options of `tar`.
fn excluded() -> Vec<String> {
    let page = include_str!("../../../../docs/operations/run.md");
    let command = page.split("sudo tar --create").nth(1).unwrap().split("```").next().unwrap();
    let words: Vec<_> = command.split_whitespace().collect();
    let options = words.windows(2).filter(|words| words[0] == "--exclude");
    options.flatten().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_backup_as_documented_continues_the_record_on_a_new_machine() {
    let import = |home: &Home, day: &str, padron: &[u8]| {
        let file = home.write("padron_reducido_ruc.txt", padron);
        home.run(&["dataset", "import", "padron", &file, "--date", day]).succeeded();
    };
    let tar = |home: &Home, action: &str, more: &[String]| {
        let mut tar = Command::new("tar");
        tar.arg(action).arg("--file").arg(home.path("kuraka.tar")).args(more).arg("--directory").arg(home.data(""));
        tar
    };
    let home = Home::new();
    home.token(ANA);
    import(&home, "2026-01-01", sample::PADRON);
    import(&home, "2026-01-02", &next_day());
    home.run(&["store", "backup", home.data("backup.db").to_str().unwrap()]).succeeded();
    assert!(tar(&home, "--create", &excluded()).args(["backup.db", "registry"]).status().unwrap().success());

    let machine = Home::new();
    fs::create_dir(machine.data("")).unwrap();
    fs::copy(home.path("kuraka.tar"), machine.path("kuraka.tar")).unwrap();
    assert!(tar(&machine, "--extract", &[]).status().unwrap().success());
    let restored = machine.run(&["store", "restore", machine.data("backup.db").to_str().unwrap()]).succeeded();
    assert_eq!(count(&restored, "accounts"), 1);
    import(&machine, "2026-01-03", sample::PADRON);
    for (day, exists) in [("2026-01-01", false), ("2026-01-02", true), ("2026-01-03", false)] {
        let found = machine.run(&["lookup", NEW_COMPANY, "--date", day]).succeeded();
        assert_eq!(found.contains("existe   NO"), !exists, "{day}: {found}");
    }
    let changes = machine.run(&["dataset", "changes", "padron"]);
    assert_eq!(changes.stderr, "", "no gap");
}

#[tokio::test]
async fn what_a_server_has_leased_counts_as_used_in_a_restored_store() {
    let home = Home::new().plan(1_000_000, 1_000);
    home.import(sample::PADRON);
    let token = home.token(ANA);
    let serving = home.serve();
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    let file = home.path("backup.db").to_str().unwrap().to_owned();
    home.run(&["store", "backup", &file]).succeeded();
    serving.stop();
    assert_eq!(home.used(ANA).await, 1);
    let used = count(&home.run(&["store", "restore", &file]).succeeded(), "usage");
    assert!((2..=10_000).contains(&used), "{used}");
}

#[test]
fn a_store_in_use_is_backed_up_and_not_restored() {
    let home = Home::new();
    home.token(ANA);
    let serving = home.serve();
    home.run(&["store", "backup", "backup.db"]).succeeded();
    assert!(home.run(&["store", "backup", "backup.db"]).failed().ends_with("backup.db exists: name a new file"));
    assert!(home.run(&["store", "restore", "backup.db"]).failed().contains("another server already serves"));
    serving.stop();
    home.run(&["account", "delete", "--email", ANA, "--yes"]).succeeded();
    let restored = home.run(&["store", "restore", "backup.db"]);
    assert!(restored.stderr.ends_with("kuraka.db.before\n"), "{restored:?}");
    assert!(restored.succeeded().contains("tokens    1\n"));
    let again = home.run(&["store", "restore", "backup.db"]);
    assert!(again.stderr.ends_with("kuraka.db.before-2\n"), "{again:?}");
    let line = home.run(&["store", "restore", "none.db"]).failed();
    assert!(line.contains("none.db"), "{line}");
}

#[tokio::test]
async fn a_postgresql_store_is_left_to_its_own_tools() {
    let home = Home::new().store(&database().await);
    assert!(home.run(&["store", "backup", "x.db"]).failed().contains("such as pg_dump --format=custom"));
    assert!(home.run(&["store", "restore", "x.db"]).failed().contains("such as pg_restore"));
}
