//! `kuraka dataset update` against publishers.

use kuraka_registry::dataset;

use super::datasets::{downloads, listed, piece};
use super::files::{Versions, versions};
use super::program::Home;
use super::publisher::Publisher;

/// The variable with the address of a dataset.
pub(crate) fn url_of(dataset: &str) -> String {
    format!("KURAKA__DATASETS__{}__URL", dataset.to_uppercase())
}

/// A folder whose datasets have no publisher.
pub(crate) fn without_publishers() -> Home {
    dataset::ALL.iter().fold(Home::new(), |home, dataset| home.with(&url_of(dataset.name), ""))
}

/// A publisher of the first version, and a folder that updates only this dataset, from there.
fn published(case: &Versions) -> (Publisher, Home) {
    let publisher = Publisher::new(case.file_name, &case.files[0], "\"v1\"");
    let home = without_publishers().with(&url_of(case.dataset.name), &publisher.url);
    (publisher, home)
}

/// The publisher of a dataset's piece of the sample.
pub(crate) fn sample_publisher(name: &str) -> Publisher {
    let piece = piece(name);
    Publisher::new(piece.file_name, &piece.bytes, "\"v1\"")
}

/// Updates one dataset, which must fail with this dataset alone, and returns the cause.
pub(crate) fn not_updated(home: &Home, name: &str, more: &[&str]) -> String {
    let done = home.run(&[&["dataset", "update", name], more].concat());
    assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
    let (_, cause) =
        done.stderr.split_once(&format!("warning: {name} is not updated: ")).unwrap_or_else(|| panic!("{done:?}"));
    let cause = cause.strip_suffix(&format!("\nerror: not updated: {name}\n"));
    cause.unwrap_or_else(|| panic!("{done:?}")).to_owned()
}

#[test]
fn an_update_downloads_a_dataset_only_when_it_changed() {
    for case in versions() {
        let ((publisher, home), name) = (published(&case), case.dataset.name);
        let out = home.run(&["dataset", "update"]).succeeded();
        assert!(out.starts_with("published edition 2026-11-18-"), "the day it was published: {out}");
        assert!(publisher.requests()[0].contains("mozilla"), "{:?}", publisher.requests());

        let out = home.run(&["dataset", "update"]).succeeded();
        assert_eq!(out, format!("unchanged: the active edition of {name} was built from this file\n"));
        assert!(publisher.requests()[1].contains("if-none-match: \"v1\""), "{:?}", publisher.requests());
        assert!(listed(&home, name).ends_with(" unchanged"), "{}", listed(&home, name));

        let first = home.current(name);
        publisher.publish(b"<html><body>Mantenimiento</body></html>", "\"page\"");
        not_updated(&home, name, &[]);
        let out = home.run(&["dataset", "list"]).stdout;
        let note = out.lines().last().unwrap();
        assert!(note.starts_with(&format!("{name}: ")) && note.contains("HTML page"), "the cause: {out}");
        assert!(out.lines().take(1 + dataset::ALL.len()).all(|line| line.chars().count() <= 100), "{out}");
        publisher.publish(&case.files[1], "\"v2\"");
        let out = home.run(&["dataset", "update", name]).succeeded();
        assert!(out.starts_with("published edition ") && out.contains(&format!(" of {name}: ")), "{out}");
        assert_ne!(home.current(name), first);
        assert_eq!(downloads(&home, name), [""; 0], "it is deleted when its import ends");
    }
}

#[test]
fn a_refused_file_or_edition_is_downloaded_again_only_with_force() {
    for (case, is_edition) in versions().into_iter().zip([false; 3]).chain(versions().into_iter().zip([true; 3])) {
        let ((publisher, home), name) = (published(&case), case.dataset.name);
        let home = if is_edition {
            let builder = Home::new();
            builder.run(&["dataset", "import", name, &publisher.url]).succeeded();
            publisher.publish(&std::fs::read(builder.current(name)).unwrap(), "\"v1\"");
            without_publishers().with("KURAKA__DATASETS__BUILDER_URL", &publisher.url)
        } else {
            home
        };
        let before = publisher.requests().len();
        // What is published is of a day before this one.
        let newer = case.import(&home, 1);
        for _ in 0..3 {
            let cause = not_updated(&home, name, &[]);
            assert!(cause.contains("the file is dated 2026-11-18, before the active edition ("), "{cause}");
            assert_eq!(downloads(&home, name), [""; 0], "it is deleted although it is refused");
        }
        assert_eq!(home.current(name), home.edition(name, &newer));
        let mut asked = publisher.requests().split_off(before);
        // A server asks for the lists of changes with a new edition only.
        let lists = asked.extract_if(.., |request| request.contains("/changes ")).count();
        assert_eq!(lists, usize::from(is_edition));
        let is_conditional = |request: &String| request.contains("if-none-match: \"v1\"");
        assert_eq!(asked.iter().map(is_conditional).collect::<Vec<_>>(), [false, true, true], "{asked:?}");
        let out = home.run(&["dataset", "update", name, "--force"]).succeeded();
        assert!(out.starts_with("published edition 2026-11-18-") && out.contains("forced"), "{out}");
        assert!(!publisher.requests().last().unwrap().contains("if-none-match"), "{:?}", publisher.requests());
    }
}
