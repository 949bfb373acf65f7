//! Editions that another machine has built: they are fetched, verified and published like an import.

use std::fs;

use super::datasets::downloads;
use super::files::{Versions, versions};
use super::http::get;
use super::program::{Home, eventually};
use super::publisher::Publisher;
use super::update::{not_updated, without_publishers};

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

#[test]
fn a_fetched_file_with_another_checksum_is_not_published() {
    for case in versions() {
        let ((builder, _), name) = (built(&case), case.dataset.name);
        let (publisher, here) = served(&builder, &case);
        let import = |sum: &str| here.run(&["dataset", "import", name, &publisher.url, "--sha256", sum]);
        let sum = sum(&builder, &case);
        let (sum, other) = (sum.split_once(' ').unwrap().0, "0".repeat(64));
        let line = import(&other).failed();
        assert!(line.contains(&format!("the file's SHA-256 is {sum}, not {other}")), "{line}");
        assert!(!here.dataset(name, "CURRENT").exists());
        import(sum).succeeded();
        assert_eq!(downloads(&here, name), [""; 0]);
        // The wrong checksum is also refused when the edition is already here.
        import(&other).failed();
        for no_sum in ["+f".repeat(32), "0".repeat(63)] {
            let refused = import(&no_sum);
            assert!(refused.code == Some(2) && refused.stderr.contains("64 hexadecimal digits"), "{refused:?}");
        }
    }
}

#[test]
fn a_required_checksum_is_fetched_before_the_edition() {
    for case in versions() {
        let ((builder, first), name) = (built(&case), case.dataset.name);
        let (publisher, here) = served(&builder, &case);
        let sums = Publisher::new("sum", sum(&builder, &case).as_bytes(), "\"s1\"");
        let here = here.with(&format!("KURAKA__DATASETS__{}__SHA256_URL", name.to_uppercase()), &sums.url);
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with(&format!("published edition {first} of {name}: ")), "{out}");
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with("unchanged: "), "{out}");
        assert_eq!(sums.requests().len(), 2);

        // Another file than the one that the checksum is of.
        let second = case.import(&builder, 1);
        publisher.publish(&edition(&builder, &case), "\"v2\"");
        sums.publish(format!("{}  edition\n", "0".repeat(64)).as_bytes(), "\"s2\"");
        let cause = not_updated(&here, name, &[]);
        assert!(cause.contains("the file's SHA-256 is ") && cause.contains(&"0".repeat(64)), "{cause}");
        not_updated(&here, name, &["--force"]);
        // None at all, or none that can be read.
        let whole = sum(&builder, &case);
        for nothing in ["<html>404</html>", "", &whole.repeat(2), &whole[1..]] {
            sums.publish(nothing.as_bytes(), "\"s3\"");
            let requests = publisher.requests().len();
            let cause = not_updated(&here, name, &[]);
            assert!(cause.contains(&format!("holds no SHA-256 of {name}")), "{cause}");
            assert_eq!(publisher.requests().len(), requests, "the edition is not requested");
        }
        assert_eq!(here.current(name), here.edition(name, &first), "the previous edition stays");
        sums.publish(whole.as_bytes(), "\"s4\"");
        here.run(&["dataset", "update", name]).succeeded();
        assert_eq!(here.current(name), here.edition(name, &second));
    }
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
fn a_locally_damaged_edition_is_fetched_again() {
    for case in versions() {
        let ((builder, label), name) = (built(&case), case.dataset.name);
        let (_publisher, here) = served(&builder, &case);
        here.run(&["dataset", "update", name]).succeeded();
        let whole = edition(&here, &case);
        let mut bytes = whole.clone();
        bytes[whole.len() / 2] ^= 1;
        fs::write(here.current(name), bytes).unwrap();
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with(&format!("published edition {label} of {name}: ")), "{out}");
        assert_eq!(edition(&here, &case).len(), whole.len());
        let out = here.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with("unchanged: "), "{out}");
    }
}

#[test]
fn a_damaged_download_is_refused_and_the_previous_edition_stays() {
    for case in versions() {
        let ((builder, first), name) = (built(&case), case.dataset.name);
        let (publisher, here) = served(&builder, &case);
        // An interrupted transfer is resumed.
        publisher.break_after(1_000);
        here.run(&["dataset", "update", name]).succeeded();
        let asked = publisher.requests();
        assert!(asked[1].contains("range: bytes=1000-"), "{asked:?}");
        here.run(&["dataset", "update", name]).succeeded();
        let asked = publisher.requests();
        assert!(asked.last().unwrap().contains("if-none-match: \"v1\""), "{asked:?}");

        case.import(&builder, 1);
        let whole = edition(&builder, &case);
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        for (bytes, etag) in [
            (changed.as_slice(), "\"changed\""),
            (&whole[..whole.len() - 1], "\"cut\""),
            (b"<html><body>502 Bad Gateway</body></html>".as_slice(), "\"page\""),
        ] {
            publisher.publish(bytes, etag);
            let cause = not_updated(&here, name, &[]);
            let expected = format!("the file is no edition of {name}");
            assert!(cause.starts_with(&expected), "{cause}");
            assert_eq!(here.current(name), here.edition(name, &first));
            assert_eq!(downloads(&here, name), [""; 0]);
        }
        publisher.publish(&whole, "\"whole\"");
        here.run(&["dataset", "update", name]).succeeded();
    }
}
