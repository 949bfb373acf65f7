//! `kuraka backup` beside a server under load, and `kuraka restore`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;

use kuraka_adapters::datasets::exchange_rates::write_sample;
use kuraka_sandbox::sample::{self, EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS};

use super::files::{NEW_COMPANY, next_day};
use super::http::lookup;
use super::load::Load;
use super::postgres::database;
use super::program::Home;
use super::reliability::{figure, number};

const ANA: &str = "ana@example.pe";
/// A person in the second day's file.
const PERSON: &str = "10456789019";
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
    let load = Load::start(1, serving.api, tokens.first().unwrap(), Duration::from_millis(2), |_| false);
    for backup in 0..BACKUPS {
        let made = home.run(&["token", "create", "--email", ANA, "--name", "more"]).succeeded();
        tokens.insert(made.trim_end().to_owned());
        let folder = target(&home, &format!("backup-{backup}"));
        let before = load.answered();
        home.run(&["backup", &folder]).succeeded();
        let after = load.answered() + 1;

        let elsewhere = Home::new().plan(1_000_000, 1_000_000);
        let restored = elsewhere.run(&["restore", &folder]).succeeded();
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
    load.end();
    serving.stop();
}

fn target(home: &Home, name: &str) -> String {
    home.path(name).to_str().unwrap().to_owned()
}

#[test]
fn a_restored_archive_continues_the_record_on_a_new_machine() {
    let home = Home::new();
    home.token(ANA);
    home.import_of("2026-01-01", "padron", sample::PADRON);
    home.import_of("2026-01-02", "padron", next_day());
    write_sample(&home.data("registry"), EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS).unwrap();
    let rate = home.run(&["rate", "2026-09-06"]).succeeded();
    home.write("data/registry/tipo_de_cambio/rates.json.tmp", b"half");
    let archive = target(&home, "kuraka.tar.zst");
    home.run(&["backup", &archive]).succeeded();
    assert_eq!(fs::metadata(&archive).unwrap().permissions().mode() & 0o777, 0o600);

    let machine = Home::new();
    let restored = machine.run(&["restore", &archive]).succeeded();
    assert_eq!(count(&restored, "accounts"), 1);
    let editions = fs::read_dir(machine.data("registry/padron/editions")).unwrap();
    assert_eq!(editions.count(), 1, "the current edition");
    assert_eq!(machine.run(&["rate", "2026-09-06"]).succeeded(), rate);
    assert!(!machine.data("registry/tipo_de_cambio/rates.json.tmp").exists());
    machine.import_of("2026-01-03", "padron", sample::PADRON);
    for (day, exists) in [("2026-01-01", false), ("2026-01-02", true), ("2026-01-03", false)] {
        let found = machine.run(&["lookup", NEW_COMPANY, "--date", day]).succeeded();
        assert_eq!(found.contains("existe   NO"), !exists, "{day}: {found}");
    }
    let changes = machine.run(&["dataset", "changes", "padron"]);
    assert_eq!(changes.stderr, "", "no gap");
}

#[test]
fn a_person_who_was_forgotten_since_the_backup_stays_forgotten() {
    let home = Home::new();
    home.import(sample::PADRON);
    let line = format!("{PERSON}|PERSONA INVENTADA|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|\n");
    home.import(&[sample::PADRON, line.as_bytes()].concat());
    let (with, without) = (target(&home, "with"), target(&home, "without"));
    let empty = Home::new();
    empty.token(ANA);
    empty.run(&["backup", &without]).succeeded();
    let told = |home: &Home| home.run(&["dataset", "changes", "padron"]).succeeded().contains(PERSON);
    home.token(ANA);
    home.run(&["backup", &with]).succeeded();
    assert!(told(&home));
    home.run(&["dataset", "forget", PERSON]).succeeded();
    let line = home.run(&["audit", "--action", "dataset.forget"]).succeeded();
    assert!(line.contains("a person") && !line.contains(PERSON), "{line}");
    let forgotten = || fs::read_to_string(home.data("registry/FORGOTTEN")).unwrap();
    assert_eq!(forgotten(), format!("{PERSON}\n"));
    home.run(&["restore", &with]).succeeded();
    assert!(!told(&home));
    // A killed restore has put the registry aside.
    fs::rename(home.data("registry"), home.data("registry.before-2")).unwrap();
    fs::remove_file(home.data("registry.before-1/FORGOTTEN")).unwrap();
    home.run(&["restore", &with]).succeeded();
    assert!(!told(&home));
    home.run(&["restore", &without]).succeeded();
    assert_eq!(forgotten(), format!("{PERSON}\n"), "also for a registry without an edition");
}

