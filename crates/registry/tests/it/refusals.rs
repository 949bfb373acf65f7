//! Files that are not the dataset's: each is refused with a clear error that names the dataset.

use std::io::Write;

use kuraka_registry::dataset::{
    ALL, ANEXOS, BUENOS_CONTRIBUYENTES, Dataset, FileForm, PADRON, RETENCION, RecordForm, SANCIONES, SSCO,
};
use kuraka_registry::reader::{FileProblemError, XlsxError};
use kuraka_registry::{Import, SourceError};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::published::published;
use crate::reading::{Cell, parts, read_named, refusal, shared, try_read, workbook};
use crate::workspace::{Workspace, windows_1252, zip};

/// The header of a dataset's text, in its published form.
fn header(dataset: &Dataset) -> Vec<u8> {
    published(dataset, [])
}

fn ssco_sheet() -> Vec<Vec<Cell>> {
    let header = SSCO.columns.iter().map(|column| shared(column.header)).collect();
    vec![header, vec![Cell::Number(20_600_000_013.0), Cell::Empty, Cell::Empty, shared("R1"), Cell::Day(45_850.0)]]
}

fn texts() -> impl Iterator<Item = &'static Dataset> {
    ALL.iter().copied().filter(|dataset| matches!(dataset.form, FileForm::Text(_)))
}

#[test]
fn a_header_of_another_dataset_is_refused_by_its_name() {
    let pairs = texts().flat_map(|given| texts().map(move |dataset| (given, dataset)));
    for (given, dataset) in pairs {
        let content = header(given);
        if content == header(dataset) {
            let workspace = Workspace::new();
            let request = Import { force: true, ..workspace.request(&content) };
            assert_eq!(workspace.try_import(dataset, &request).unwrap().rows, 0);
            continue;
        }
        match refusal(dataset, &content) {
            FileProblemError::OtherHeader { dataset: found } => {
                assert!(found.split(" or ").any(|name| name == given.name))
            }
            // The padrón's must match exactly.
            FileProblemError::Header { .. } if dataset.records() == RecordForm::Summary => {}
            other => panic!("{} as {}: {other}", given.name, dataset.name),
        }
    }
}

#[test]
fn a_header_with_a_column_renamed_missing_or_twice_is_refused() {
    for dataset in texts() {
        let whole = encoding_rs::WINDOWS_1252.decode(&header(dataset)).0.into_owned();
        let is_exact = dataset.records() == RecordForm::Summary;
        for column in dataset.columns {
            let renamed = whole.replacen(column.header, "RENOMBRADA", 1);
            let problem = refusal(dataset, &windows_1252(&renamed));
            let text = problem.to_string();
            let is_expected = matches!(problem, FileProblemError::MissingColumn { .. }) && !is_exact;
            assert!(
                is_expected || matches!(problem, FileProblemError::Header { .. }) && is_exact,
                "{}: {text}",
                dataset.name
            );
            assert!(text.contains("RENOMBRADA"), "what was found is shown: {text}");
        }
        let (names, end) = whole.split_at(whole.trim_end().trim_end_matches('|').len());
        let delimiter = if end == "\n" { "," } else { "|" };
        let problem = refusal(dataset, &windows_1252(&[names, delimiter, dataset.columns[0].header, end].concat()));
        let is_expected = matches!(problem, FileProblemError::RepeatedColumn { .. }) && !is_exact;
        assert!(
            is_expected || matches!(problem, FileProblemError::Header { .. }) && is_exact,
            "{}: {problem}",
            dataset.name
        );
    }
    let mut sheet = ssco_sheet();
    sheet[0][5] = shared("Fecha firme");
    let problem = refusal(&SSCO, &workbook(&parts(&sheet)));
    assert!(
        matches!(problem, FileProblemError::MissingColumn { column, .. } if column == SSCO.columns[5].header),
        "{problem}"
    );
}

#[test]
fn a_known_file_name_of_another_dataset_is_refused() {
    let list = header(&RETENCION);
    for content in [zip(&[("BueCont_TXT.txt", &list)]), zip(&[("BUECONT_TXT.TXT", &list)])] {
        let problem = refusal(&RETENCION, &content);
        assert!(matches!(problem, FileProblemError::OtherFile { dataset: "buenos_contribuyentes", .. }), "{problem}");
        assert!(try_read(&BUENOS_CONTRIBUYENTES, &content).is_ok());
    }
    let error = read_named(&RETENCION, "AgenPerc_TXT.txt", &list).unwrap_err();
    assert!(matches!(error.problem, FileProblemError::OtherFile { dataset: "percepcion_combustibles", .. }));
    assert!(try_read(&RETENCION, &zip(&[("Nuevo nombre.txt", &list)])).is_ok(), "an unknown name is accepted");
    assert!(read_named(&RETENCION, "AgenRet_TXT.txt", &list).is_ok());
    for (dataset, other) in [(&PADRON, &ANEXOS), (&ANEXOS, &PADRON)] {
        let problem = refusal(dataset, &zip(&[(other.file_names[0], &header(dataset))]));
        assert!(
            matches!(problem, FileProblemError::OtherFile { dataset: name, .. } if name == other.name),
            "{problem}"
        );
    }
}

#[test]
fn pages_and_empty_files_are_refused() {
    for dataset in ALL {
        for page in ["<!DOCTYPE html><html>error</html>", "\n  <html><body>403</body></html>", "\u{feff}<HTML>"] {
            let problem = refusal(dataset, page.as_bytes());
            let is_page = matches!(
                problem,
                FileProblemError::Source(SourceError::HtmlPage) | FileProblemError::Workbook(XlsxError::HtmlPage)
            );
            assert!(is_page, "{}: {problem}", dataset.name);
        }
        assert!(matches!(
            refusal(dataset, b""),
            FileProblemError::Empty | FileProblemError::Workbook(XlsxError::Empty)
        ));
    }
    let utf16: Vec<u8> = "\u{feff}Ruc|Nombre".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(refusal(&RETENCION, &utf16), FileProblemError::Utf16));
}

