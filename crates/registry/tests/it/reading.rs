//! The rows that are read from files, and workbooks for tests.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kuraka_domain::{Ruc, RucKind};
pub(crate) use kuraka_generators::workbook::Cell;
use kuraka_generators::workbook::Epoch;
use kuraka_registry::dataset::{Dataset, RowsPerRuc, Value};
use kuraka_registry::reader::{FileProblemError, ReadError, Report, read};
use kuraka_registry::{Import, ImportError, NoProgress};

use crate::published::company;
use crate::workspace::{Workspace, zip};

/// The `n`-th invented natural person.
pub(crate) fn person(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::NaturalPerson, 80_000_000 + n * 7).unwrap()
}

/// Reads a file of this name and content: each row as `RUC|value|value`, and the report.
pub(crate) fn read_named(
    dataset: &'static Dataset,
    name: &str,
    content: &[u8],
) -> Result<(Vec<String>, Report), ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let mut rows = Vec::new();
    let report = read(dataset, &path, &NoProgress, |ruc, values| {
        assert_eq!(values.len(), dataset.fields().count());
        let mut row = ruc.to_string();
        values.iter().for_each(|value| write!(row, "|{}", shown(*value)).unwrap());
        rows.push(row);
        Ok::<(), ReadError>(())
    })?;
    assert_eq!(report.rows, rows.len() as u64);
    assert_eq!(report.file_bytes, content.len() as u64);
    Ok((rows, report))
}

pub(crate) fn try_read(dataset: &'static Dataset, content: &[u8]) -> Result<(Vec<String>, Report), ReadError> {
    read_named(dataset, "published", content)
}

/// Reads a file, and imports it: the edition has the same rows.
pub(crate) fn rows(dataset: &'static Dataset, content: &[u8]) -> (Vec<String>, Report) {
    check(dataset, content);
    try_read(dataset, content).unwrap()
}

/// Imports the file, and compares every row with what the reader hands on.
fn check(dataset: &'static Dataset, content: &[u8]) {
    let workspace = Workspace::new();
    let request = Import { force: true, ..workspace.request(content) };
    let mut expected: BTreeMap<Ruc, Vec<String>> = BTreeMap::new();
    let read_rows = read(dataset, &request.source.path, &NoProgress, |ruc, values| {
        let rows = expected.entry(ruc).or_default();
        let row = format!("{values:?}");
        if dataset.rows == RowsPerRuc::Many && !rows.contains(&row) || rows.is_empty() {
            rows.push(row);
        }
        Ok::<(), ReadError>(())
    });
    let read_rows = read_rows.unwrap().rows;
    let report = workspace.try_import(dataset, &request).unwrap();
    let edition = workspace.edition(dataset);
    let rows: usize = expected.values().map(Vec::len).sum();
    assert_eq!((report.rows, report.rucs), (rows as u64, expected.len() as u64), "{}", dataset.name);
    assert_eq!(report.repeated, read_rows - report.rows);
    assert_eq!((edition.meta().rows, edition.meta().rucs), (report.rows, report.rucs));
    assert!(edition.rucs().map(Result::unwrap).eq(expected.keys().copied()), "{}", dataset.name);
    for (ruc, rows) in &expected {
        let found = edition.rows(*ruc).unwrap();
        assert_eq!(&found.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>(), rows);
        assert_eq!(edition.count(*ruc), Ok(rows.len()));
    }
    assert!(edition.rows(company(9_999)).unwrap().is_empty() && edition.count(company(9_999)) == Ok(0));
}

/// Why this file is refused even by force. The error names the dataset, and nothing is published.
pub(crate) fn refusal(dataset: &'static Dataset, content: &[u8]) -> FileProblemError {
    let workspace = Workspace::new();
    let request = Import { force: true, ..workspace.request(content) };
    let error = workspace.try_import(dataset, &request).unwrap_err();
    assert!(error.to_string().contains(dataset.name), "{error}");
    assert_eq!(std::fs::read_dir(workspace.folder(dataset).join("editions")).unwrap().count(), 0);
    assert_eq!(workspace.kept(dataset), []);
    match error {
        ImportError::Read(ReadError { dataset: name, problem }) if name == dataset.name => problem,
        other => panic!("{other:?}"),
    }
}

fn shown(value: Value<'_>) -> String {
    match value {
        Value::Absent => "-".to_owned(),
        Value::Text(text) => text.to_owned(),
        Value::Date(date) => date.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Ubigeo(ubigeo) => ubigeo.to_string(),
    }
}

/// A text in the table of shared texts.
pub(crate) fn shared(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// A text in the cell.
pub(crate) fn inline(text: &str) -> Cell {
    Cell::Inline(text.to_owned())
}

/// The parts of a workbook with one sheet.
pub(crate) fn parts(rows: &[Vec<Cell>]) -> Vec<(&'static str, String)> {
    kuraka_generators::workbook::parts("Hoja1", Epoch::Windows, rows).into()
}

pub(crate) fn workbook(parts: &[(&str, String)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    zip(&parts)
}
