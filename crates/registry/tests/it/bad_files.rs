//! Whatever is wrong with a dataset's file, the previous edition still answers, and the reason names the dataset.

use std::error::Error;

use kuraka_registry::dataset::{ALL, Content, Dataset, FileForm, SSCO};

use crate::published::{answers, published};
use crate::workspace::{Workspace, zip};

/// The dataset's file in its published form, with so many companies.
fn published_form(dataset: &Dataset, companies: u32) -> Vec<u8> {
    let content = published(dataset, (0..companies).map(|n| (n, 1)));
    let name = dataset.file_names[0].replace("{AAAAMM}", "202610");
    let is_zipped = matches!(dataset.form, FileForm::Text(_)) && !dataset.address.ends_with(&name);
    if is_zipped { zip(&[(&name, &content)]) } else { content }
}

/// The dataset as a file with another name for a kept column would need it.
fn renamed(dataset: &Dataset) -> Dataset {
    let mut columns = dataset.columns.to_vec();
    let kept = columns.iter_mut().find(|column| matches!(column.content, Content::Field { .. })).unwrap();
    kept.header = "COLUMNA NUEVA";
    Dataset { columns: columns.leak(), ..*dataset }
}

/// The files to refuse, each with a part of the reason.
fn bad_files(dataset: &Dataset) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = published_form(dataset, 300);
    let page = "<!DOCTYPE html>\n<html><head><title>Request Rejected</title></head><body>…</body></html>\n";
    let is_text = matches!(dataset.form, FileForm::Text(_));
    let another = if is_text { published_form(&SSCO, 300) } else { b"RUC|X\r\n".to_vec() };
    let mut changed = good.clone();
    let middle = changed.len() / 2;
    changed[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0x55);
    let mut files = vec![
        ("a page", page.as_bytes().to_vec(), ""),
        ("an empty file", Vec::new(), "empty"),
        ("fewer rows", published_form(dataset, 90), "rows"),
        ("a renamed column", published_form(&renamed(dataset), 300), "column"),
        ("a file of another form", another, ""),
        ("a zip without the file", zip(&[("leame.txt", b"hola")]), ""),
    ];
    if good.starts_with(b"PK") {
        files.push(("a cut zip", good[..middle].to_vec(), ""));
        files.push(("changed bytes", changed, ""));
    }
    files
}

/// The reason of an error: all of its texts.
fn reason(error: &dyn Error) -> String {
    let mut texts = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        texts = format!("{texts}; {error}");
        cause = error.source();
    }
    texts
}

#[test]
fn a_bad_file_leaves_the_previous_edition_and_is_refused_by_name() {
    for dataset in ALL {
        let (name, workspace) = (dataset.name, Workspace::new());
        let first = workspace.import(dataset, &published_form(dataset, 300));
        let before = answers(&workspace.edition(dataset));
        assert_eq!(before.len(), 300);
        for (what, bytes, expected) in bad_files(dataset) {
            let reason = reason(&workspace.refusal(dataset, &bytes));
            assert!(reason.contains(name) && reason.contains(expected), "{name}, {what}: {reason}");
            assert_eq!(workspace.kept(dataset), [(first.label.clone(), true, false)], "{name}, {what}");
            assert_eq!(answers(&workspace.edition(dataset)), before, "{name}, {what}");
        }
        let editions = workspace.folder(dataset).join("editions");
        assert_eq!(std::fs::read_dir(editions).unwrap().count(), 1, "nothing unfinished is left");
    }
}
