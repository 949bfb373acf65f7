//! Personal data of dropped columns and rows is in no file that an import writes (editions, rejects, change lists), and in
//! no row, report or error.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::changes::publications;
use kuraka_registry::dataset::{ALL, DATOS_ABIERTOS, Dataset, PADRON, RETENCION, SSCO};
use kuraka_registry::{Import, editions};

use crate::published::{CANARY, answers, company, file};
use crate::reading::{Cell, inline, parts, person, rows, shared, try_read, workbook};
use crate::workspace::{Workspace, line, padron};

/// A document of the invented person whose name is in every cell that is not kept.
const DOCUMENT: &str = "81234567";
/// In a kept text of every file: the search would find a canary too.
const MARK: &str = "EMPRESA";

/// What no file may have, in any spelling that a file could use.
fn canaries() -> Vec<Vec<u8>> {
    let texts = ["CANARIO", "canario", DOCUMENT].map(|text| text.as_bytes().to_vec());
    let utf16 = "CANARIO".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let document: u32 = DOCUMENT.parse().unwrap();
    let numbers = [document.to_le_bytes().to_vec(), document.to_be_bytes().to_vec()];
    texts.into_iter().chain([utf16]).chain(numbers).collect()
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// A file with companies, with persons where they are left out, and with lines that are refused: a canary is the key, or
/// stands in a kept column.
fn text(dataset: &Dataset, mark: u32) -> Vec<u8> {
    let keys = (0..40).map(|n| company(n).to_string()).chain([CANARY.to_owned(), DOCUMENT.to_owned()]);
    let whole = file(dataset, keys.map(|key| (key, mark)));
    let shifted = file(dataset, [(company(41).to_string(), mark)]);
    let shifted = shifted.split(|&byte| byte == b'\n').nth(1).unwrap();
    let delimiter = if dataset.name == DATOS_ABIERTOS.name { "," } else { "|" };
    let more = format!("{delimiter}{CANARY}").repeat(3);
    let persons = if dataset.name == DATOS_ABIERTOS.name {
        let text = String::from_utf8(file(dataset, (0..20).map(|n| (person(n).to_string(), mark)))).unwrap();
        text.split_once('\n').unwrap().1.replace("150101", "210405").replace(MARK, CANARY)
    } else {
        String::new()
    };
    [&whole, shifted, more.as_bytes(), b"\n", persons.as_bytes()].concat()
}

fn sheet(mark: u32) -> Vec<u8> {
    let header = SSCO.columns.iter().map(|column| shared(column.header)).collect();
    let mark = format!("{MARK} DIA {mark}");
    let row = |ruc: f64, day| {
        let kept = [inline(&mark), day, Cell::Day(45_900.0)];
        let (document, name) = (Cell::Number(81_234_567.0), shared(CANARY));
        let mut row = vec![Cell::Number(ruc), shared(CANARY), inline(CANARY)];
        row.extend(kept);
        row.extend([document, name, Cell::Empty]);
        row
    };
    let rucs = (0..40).map(|n| company(n).get() as f64);
    let mut rows: Vec<_> = [header].into_iter().chain(rucs.map(|ruc| row(ruc, Cell::Day(45_850.0)))).collect();
    rows.push(row(company(41).get() as f64, inline(CANARY)));
    rows.push(vec![inline(CANARY), Cell::Empty, Cell::Empty, inline(DOCUMENT)]);
    workbook(&parts(&rows))
}

#[test]
fn no_published_file_has_personal_data() {
    let workspace = Workspace::new();
    for dataset in ALL {
        for mark in 1..=2 {
            let content = if dataset.name == SSCO.name { sheet(mark) } else { text(dataset, mark) };
            // The workbook's texts are deflated.
            assert!(dataset.name == SSCO.name || has(&content, CANARY.as_bytes()));
            let request = Import { force: true, ..workspace.request(&content) };
            let report = workspace.try_import(dataset, &request).unwrap();
            assert!(report.rejected_lines() > 0 && report.rejects_file.is_some(), "{}", dataset.name);
            let debug = format!("{report:?}");
            assert!(canaries().iter().all(|canary| !has(debug.as_bytes(), canary)), "{debug}");
        }
        assert_eq!(editions(&workspace.registry(), dataset).unwrap().len(), 2);
        // The payload of a list of changes is deflated, so it is read too.
        let found = publications(&workspace.registry(), dataset).unwrap();
        let [step] = found.steps.as_slice() else { panic!("{}: {found:?}", dataset.name) };
        let recorded: Vec<_> = step.changes().unwrap().changes().map(Result::unwrap).collect();
        let recorded = format!("{recorded:?}");
        assert!(recorded.contains("DIA 1"), "{recorded}");
        assert!(canaries().iter().all(|canary| !has(recorded.as_bytes(), canary)), "{recorded}");
        for (ruc, answer) in answers(&workspace.edition(dataset)) {
            assert!(!ruc.is_personal() && !answer.contains("CANARIO"), "{}", dataset.name);
        }
    }
    let mut marks = 0;
    for path in files(&workspace.registry()) {
        let bytes = fs::read(&path).unwrap();
        marks += usize::from(has(&bytes, MARK.as_bytes()));
        for canary in canaries() {
            assert!(!has(&bytes, &canary), "{} has {:?}", path.display(), String::from_utf8_lossy(&canary));
        }
        for n in 0..20 {
            let ruc = person(n).to_string();
            assert!(!has(&bytes, ruc.as_bytes()), "{} has {ruc}", path.display());
        }
        assert!(!has(&bytes, b"210405"), "{} has a person's district", path.display());
    }
    assert!(marks >= 2 * ALL.len(), "the texts of an edition can be found in its bytes: {marks}");
}

#[test]
fn a_persons_address_in_the_padron_is_dropped_and_counted() {
    let workspace = Workspace::new();
    let persons = RucKind::ALL.into_iter().filter(|&kind| kind != RucKind::LegalPerson);
    let persons: Vec<_> = persons.map(|kind| Ruc::from_parts(kind, 40_000_000).unwrap()).collect();
    let address = "|210405|JR.|CANARIO|URB.|CANARIO|1|2|3|4|5|6|";
    let of = |ruc| line(ruc, MARK).replace(&"|-".repeat(11), "").trim_end_matches('|').to_owned() + address;
    // One with a pipe in its name, one whose columns are absent in another spelling, one with a district alone.
    let more = [1, 2, 3].map(person);
    let lines = persons.iter().map(|&ruc| of(ruc)).chain([
        of(more[0]).replace(MARK, "EMPRESA|DOS"),
        line(more[1], MARK).replacen("|-|", "|----|", 1),
        line(more[2], MARK).replacen("|-|", "|210405|", 1),
        of(company(1)).replace("210405", "150101").replace("CANARIO", "GRAU"),
    ]);
    let report = workspace.import(&PADRON, &padron(lines));
    assert_eq!((report.rows, report.read.dropped_addresses), (8, 6));
    for ruc in persons.into_iter().chain(more) {
        let found = workspace.lookup(ruc).unwrap();
        assert_eq!((found.address.as_str(), found.ubigeo), ("", None), "{ruc}");
    }
    assert!(workspace.lookup(company(1)).unwrap().address.contains("GRAU"));
    let bytes = fs::read(workspace.edition_path(&PADRON)).unwrap();
    assert!(has(&bytes, MARK.as_bytes()) && !has(&bytes, b"CANARIO") && !has(&bytes, b"210405"));
}

fn assert_clean(output: &str) {
    assert!(!output.contains("CANARIO"), "{output}");
    assert!(!output.contains(DOCUMENT), "{output}");
    for n in 0..20 {
        assert!(!output.contains(&person(n).to_string()), "{output}");
    }
}

#[test]
fn natural_persons_of_the_open_data_are_not_handed_on() {
    let header: Vec<_> = DATOS_ABIERTOS.columns.iter().map(|column| column.header).collect();
    let line = |ruc: &str, count: usize| format!("{ruc}{}\n", ",CANARIO".repeat(count - 1));
    let mut text = header.join(",") + "\n";
    for n in 0..10 {
        text += &line(&person(n).to_string(), 16);
        text += &line(&person(n).to_string(), 3);
        text += &line(&format!("\"{}\"", person(n)), 16);
        text += &line(&format!(" {}", person(n)), 16);
    }
    text += &line("20", 16);
    let (found, report) = rows(&DATOS_ABIERTOS, text.as_bytes());
    assert_eq!((found.len(), report.left_out, report.bad_lines.total()), (0, 40, 1));
    assert_clean(&format!("{report:?}\n{}", report.bad_lines.rejects_file().unwrap_or_default()));
}

#[test]
fn errors_do_not_quote_rows() {
    let rows_only = format!("{}|CANARIO JUAN|01/06/2002|R|\r", person(1));
    let error = try_read(&RETENCION, rows_only.as_bytes()).unwrap_err();
    let text = format!("{error} {:?} {}", error, error.problem);
    assert!(text.contains("Ruc"), "the missing column is named: {text}");
    assert_clean(&text);
}
