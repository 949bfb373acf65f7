//! Whatever is wrong with a dataset's file, the edition before still answers, and the reason names the dataset.

use std::error::Error;

use kuraka_domain::Date;
use kuraka_generators::dataset::{
    ANNEX_COLUMNS, INCAPACITY_COLUMNS, LIST_COLUMNS, OPEN_DATA_COLUMNS, SANCTION_COLUMNS, TextForm, annexes,
    incapacities, list_entries, open_data, sanctions,
};
use kuraka_generators::padron::Padron;
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_registry::dataset::{Dataset, FileForm, named};
use kuraka_registry::dataset_editions;

use crate::workspace::{Workspace, zip};

/// Every dataset but the padrón.
const DATASETS: [&str; 8] = [
    "retencion",
    "buenos_contribuyentes",
    "percepcion_venta_interna",
    "percepcion_combustibles",
    "anexos",
    "datos_abiertos",
    "ssco",
    "sanciones",
];

fn padron() -> Padron {
    Padron::new(6_000, 1)
}

/// The header with its kept column `renamed`.
fn header<const N: usize>(columns: [&str; N], renamed: Option<usize>) -> Vec<String> {
    let name = |(index, column): (usize, &str)| {
        if renamed == Some(index) { format!("{column} NUEVO") } else { column.to_owned() }
    };
    columns.into_iter().enumerate().map(name).collect()
}

fn text<C: AsRef<str>>(form: TextForm, header: &[String], lines: impl Iterator<Item = Vec<C>>) -> Vec<u8> {
    let mut out = Vec::new();
    form.push_header(&header.iter().map(String::as_str).collect::<Vec<_>>(), &mut out);
    lines.for_each(|cells| form.push_line(&cells.iter().map(AsRef::as_ref).collect::<Vec<_>>(), &mut out));
    out
}

/// The dataset's file with the first `share` percent of its rows; with a column renamed if `renamed`.
fn file(dataset: &Dataset, share: usize, renamed: bool) -> Vec<u8> {
    let some = |rows: usize| rows * share / 100;
    let day = Date::parse("2026-10-02").unwrap();
    let owned = |cells: &[std::borrow::Cow<'_, str>]| cells.iter().map(|cell| cell.clone().into_owned()).collect();
    let at = |column: usize| renamed.then_some(column);
    let inner = dataset.file_names[0].replace("{AAAAMM}", "202610");
    match dataset.name {
        "anexos" => {
            let rows = annexes(padron(), some(600) as u32, 1);
            let lines = rows.map(|row| row.cells(&row.ruc.to_string()).map(str::to_owned).to_vec());
            zip(&[(&inner, &text(TextForm::ANNEXES, &header(ANNEX_COLUMNS, at(3)), lines))])
        }
        "datos_abiertos" => {
            // The companies come last.
            let lines = open_data(padron(), 4_000, 1).filter(|row| row.ruc.prefix() == 20).take(some(280));
            let lines = lines.map(|row| owned(&row.cells("202610")));
            zip(&[(&inner, &text::<String>(TextForm::OPEN_DATA, &header(OPEN_DATA_COLUMNS, at(3)), lines))])
        }
        "sanciones" => {
            let lines = sanctions(padron(), some(300) as u32, 1).map(|row| owned(&row.cells(day)));
            text::<String>(TextForm::SANCTIONS, &header(SANCTION_COLUMNS, at(3)), lines)
        }
        "ssco" => {
            let mut sheet = vec![header(INCAPACITY_COLUMNS, at(3)).into_iter().map(Cell::Text).collect()];
            sheet.extend(incapacities(padron(), some(110) as u32).map(|row| row.cells(Epoch::Windows, day)));
            workbook("Hoja1", Epoch::Windows, &sheet).unwrap()
        }
        list => {
            let number = DATASETS.iter().position(|name| *name == list).unwrap() as u32;
            let lines = list_entries(padron(), number, 2, 1).take(some(300)).map(|entry| owned(&entry.cells()));
            zip(&[(&inner, &text::<String>(TextForm::LIST, &header(LIST_COLUMNS, at(2)), lines))])
        }
    }
}

/// The files to refuse, each with a part of the reason.
fn bad_files(dataset: &Dataset) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = file(dataset, 100, false);
    let page = "<!DOCTYPE html>\n<html><head><title>Request Rejected</title></head><body>…</body></html>\n";
    let is_text = matches!(dataset.form, FileForm::Text(_));
    let another = if is_text { file(named("ssco").unwrap(), 100, false) } else { b"RUC|X\r\n".to_vec() };
    let mut changed = good.clone();
    let middle = changed.len() / 2;
    changed[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0x55);
    let mut files = vec![
        ("a page", page.as_bytes().to_vec(), ""),
        ("an empty file", Vec::new(), "empty"),
        ("fewer rows", file(dataset, 30, false), "rows"),
        ("a renamed column", file(dataset, 100, true), "column"),
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
fn a_bad_file_of_any_dataset_leaves_the_edition_before_and_is_refused_by_name() {
    for name in DATASETS {
        let dataset = named(name).unwrap();
        let workspace = Workspace::new();
        let first = workspace.try_dataset(dataset, "published", &file(dataset, 100, false)).unwrap();
        assert!(first.rows > 100, "{name}: {}", first.rows);
        let before: Vec<String> = workspace.dataset(dataset).iter().map(|row| format!("{row:?}")).collect();
        for (what, bytes, expected) in bad_files(dataset) {
            let error = workspace.try_dataset(dataset, "published", &bytes).err();
            let error = error.unwrap_or_else(|| panic!("{name}: {what} was published"));
            let reason = reason(&error);
            assert!(reason.contains(name) && reason.contains(expected), "{name}, {what}: {reason}");
            let kept = dataset_editions(&workspace.registry(), dataset).unwrap();
            assert_eq!((kept.len(), kept[0].current), (1, true), "{name}, {what}: {kept:?}");
            assert!(workspace.dataset(dataset).iter().map(|row| format!("{row:?}")).eq(before.iter().cloned()));
        }
        let folder = workspace.registry().join("datasets").join(name).join("editions");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "nothing unfinished is left");
    }
}

#[test]
fn a_list_under_the_name_of_another_is_refused() {
    let (retention, good) = (named("retencion").unwrap(), named("buenos_contribuyentes").unwrap());
    let workspace = Workspace::new();
    workspace.try_dataset(retention, "published", &file(retention, 100, false)).unwrap();
    // With the published name inside the zip.
    let error = workspace.try_dataset(retention, "published", &file(good, 100, false)).unwrap_err();
    assert!(reason(&error).contains("buenos_contribuyentes"), "{}", reason(&error));
}
