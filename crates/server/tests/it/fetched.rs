//! `kuraka registry fetch`: one machine builds, the others fetch.

use std::fs;
use std::path::PathBuf;

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{get, lookup};
use super::program::{Home, eventually};
use super::publisher::Publisher;

/// The edition's file that a home has now.
fn current(home: &Home) -> PathBuf {
    let name = fs::read_to_string(home.data("registry/CURRENT")).unwrap();
    home.data("registry/editions").join(name.trim())
}

#[tokio::test]
async fn what_one_machine_builds_the_others_fetch_and_say_so() {
    let builder = Home::new();
    let first = builder.import(sample::PADRON);
    let building = builder.serve();
    let url = format!("http://{}/edition", building.admin);

    let here = Home::new();
    let token = here.token("ana@example.pe");
    let out = here.run(&["registry", "fetch", &url]).succeeded();
    assert!(out.starts_with(&format!("published edition {first}: ")), "{out}");
    let out = here.run(&["registry", "fetch", &url]).succeeded();
    assert_eq!(out, "unchanged: what is served there was published here already\n");
    let serving = here.serve();
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, answer.header("x-registry-edition")), (200, Some(first.as_str())));

    // The next day's edition, while this machine answers.
    let second = builder.import(&next_day());
    let out = here.run_with(&["registry", "fetch"], &[("KURAKA__REGISTRY__EDITION_URL", &url)], "").succeeded();
    assert!(out.starts_with(&format!("published edition {second}: ")), "{out}");
    eventually("the new edition answers", || {
        let answer = lookup(serving.api, &token, NEW_COMPANY).unwrap();
        (answer.header("x-registry-edition") == Some(second.as_str()) && answer.status == 200).then_some(())
    })
    .await;
    let metrics = get(serving.admin, "/metrics").body;
    assert!(metrics.contains(&format!("edition=\"{second}\"")), "{metrics}");
    serving.stop();
    building.stop();
}

#[tokio::test]
async fn a_server_fetches_by_itself_as_often_as_it_is_told() {
    let builder = Home::new();
    let label = builder.import(sample::PADRON);
    let building = builder.serve();
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", &format!("http://{}/edition", building.admin))
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let mut serving = here.serve();
    serving.log("an edition was fetched");
    serving.log("a new edition answers");
    let ready = get(serving.admin, "/readyz");
    assert!(ready.body.contains(&label), "{}", ready.body);
    serving.stop();
    building.stop();
}

#[test]
fn only_the_file_that_was_asked_for_is_published() {
    let builder = Home::new();
    builder.import(sample::PADRON);
    let publisher = Publisher::of(&fs::read(current(&builder)).unwrap(), "\"v1\"");
    let sum = std::process::Command::new("sha256sum").arg(current(&builder)).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    let sum = sum.split_once(' ').unwrap().0;
    let here = Home::new();
    let other = "0".repeat(64);
    let line = here.run(&["registry", "fetch", &publisher.url, "--sha256", &other]).failed();
    assert!(line.contains(&format!("the file's SHA-256 is {sum}, not {other}")), "{line}");
    here.run(&["registry", "lookup", sample::COMPANY]).failed();
    here.run(&["registry", "fetch", &publisher.url, "--sha256", sum]).succeeded();
    here.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    // Nor is it said to be here when it is not.
    here.run(&["registry", "fetch", &publisher.url, "--sha256", &other]).failed();
    for no_sum in ["+f".repeat(32), "0".repeat(63)] {
        let refused = here.run(&["registry", "fetch", &publisher.url, "--sha256", &no_sum]);
        assert!(refused.code == Some(2) && refused.stderr.contains("64 hexadecimal digits"), "{refused:?}");
    }
}

#[test]
fn what_a_guard_refuses_is_fetched_once_and_may_be_forced() {
    let (builder, older) = (Home::new(), Home::new());
    older.import(sample::PADRON);
    let file = builder.write("padron_reducido_ruc.txt", next_day());
    let import = ["registry", "import", "--padron", &file, "--edition", "2020-01-01"];
    builder.run(&import).succeeded();
    let here = Home::new();
    here.import(sample::PADRON);
    let bytes = fs::read(current(&builder)).unwrap();
    let publisher = Publisher::of(&bytes, "\"v1\"");
    for _ in 0..3 {
        let line = here.run(&["registry", "fetch", &publisher.url]).failed();
        assert!(line.contains("the current edition of"), "{line}");
    }
    let asked = publisher.asked();
    assert!(asked[1].contains("if-none-match: \"v1\"") && asked[2].contains("if-none-match: \"v1\""), "{asked:?}");
    let out = here.run(&["registry", "fetch", &publisher.url, "--force"]).succeeded();
    assert!(out.starts_with("published edition 2020-01-01-") && out.contains("forced"), "{out}");
    assert!(publisher.asked()[3].contains("if-none-match: \"v1\""), "forced from what is here");
    assert!(!here.data("registry/downloads/edition").exists());
}

#[test]
fn an_edition_that_was_damaged_here_is_fetched_anew() {
    let builder = Home::new();
    builder.import(sample::PADRON);
    let publisher = Publisher::of(&fs::read(current(&builder)).unwrap(), "\"v1\"");
    let here = Home::new();
    here.run(&["registry", "fetch", &publisher.url]).succeeded();
    let mut bytes = fs::read(current(&here)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(current(&here), bytes).unwrap();
    here.run(&["registry", "lookup", sample::COMPANY]).failed();
    let out = here.run(&["registry", "fetch", &publisher.url]).succeeded();
    assert!(out.starts_with("published edition "), "{out}");
    here.run(&["registry", "lookup", sample::COMPANY]).succeeded();
}

#[test]
fn a_server_whose_edition_is_still_to_come_is_not_ready() {
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", "http://127.0.0.1:1/edition")
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let serving = here.serve();
    let ready = get(serving.admin, "/readyz");
    assert!(ready.status == 503 && ready.body.contains("never imported"), "{}", ready.body);
    serving.stop();
}

#[test]
fn what_is_no_whole_edition_is_refused_and_the_one_before_answers() {
    let builder = Home::new();
    builder.import(sample::PADRON);
    let whole = fs::read(current(&builder)).unwrap();
    let publisher = Publisher::of(&whole, "\"v1\"");
    let here = Home::new();
    // A line that breaks is taken up again where it broke.
    publisher.break_after(1_000);
    here.run(&["registry", "fetch", &publisher.url]).succeeded();
    let asked = publisher.asked();
    assert!(asked[1].contains("range: bytes=1000-"), "{asked:?}");
    here.run(&["registry", "fetch", &publisher.url]).succeeded();
    assert!(publisher.asked()[2].contains("if-none-match: \"v1\""), "{:?}", publisher.asked());

    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for (bytes, etag) in [
        (changed.as_slice(), "\"changed\""),
        (&whole[..whole.len() - 1], "\"cut\""),
        (b"<html><body>502 Bad Gateway</body></html>".as_slice(), "\"page\""),
    ] {
        publisher.publish(bytes, etag);
        let line = here.run(&["registry", "fetch", &publisher.url]).failed();
        assert!(line.starts_with("what was fetched is not published: the file is no edition"), "{line}");
        here.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    }
    let line = here.run(&["registry", "fetch"]).failed();
    assert!(line.contains("registry.edition_url"), "{line}");
}
