//! `kuraka registry fetch`: one machine builds an edition, others fetch it.

use std::fs;
use std::path::PathBuf;

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{get, lookup};
use super::program::{Home, eventually};
use super::publisher::Publisher;

/// The file of the current edition.
fn current(home: &Home) -> PathBuf {
    let name = fs::read_to_string(home.data("registry/CURRENT")).unwrap();
    home.data("registry/editions").join(name.trim())
}

/// How the last try at the padrón ended.
fn last_try(home: &Home) -> String {
    let info = home.run(&["dataset", "info", "padron", "--json"]).succeeded();
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    info["last_try"]["outcome"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_machine_fetches_and_serves_the_edition_another_machine_built() {
    let builder = Home::new();
    let first = builder.import(sample::PADRON);
    let building = builder.serve();
    let url = format!("http://{}/edition", building.admin);

    let here = Home::new();
    let token = here.token("ana@example.pe");
    let out = here.run(&["registry", "fetch", &url]).succeeded();
    assert!(out.starts_with(&format!("published edition {first}: ")), "{out}");
    assert_eq!(last_try(&here), "published");
    let out = here.run(&["registry", "fetch", &url]).succeeded();
    assert_eq!(out, "unchanged: this edition was already published here\n");
    assert_eq!(last_try(&here), "unchanged");
    let serving = here.serve();
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, answer.header("x-registry-edition")), (200, Some(first.as_str())));

    // The next day's edition, while this machine serves.
    let second = builder.import(&next_day());
    let out = here.run_with(&["registry", "fetch"], &[("KURAKA__REGISTRY__EDITION_URL", &url)], "").succeeded();
    assert!(out.starts_with(&format!("published edition {second}: ")), "{out}");
    eventually("the new edition is served", || {
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
async fn a_server_with_update_every_fetches_an_edition_on_its_own() {
    let builder = Home::new();
    let label = builder.import(sample::PADRON);
    let building = builder.serve();
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", &format!("http://{}/edition", building.admin))
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let mut serving = here.serve();
    serving.log("an edition was fetched");
    serving.log("serving a new edition");
    let ready = get(serving.admin, "/readyz");
    assert!(ready.body.contains(&label), "{}", ready.body);
    serving.stop();
    building.stop();
}

#[test]
fn a_fetched_file_with_another_checksum_is_not_published() {
    let builder = Home::new();
    builder.import(sample::PADRON);
    let publisher = Publisher::of(&fs::read(current(&builder)).unwrap(), "\"v1\"");
    let sum = sum(&builder);
    let sum = sum.split_once(' ').unwrap().0;
    let here = Home::new();
    let other = "0".repeat(64);
    let line = here.run(&["registry", "fetch", &publisher.url, "--sha256", &other]).failed();
    assert!(line.contains(&format!("the file's SHA-256 is {sum}, not {other}")), "{line}");
    here.run(&["registry", "lookup", sample::COMPANY]).failed();
    assert_eq!(last_try(&here), "failed");
    here.run(&["registry", "fetch", &publisher.url, "--sha256", sum]).succeeded();
    here.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    // The wrong checksum is also refused when the edition is already here.
    here.run(&["registry", "fetch", &publisher.url, "--sha256", &other]).failed();
    for no_sum in ["+f".repeat(32), "0".repeat(63)] {
        let refused = here.run(&["registry", "fetch", &publisher.url, "--sha256", &no_sum]);
        assert!(refused.code == Some(2) && refused.stderr.contains("64 hexadecimal digits"), "{refused:?}");
    }
}

/// The line that `sha256sum` prints about the current edition.
fn sum(home: &Home) -> String {
    let sum = std::process::Command::new("sha256sum").arg(current(home)).output().unwrap();
    String::from_utf8(sum.stdout).unwrap()
}

#[test]
fn a_required_checksum_is_fetched_before_the_edition() {
    let builder = Home::new();
    let first = builder.import(sample::PADRON);
    let edition = Publisher::of(&fs::read(current(&builder)).unwrap(), "\"v1\"");
    let sums = Publisher::of(sum(&builder).as_bytes(), "\"s1\"");
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", &edition.url)
        .with("KURAKA__REGISTRY__EDITION_SHA256_URL", &sums.url);
    let out = here.run(&["registry", "fetch"]).succeeded();
    assert!(out.starts_with(&format!("published edition {first}: ")), "{out}");
    // The edition with this checksum is here: only the checksum is requested.
    let out = here.run(&["registry", "fetch"]).succeeded();
    assert_eq!(out, "unchanged: this edition was already published here\n");
    assert_eq!((edition.requests().len(), sums.requests().len()), (1, 2));

    // Another file than the one that the checksum is of.
    builder.import(&next_day());
    edition.publish(&fs::read(current(&builder)).unwrap(), "\"v2\"");
    sums.publish(format!("{}  edition\n", "0".repeat(64)).as_bytes(), "\"s2\"");
    let line = here.run(&["registry", "fetch"]).failed();
    assert!(line.contains("the file's SHA-256 is ") && line.contains(&"0".repeat(64)), "{line}");
    here.run(&["registry", "fetch", "--force"]).failed();
    // None at all, or none that can be read.
    for nothing in ["<html>404</html>", "", &sum(&builder).repeat(2), &sum(&builder)[1..]] {
        sums.publish(nothing.as_bytes(), "\"s3\"");
        let requests = edition.requests().len();
        let line = here.run(&["registry", "fetch"]).failed();
        assert!(line.contains("holds no SHA-256"), "{line}");
        assert_eq!(edition.requests().len(), requests, "the edition is not requested");
    }
    assert!(current(&here).to_string_lossy().contains(&first), "the edition before stays");
    here.run(&["registry", "lookup", NEW_COMPANY]).failed();

    sums.publish(sum(&builder).as_bytes(), "\"s4\"");
    here.run(&["registry", "fetch"]).succeeded();
    here.run(&["registry", "lookup", NEW_COMPANY]).succeeded();
}

#[tokio::test]
async fn a_server_that_requires_a_checksum_keeps_its_edition_without_one() {
    let builder = Home::new();
    let label = builder.import(sample::PADRON);
    let edition = Publisher::of(&fs::read(current(&builder)).unwrap(), "\"v1\"");
    let sums = Publisher::of(format!("{}  edition\n", "0".repeat(64)).as_bytes(), "\"s1\"");
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", &edition.url)
        .with("KURAKA__REGISTRY__EDITION_SHA256_URL", &sums.url)
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let mut serving = here.serve();
    let line = serving.log("the edition could not be fetched");
    assert!(line.contains("the file's SHA-256 is "), "{line}");
    assert_eq!(get(serving.admin, "/readyz").status, 503);
    serving.stop();

    sums.publish(sum(&builder).as_bytes(), "\"s2\"");
    let mut serving = here.serve();
    serving.log("an edition was fetched");
    serving.log("serving a new edition");
    let ready = get(serving.admin, "/readyz");
    assert!(ready.body.contains(&label), "{}", ready.body);
    serving.stop();
}

#[test]
fn a_refused_edition_is_fetched_once_and_can_be_forced() {
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
    let asked = publisher.requests();
    assert!(asked[1].contains("if-none-match: \"v1\"") && asked[2].contains("if-none-match: \"v1\""), "{asked:?}");
    let out = here.run(&["registry", "fetch", &publisher.url, "--force"]).succeeded();
    assert!(out.starts_with("published edition 2020-01-01-") && out.contains("forced"), "{out}");
    assert!(publisher.requests()[3].contains("if-none-match: \"v1\""), "forced from the file that is already here");
    assert!(!here.data("registry/downloads/edition").exists());
}

#[test]
fn a_locally_damaged_edition_is_fetched_again() {
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
fn a_server_waiting_for_its_first_edition_is_not_ready() {
    let here = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", "http://127.0.0.1:1/edition")
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let serving = here.serve();
    let ready = get(serving.admin, "/readyz");
    assert!(ready.status == 503 && ready.body.contains("never imported"), "{}", ready.body);
    serving.stop();
}

#[test]
fn a_damaged_download_is_refused_and_the_previous_edition_stays() {
    let builder = Home::new();
    builder.import(sample::PADRON);
    let whole = fs::read(current(&builder)).unwrap();
    let publisher = Publisher::of(&whole, "\"v1\"");
    let here = Home::new();
    // An interrupted transfer is resumed.
    publisher.break_after(1_000);
    here.run(&["registry", "fetch", &publisher.url]).succeeded();
    let asked = publisher.requests();
    assert!(asked[1].contains("range: bytes=1000-"), "{asked:?}");
    here.run(&["registry", "fetch", &publisher.url]).succeeded();
    assert!(publisher.requests()[2].contains("if-none-match: \"v1\""), "{:?}", publisher.requests());

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
