//! Editions that another machine has built: they are fetched, verified and published like an import.

use std::fs;

use super::files::{Versions, versions};
use super::http::get;
use super::program::{Home, eventually};
use super::publisher::Publisher;
use super::update::without_publishers;

const BUILDER_URL: &str = "KURAKA__DATASETS__BUILDER_URL";

/// A folder in which a version was built, and its edition's label.
fn built(case: &Versions) -> (Home, String) {
    let builder = Home::new();
    let label = case.import(&builder, 0);
    (builder, label)
}

/// The file of the current edition.
fn edition(home: &Home, case: &Versions) -> Vec<u8> {
    fs::read(home.current(case.dataset.name)).unwrap()
}

/// A server with the current edition of a builder, and a folder that fetches it.
fn served(builder: &Home, case: &Versions) -> (Publisher, Home) {
    let publisher = Publisher::new("edition", &edition(builder, case), "\"v1\"");
    let here = without_publishers().with(BUILDER_URL, &publisher.url);
    (publisher, here)
}

/// The lists of changes: their names and bytes.
fn lists(home: &Home, dataset: &str) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(home.dataset(dataset, "changes")).unwrap().map(Result::unwrap);
    files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())).collect()
}

/// The line that `sha256sum` prints about the current edition.
fn sum(home: &Home, case: &Versions) -> String {
    let sum = std::process::Command::new("sha256sum").arg(home.current(case.dataset.name)).output().unwrap();
    String::from_utf8(sum.stdout).unwrap()
}

#[tokio::test]
async fn a_machine_fetches_and_serves_the_editions_another_machine_built() {
    let builder = Home::new();
    let first = versions().map(|case| case.import(&builder, 0));
    let building = builder.serve();
    let here = without_publishers().with(BUILDER_URL, &format!("http://{}/edition", building.admin)).plan(9_999, 9_999);
    let here = here.with("KURAKA__DATASETS__ENABLED", "retencion,anexos");
    let token = here.token("ana@example.pe");
    for (case, first) in versions().iter().zip(&first) {
        let name = case.dataset.name;
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with(&format!("published edition {first} of {name}: ")), "{out}");
        assert_eq!(here.info(name)["last_attempt"]["outcome"], "published");
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert_eq!(out, format!("unchanged: the active edition of {name} was built from this file\n"));
        assert_eq!(here.info(name)["last_attempt"]["outcome"], "unchanged");
        assert_eq!(edition(&here, case).len(), edition(&builder, case).len());
    }
    let serving = here.serve();
    for case in versions() {
        let name = case.dataset.name;
        assert_eq!(case.answering(serving.api, &token), Some(0), "{name}");
        // The next edition, while this machine serves.
        let second = case.import(&builder, 1);
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with(&format!("published edition {second} of {name}: ")), "{out}");
        eventually("the new edition is served", || (case.answering(serving.api, &token) == Some(1)).then_some(()))
            .await;
        let metrics = get(serving.admin, "/metrics").body;
        let line = format!("kuraka_dataset_edition{{dataset=\"{name}\",edition=\"{second}\"}} 1");
        assert!(metrics.contains(&line), "{line}: {metrics}");
        let out = here.run(&["dataset", "changes", name]).succeeded();
        assert!(out.lines().nth(1).is_some_and(|line| line.contains(&second)), "{out}");
        assert_eq!(lists(&here, name), lists(&builder, name));
    }
    for (path, part) in [("/edition/ssco", "no edition was published here"), ("/edition/anexo", "sanciones")] {
        let answer = get(building.admin, path);
        assert!(answer.status == 404 && answer.body.contains(part), "{answer:?}");
    }
    serving.stop();
    // A machine that begins later has the same record.
    let late = without_publishers().with(BUILDER_URL, &format!("http://{}/edition", building.admin));
    for case in versions() {
        let name = case.dataset.name;
        late.run(&["dataset", "update", name]).succeeded();
        assert_eq!(lists(&late, name), lists(&builder, name));
        assert_eq!(
            late.run(&["dataset", "changes", name]).succeeded(),
            here.run(&["dataset", "changes", name]).succeeded()
        );
    }
    building.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_server_that_requires_a_checksum_publishes_nothing_without_it() {
    let [case, ..] = versions();
    let (builder, label) = built(&case);
    let (_publisher, here) = served(&builder, &case);
    let sums = Publisher::new("sum", format!("{}  edition\n", "0".repeat(64)).as_bytes(), "\"s1\"");
    let here = here
        .with("KURAKA__DATASETS__ENABLED", "padron")
        .with("KURAKA__DATASETS__PADRON__SHA256_URL", &sums.url)
        .with("KURAKA__DATASETS__UPDATE_EVERY", "24h");
    let mut serving = here.serve();
    let line = serving.log("the dataset could not be updated");
    assert!(line.contains("\"padron\"") && line.contains("the file's SHA-256 is "), "{line}");
    assert_eq!(get(serving.admin, "/readyz").status, 503);
    serving.stop();

    sums.publish(sum(&builder, &case).as_bytes(), "\"s2\"");
    here.run(&["dataset", "update", "padron"]).succeeded();
    // The builder has no lists, without which a server that fetches is not ready.
    let serving = here.with("KURAKA__DATASETS__UPDATE_EVERY", "off").serve();
    // On a busy machine the store may answer late.
    let is_ready = || {
        let answer = get(serving.admin, "/readyz");
        (answer.status == 200 && answer.body.contains(&label)).then_some(())
    };
    eventually("the server is ready with the edition", is_ready).await;
    serving.stop();
}

#[test]
fn an_import_may_require_a_checksum() {
    let [case, ..] = versions();
    let (builder, _) = built(&case);
    let (publisher, here) = served(&builder, &case);
    let import = |sum: &str| here.run(&["dataset", "import", "padron", &publisher.url, "--sha256", sum]);
    let other = "0".repeat(64);
    assert!(import(&other).failed().contains(&format!(", not {other}")));
    let right = sum(&builder, &case).split_once(' ').unwrap().0.to_owned();
    assert!(import(&right).succeeded().contains("(of the edition)"));
    assert!(import(&right).succeeded().ends_with(" is already current\n"));
    for no_sum in ["+f".repeat(32), "0".repeat(63)] {
        let refused = import(&no_sum);
        assert!(refused.code == Some(2) && refused.stderr.contains("64 hexadecimal digits"), "{refused:?}");
    }
}
