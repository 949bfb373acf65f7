//! Files of datasets for tests, and the rows that are read from them.

use std::fmt::Write as _;
use std::sync::atomic::AtomicU64;

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::dataset::{Dataset, Value};
use kuraka_registry::reader::{Problem, ReadError, Report, read};

use crate::dataset_editions;
use crate::workspace::zip;

/// The names of parts and cells in a workbook of one sheet.
pub(crate) enum Cell<'a> {
    /// A text in the table of shared texts.
    Shared(&'a str),
    /// A text in the cell.
    Inline(&'a str),
    /// A number.
    Number(f64),
    /// A number with a date's format.
    Day(f64),
    /// No cell.
    None,
}

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
    let report = read(dataset, &path, &AtomicU64::new(0), |ruc, values| {
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
    if dataset.name != "padron" {
        dataset_editions::check(dataset, "published", content);
    }
    try_read(dataset, content).unwrap()
}

/// Why this file is refused; checks that the error names the dataset.
pub(crate) fn refusal(dataset: &'static Dataset, content: &[u8]) -> Problem {
    let error = try_read(dataset, content).unwrap_err();
    assert_eq!(error.dataset, dataset.name);
    assert!(error.to_string().contains(dataset.name));
    error.problem
}

fn shown(value: Value<'_>) -> String {
    match value {
        Value::Absent => "-".to_owned(),
        Value::Text(text) => text.to_owned(),
        Value::Date(date) => date.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Ubigeo(ubigeo) => ubigeo.to_string(),
        Value::Listed(entry) => format!("{:02} {}", entry.code, entry.text),
    }
}

/// The parts of a workbook with one sheet, in which each cell may be a shared text, a text, a number or a date.
pub(crate) fn parts(rows: &[Vec<Cell<'_>>]) -> Vec<(&'static str, String)> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const KINDS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let mut shared = Vec::new();
    let mut data = String::new();
    for (row, cells) in (1..).zip(rows) {
        write!(data, "<row r=\"{row}\">").unwrap();
        for (column, cell) in (b'A'..=b'Z').map(char::from).zip(cells) {
            let at = format!("r=\"{column}{row}\"");
            match cell {
                Cell::Shared(text) => {
                    write!(data, "<c {at} t=\"s\"><v>{}</v></c>", shared.len()).unwrap();
                    shared.push(format!("<si><t xml:space=\"preserve\">{text}</t></si>"));
                }
                Cell::Inline(text) => write!(data, "<c {at} t=\"inlineStr\"><is><t>{text}</t></is></c>").unwrap(),
                Cell::Number(number) => write!(data, "<c {at}><v>{number}</v></c>").unwrap(),
                Cell::Day(number) => write!(data, "<c {at} s=\"1\"><v>{number}</v></c>").unwrap(),
                Cell::None => {}
            }
        }
        data.push_str("</row>");
    }
    let count = shared.len();
    vec![
        (
            "[Content_Types].xml",
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>".to_owned(),
        ),
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"rId1\" Type=\"{KINDS}/officeDocument\" \
                 Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{KINDS}\"><sheets><sheet name=\"Hoja1\" sheetId=\"1\" \
                 r:id=\"rId1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"rId1\" Type=\"{KINDS}/worksheet\" \
                 Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/styles.xml",
            format!(
                "<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs>\
                 </styleSheet>"
            ),
        ),
        ("xl/sharedStrings.xml", format!("<sst xmlns=\"{MAIN}\" uniqueCount=\"{count}\">{}</sst>", shared.concat())),
        ("xl/worksheets/sheet1.xml", format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{data}</sheetData></worksheet>")),
    ]
}

pub(crate) fn workbook(parts: &[(&str, String)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    zip(&parts)
}