#[test]
fn a_workbook_and_a_text_are_not_taken_for_each_other() {
    let sheet = workbook(&parts(&ssco_sheet()));
    assert!(try_read(&SSCO, &sheet).is_ok());
    assert!(matches!(refusal(&SANCIONES, &sheet), FileProblemError::UnexpectedWorkbook));
    for (content, words) in [
        (zip(&[("sujesincapacidadOperativa.csv", b"RUC")]), "xl/workbook.xml"),
        (header(&SANCIONES), "does not begin as a zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".repeat(100), "older Excel"),
    ] {
        match refusal(&SSCO, &content) {
            FileProblemError::Workbook(XlsxError::NotXlsx(detail)) => assert!(detail.contains(words), "{detail}"),
            other => panic!("{other}"),
        }
    }
    assert!(matches!(refusal(&SSCO, &sheet[..sheet.len() / 2]), FileProblemError::Workbook(XlsxError::Damaged(_))));
    let mut missing = parts(&ssco_sheet());
    missing.retain(|(name, _)| !name.contains("sheet1"));
    assert!(matches!(refusal(&SSCO, &workbook(&missing)), FileProblemError::Workbook(XlsxError::Damaged(_))));
}

/// The workbook's parts with one replaced or added.
fn with_part(name: &'static str, text: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    files.extend(parts(&ssco_sheet()).into_iter().map(|(name, text)| (name, text.into_bytes())));
    files.retain(|(known, _)| *known != name);
    files.push((name, text.into()));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_slice())).collect();
    zip(&files)
}

#[test]
fn a_workbook_with_too_much_text_is_refused() {
    // 33 MiB that compress to a few KiB, in a part that nothing refers to; then less, but still out of proportion.
    for bytes in [33 << 20, 4 << 20] {
        let problem = refusal(&SSCO, &with_part("xl/media/image1.bin", "A".repeat(bytes)));
        assert!(
            matches!(problem, FileProblemError::Workbook(XlsxError::Ratio { .. } | XlsxError::TooLarge { .. })),
            "{problem}"
        );
    }
    let names: Vec<String> = (0..300).map(|n| format!("xl/{n}.xml")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"<a/>"[..])).collect();
    assert!(refusal(&SSCO, &zip(&many)).to_string().contains("parts"));
}

#[test]
fn a_workbook_that_announces_more_texts_than_it_has_is_refused() {
    for attribute in ["uniqueCount=\"99999999999999\"", "uniqueCount = '18446744073709551615'"] {
        let problem = refusal(&SSCO, &with_part("xl/sharedStrings.xml", format!("<sst {attribute}></sst>")));
        assert!(problem.to_string().contains("announces"), "{problem}");
    }
    let utf16: Vec<u8> = "<sst uniqueCount=\"9\"/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let problem = refusal(&SSCO, &with_part("xl/sharedStrings.xml", utf16));
    assert!(problem.to_string().contains("not UTF-8"), "{problem}");
}

#[test]
fn one_long_text_in_many_cells_is_refused() {
    let long = "L".repeat(1 << 19);
    let header = SSCO.columns.iter().map(|column| shared(column.header)).collect();
    let mut parts = parts(&[header, vec![Cell::Number(20_600_000_013.0), Cell::Empty, Cell::Empty, shared(&long)]]);
    let row = |n| format!("<row r=\"{n}\"><c r=\"D{n}\" t=\"s\"><v>9</v></c></row>");
    let rows: String = (3..200).map(row).collect();
    for (_, text) in parts.iter_mut().filter(|(name, _)| name.contains("sheet1")) {
        *text = text.replace("</sheetData>", &format!("{rows}</sheetData>"));
    }
    let mut stored = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in &parts {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        stored.start_file(*name, options).unwrap();
        stored.write_all(text.as_bytes()).unwrap();
    }
    let problem = refusal(&SSCO, &stored.finish().unwrap().into_inner());
    assert!(matches!(problem, FileProblemError::Workbook(XlsxError::TooLarge { .. })), "{problem}");
}

#[test]
fn a_text_beyond_its_datasets_limits_is_refused() {
    let mut text = header(&RETENCION);
    text.resize(65 << 20, b'A');
    assert!(matches!(refusal(&RETENCION, &text), FileProblemError::Source(SourceError::TooLarge { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_end_in_a_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let sheet = workbook(&parts(&ssco_sheet()));
        let text = [header(&SANCIONES), b"20260404|20100994128|A|19980806||1|12|R\n".repeat(5)].concat();
        for (dataset, content) in [(&SSCO, sheet), (&SANCIONES, zip(&[("a.csv", &text)])), (&SANCIONES, text)] {
            let mut content = content;
            for (at, byte) in &changes {
                let at = at.index(content.len());
                content[at] = *byte;
            }
            let _ = try_read(dataset, &content);
        }
    }

    #[test]
    fn changed_parts_of_a_workbook_never_end_in_a_panic(
        part in 0_usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let (name, text) = parts(&ssco_sheet()).remove(part);
        let mut text = text.into_bytes();
        for (at, byte) in &changes {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        if let Err(error) = try_read(&SSCO, &with_part(name, text)) {
            prop_assert!(!error.problem.to_string().contains("the xlsx reader failed"));
        }
    }
}
