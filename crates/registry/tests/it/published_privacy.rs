//! Personal data of dropped columns and rows is in no file that an import writes: not in editions, rejects, change lists
//! or notes.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_registry::changes::changes;
use kuraka_registry::dataset::{ALL, DATOS_ABIERTOS, Dataset, PADRON, SSCO};
use kuraka_registry::{DatasetImport, NoProgress, dataset_editions, import_dataset};

use crate::dataset_editions::request;
use crate::dataset_files::{Cell, parts, person, workbook};
use crate::workspace::{Workspace, company};

/// In every cell that is not kept.
const CANARY: &str = "CANARIO INVENTADO JUAN";
/// A document of the same invented person.
const DOCUMENT: &str = "81234567";
/// In a kept text of every file, with the number of its edition: the search would find a canary too.
const MARK: &str = "MARCA";

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

/// A line of the dataset with this RUC, the mark in its kept texts and the canary in its dropped cells.
fn line(dataset: &Dataset, ruc: &str, mark: &str) -> String {
    let cell = |header: &str| match header {
        "RUC" | "Ruc" => ruc.to_owned(),
        "A partir del" => "01/06/2002".to_owned(),
        "FECHA_CORTE" | "FECHA_INICIO" => "20260404".to_owned(),
        "FECHA_FIN" => String::new(),
        "NroTrab" => "12".to_owned(),
        "UBIGEO" => "150101".to_owned(),
        "PERIODO_PUBLICACION" => "202610".to_owned(),
        header if dataset.fields().any(|(_, column)| column.header == header) => mark.to_owned(),
        _ => CANARY.to_owned(),
    };
    let delimiter = if dataset.name == DATOS_ABIERTOS.name { "," } else { "|" };
    dataset.columns.iter().map(|column| cell(column.header)).collect::<Vec<_>>().join(delimiter)
}

/// A file with companies, with persons where they are left out, and with lines that are refused because a canary stands
/// in a kept column.
fn text(dataset: &Dataset, mark: &str) -> Vec<u8> {
    let delimiter = if dataset.name == DATOS_ABIERTOS.name { "," } else { "|" };
    let header: Vec<_> = dataset.columns.iter().map(|column| column.header).collect();
    let mut lines = vec![header.join(delimiter)];
    lines.extend((0..40).map(|n| line(dataset, &company(n).to_string(), mark)));
    let good = line(dataset, &company(41).to_string(), mark);
    let shifted = good.split(delimiter).skip(1).collect::<Vec<_>>().join(delimiter);
    lines.push(format!("{CANARY}{delimiter}{shifted}"));
    lines.push(format!("{DOCUMENT}{delimiter}{shifted}"));
    lines.push(format!("{good}{}", format!("{delimiter}{CANARY}").repeat(3)));
    if dataset.name == DATOS_ABIERTOS.name {
        for n in 0..20 {
            let row = line(dataset, &person(n).to_string(), CANARY);
            lines.push(row.replace("150101", "210405"));
        }
    }
    lines.join("\n").into_bytes()
}

fn sheet(mark: &str) -> Vec<u8> {
    let header = SSCO.columns.iter().map(|column| Cell::Shared(column.header)).collect();
    let row = |ruc: f64, day| {
        let kept = [Cell::Inline(mark), day, Cell::Day(45_900.0)];
        let (document, name) = (Cell::Number(81_234_567.0), Cell::Shared(CANARY));
        let mut row = vec![Cell::Number(ruc), Cell::Shared(CANARY), Cell::Inline(CANARY)];
        row.extend(kept);
        row.extend([document, name, Cell::None]);
        row
    };
    let rucs = (0..40).map(|n| company(n).get() as f64);
    let mut rows: Vec<_> = [header].into_iter().chain(rucs.map(|ruc| row(ruc, Cell::Day(45_850.0)))).collect();
    rows.push(row(company(41).get() as f64, Cell::Inline(CANARY)));
    rows.push(vec![Cell::Inline(CANARY), Cell::None, Cell::None, Cell::Inline(DOCUMENT)]);
    workbook(&parts(&rows))
}

#[test]
fn no_published_file_has_personal_data() {
    let workspace = Workspace::new();
    let others = ALL.into_iter().filter(|dataset| dataset.name != PADRON.name);
    for dataset in others.clone() {
        for number in 1..=2 {
            let mark = format!("{MARK}{number}");
            let content = if dataset.name == SSCO.name { sheet(&mark) } else { text(dataset, &mark) };
            // The workbook's texts are deflated.
            assert!(dataset.name == SSCO.name || has(&content, CANARY.as_bytes()));
            let source = workspace.file("published", &content);
            let request = DatasetImport { force: true, ..request(&source) };
            let report = import_dataset(&workspace.registry(), dataset, &request, &NoProgress).unwrap();
            assert!(report.rejected_lines() > 0, "{}", dataset.name);
            let debug = format!("{report:?}");
            assert!(canaries().iter().all(|canary| !has(debug.as_bytes(), canary)), "{debug}");
        }
        assert_eq!(dataset_editions(&workspace.registry(), dataset).unwrap().len(), 2);
        // The payload of a list of changes is deflated, so it is read too.
        let steps: Vec<_> = changes(&workspace.registry(), dataset, None).unwrap().collect();
        let [step] = steps.as_slice() else { panic!("{}: {steps:?}", dataset.name) };
        let recorded: Vec<_> = step.changes.as_ref().unwrap().changes().unwrap().map(Result::unwrap).collect();
        let recorded = format!("{recorded:?}");
        assert!(recorded.contains(&format!("{MARK}1")), "{recorded}");
        assert!(canaries().iter().all(|canary| !has(recorded.as_bytes(), canary)), "{recorded}");
        for (ruc, rows) in workspace.dataset(dataset).iter().map(Result::unwrap) {
            assert!(!ruc.is_personal() && !format!("{rows:?}").contains("CANARIO"), "{}", dataset.name);
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
    assert!(marks >= 2 * others.count(), "the texts of an edition can be found in its bytes: {marks}");
}
