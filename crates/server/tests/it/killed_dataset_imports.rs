//! `kuraka dataset import`, killed at random instants or given a bad file: the edition before still answers, or the new
//! one does, whole, and the next import works.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::time::Duration;

use kuraka_domain::Date;
use kuraka_generators::dataset::{ANNEX_COLUMNS, TextForm, annexes};
use kuraka_generators::padron::Padron;
use kuraka_generators::zip_file::zip_file;
use kuraka_registry::dataset::{ANEXOS, Dataset, named};
use kuraka_registry::{DatasetEdition, dataset_editions};
use kuraka_sandbox::sample::datasets;
use tokio::time::Instant;

use super::killed_imports::{Random, kill};
use super::program::Home;
use super::reliability::{figure, number};

/// Files of the annexes of five days.
const FILES: u64 = 5;

/// The annexes of a day: all but the first `day` rows.
fn file(day: u64) -> Vec<u8> {
    let mut text = Vec::new();
    TextForm::ANNEXES.push_header(&ANNEX_COLUMNS, &mut text);
    for annex in annexes(Padron::new(20_000, 5), 3_000, 1).skip(day as usize) {
        TextForm::ANNEXES.push_line(&annex.cells(&annex.ruc.to_string()), &mut text);
    }
    let date = Date::new(2026, 10, 1 + day as u8).unwrap();
    let mut zip = zip_file(Cursor::new(Vec::new()), "padron_reducido_local_anexo.txt", date).unwrap();
    zip.write_all(&text).unwrap();
    zip.finish().unwrap().into_inner()
}

/// The current edition: its label and everything in it. It must be whole.
fn current(home: &Home, dataset: &'static Dataset) -> Option<(String, String)> {
    let kept = dataset_editions(&home.data("registry"), dataset).unwrap();
    let edition = DatasetEdition::open(dataset, &kept.iter().find(|kept| kept.current)?.path).unwrap();
    let rows: String = edition.iter().map(|row| format!("{:?}\n", row.unwrap())).collect();
    Some((edition.label().to_owned(), rows))
}

#[test]
fn a_killed_import_of_a_dataset_leaves_a_whole_edition() {
    let home = Home::new();
    let files: Vec<_> = (0..FILES).map(|day| home.write(&format!("anexos{day}.zip"), file(day))).collect();
    let import = |nth: u64| {
        ["dataset", "import", "anexos", &files[(nth % FILES) as usize], "--force"].map(str::to_owned).to_vec()
    };
    let run = |nth: u64| home.run(&import(nth).iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
    let mut whole = BTreeMap::new();
    for nth in 0..FILES {
        run(nth);
        let (label, rows) = current(&home, &ANEXOS).unwrap();
        whole.insert(label, rows);
    }
    assert_eq!(whole.len() as u64, FILES);

    // `make reliability` sets a higher number.
    let kills = number("DATASET_KILLS", 6);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut interrupted, mut new_ones) = (0, 0);
    let mut usual = Duration::from_millis(100);
    let mut before = current(&home, &ANEXOS).unwrap();
    for round in 0..3 * kills {
        if interrupted == kills {
            break;
        }
        interrupted += u64::from(kill(&home, &import(2 * round), &mut random, usual));
        let found = current(&home, &ANEXOS).unwrap();
        assert_eq!(whole[&found.0], found.1, "round {round}");
        let wanted = whole.keys().nth((2 * round % FILES) as usize);
        assert!(found == before || Some(&found.0) == wanted, "round {round}: {} after {}", found.0, before.0);
        new_ones += u64::from(found != before);
        let began = Instant::now();
        run(2 * round + 1);
        usual = began.elapsed();
        before = current(&home, &ANEXOS).unwrap();
        assert_eq!(
            Some(&before.0),
            whole.keys().nth(((2 * round + 1) % FILES) as usize),
            "round {round}: the next one"
        );
        let editions = fs::read_dir(home.data("registry/datasets/anexos/editions")).unwrap().count();
        assert!(editions <= 3, "round {round}: {editions} files");
    }
    figure(
        "C1",
        &format!("`dataset import` killed at {interrupted} random instants"),
        &format!("the old edition or the new one ({new_ones} times), each whole"),
    );
    assert_eq!(interrupted, kills, "the others ended before they were killed");
}

#[test]
fn a_bad_file_of_any_dataset_is_refused_with_a_reason_that_names_the_dataset() {
    let home = Home::new();
    let page = home.write("page.zip", "<!DOCTYPE html>\n<html><body>Request Rejected</body></html>\n");
    for piece in datasets().unwrap() {
        let dataset = named(piece.dataset).unwrap();
        let good = home.write(piece.file_name, &piece.bytes);
        home.run(&["dataset", "import", piece.dataset, &good]).succeeded();
        let before = current(&home, dataset);
        let cut = home.write("cut", &piece.bytes[..piece.bytes.len() / 3]);
        let mut bad = vec![&page];
        // A cut text is only a shorter one, which a guard refuses if it is shorter by far.
        if piece.bytes.starts_with(b"PK") {
            bad.push(&cut);
        }
        for file in bad {
            let finished = home.run(&["dataset", "import", piece.dataset, file]);
            let reason = finished.failed();
            assert!(reason.contains(piece.dataset), "{file}: {reason}");
            assert_eq!(current(&home, dataset), before, "{file}");
        }
    }
    let unknown = home.run(&["dataset", "import", "retenciones", &page]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("retencion, buenos_contribuyentes"), "{unknown:?}");
}