#[tokio::test]
async fn what_a_server_has_leased_counts_as_used_in_a_restored_store() {
    let home = Home::new().plan(1_000_000, 1_000);
    let (serving, token) = home.serve_sample(ANA);
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    let folder = target(&home, "backup");
    home.run(&["backup", &folder]).succeeded();
    serving.stop();
    assert_eq!(home.used(ANA).await, 1);
    let used = count(&home.run(&["restore", &folder]).succeeded(), "usage");
    assert!((2..=10_000).contains(&used), "{used}");
}

#[test]
fn a_restore_keeps_what_was_there_and_refuses_a_server() {
    let home = Home::new().with("KURAKA__PROVIDERS__X__TOKEN", "geheim").with("KURAKA__HTTP__WORKERS", "3");
    home.import(sample::PADRON);
    let token = home.token(ANA);
    let folder = target(&home, "backup");
    let serving = home.serve();
    home.run(&["backup", &folder]).succeeded();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(home.run(&["backup", &folder]).failed().ends_with("backup exists: name a new file or folder"));
    assert!(home.run(&["restore", &folder]).failed().contains("another server already serves"));
    serving.stop();
    home.run(&["account", "delete", "--email", ANA, "--yes"]).succeeded();
    for round in 1..=2 {
        let restored = home.run(&["restore", &folder]);
        assert!(restored.stderr.contains("revoke them again"), "{restored:?}");
        assert!(restored.stderr.contains(&format!("registry.before-{round}")), "{restored:?}");
        assert!(home.data(&format!("registry.before-{round}/padron/CURRENT")).exists());
        assert!(restored.succeeded().contains("tokens    1\n"));
    }
    assert!(home.data("kuraka.db.before").exists() && home.data("kuraka.db.before-2").exists());
    let settings = fs::read_to_string(home.data("restored.toml")).unwrap();
    assert!(settings.contains("http.workers = \"3\"") && !settings.contains("geheim"), "{settings}");
    assert_eq!(home.run(&["audit", "--action", "store.restore"]).succeeded().lines().count(), 1, "of the latest");
    let serving = home.serve();
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    serving.stop();
    assert!(home.run(&["restore", "none"]).failed().contains("none"));
}

/// `make reliability` kills more often.
#[test]
fn killed_backups_and_restores_leave_the_old_data_or_the_new() {
    let home = Home::new();
    home.import(sample::PADRON);
    home.token(ANA);
    let (kills, whole) = (number("BACKUP_KILLS", 3), target(&home, "whole"));
    home.run(&["backup", &whole]).succeeded();
    let time = |kill: u64| Duration::from_millis(20 + 180 * kill / kills);
    let mut made = 0;
    for kill in 0..kills {
        let killed = target(&home, &format!("killed-{kill}.tar.zst"));
        home.start(&["backup", &killed]).kill_after(time(kill));
        home.run(&["store", "check"]).succeeded();
        home.run(&["lookup", sample::COMPANY]).succeeded();
        if fs::exists(&killed).unwrap() {
            made += 1;
            Home::new().run(&["restore", &killed]).succeeded();
        } else {
            home.run(&["backup", &killed]).succeeded();
        }
    }
    for kill in 0..kills {
        home.start(&["restore", &whole]).kill_after(time(kill));
        assert_eq!(count(&home.run(&["restore", &whole]).succeeded(), "tokens"), 1);
        home.run(&["lookup", sample::COMPANY]).succeeded();
    }
    figure("B1", &format!("{kills} backups and {kills} restores killed"), &format!("{made} whole, 0 half restored"));
}

#[tokio::test]
async fn a_postgresql_store_is_dumped_without_sessions_or_the_backup_fails() {
    let home = Home::new().store(&database().await);
    home.token(ANA);
    let dumped = home.run(&["backup", &target(&home, "dumped")]);
    dumped.succeeded();
    let data =
        Command::new("pg_restore").args(["--data-only", "--file=-"]).arg(home.path("dumped/store.pgdump")).output();
    let data = String::from_utf8(data.unwrap().stdout).unwrap();
    assert!(data.contains("COPY public.account") && !data.contains("COPY public.session"), "{data}");
    assert!(fs::read(home.path("dumped/store.pgdump")).unwrap().starts_with(b"PGDMP"));
    let restored = home.run(&["restore", &target(&home, "dumped")]);
    assert!(restored.stderr.contains("run pg_restore with"), "{restored:?}");
    assert!(restored.stderr.contains("revoke them again"), "{restored:?}");
    let target = target(&home, "without");
    let without =
        |options: &[&str]| home.run_with(&[&["backup", &target], options].concat(), &[("PATH", "/nowhere")], "");
    let line = without(&[]).failed();
    assert!(line.contains("pg_dump cannot be run") && line.contains("--without-store"), "{line}");
    without(&["--without-store"]).succeeded();
    let restored = home.run(&["restore", &target]);
    assert!(restored.stderr.contains("the backup has no store"), "{restored:?}");
}
