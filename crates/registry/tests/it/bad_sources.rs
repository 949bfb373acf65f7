//! Zips and texts that cannot be read as published: refused with the reason, and nothing is published.

use kuraka_registry::dataset::{Dataset, PADRON, RETENCION};
use kuraka_registry::reader::{FileProblemError, ReadError, XlsxError};
use kuraka_registry::{Import, ImportError, SourceError};
use zip::write::SimpleFileOptions;

use crate::published::published;
use crate::reading::refusal;
use crate::workspace::{HEADER, Workspace, companies, windows_1252, zip};

pub(crate) const ENTRY: &str = "padron_reducido_ruc.txt";
/// Two threads inflate and read: the padrón's, and the other texts'.
static READERS: [&Dataset; 2] = [&PADRON, &RETENCION];

/// Why this file of the padrón cannot be read.
pub(crate) fn refused(content: &[u8]) -> SourceError {
    refused_as(&PADRON, content)
}

pub(crate) fn refused_as(dataset: &'static Dataset, content: &[u8]) -> SourceError {
    match refusal(dataset, content) {
        FileProblemError::Source(error) => error,
        other => panic!("{other}"),
    }
}

/// The dataset's text with so many companies, in a zip.
fn zipped(dataset: &Dataset, companies: u32) -> Vec<u8> {
    zip(&[(dataset.file_names[0], &published(dataset, (0..companies).map(|n| (n, 1))))])
}

/// Sets bytes of a zip where `signature` of a local or central header stands.
fn patch(zip: &mut [u8], signature: &[u8; 4], offset: usize, bytes: &[u8]) {
    let at = zip.windows(4).position(|window| window == signature).unwrap() + offset;
    zip[at..at + bytes.len()].copy_from_slice(bytes);
}

const LOCAL: &[u8; 4] = b"PK\x03\x04";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";

#[test]
fn a_zip_cut_anywhere_is_refused() {
    for dataset in READERS {
        let whole = zipped(dataset, 2_000);
        assert!(matches!(
            refusal(dataset, b""),
            FileProblemError::Empty | FileProblemError::Workbook(XlsxError::Empty)
        ));
        for length in (1..100).map(|percent| whole.len() * percent / 100).chain([whole.len() - 1]) {
            let error = refused_as(dataset, &whole[..length]);
            assert!(matches!(error, SourceError::Zip { .. }), "{length} bytes: {error}");
        }
    }
}

#[test]
fn a_zip_with_a_wrong_checksum_is_refused() {
    for dataset in READERS {
        let mut bad = zipped(dataset, 100);
        patch(&mut bad, CENTRAL, 16, &[1, 2, 3, 4]);
        assert!(matches!(refused_as(dataset, &bad), SourceError::Zip { .. }));
    }
}

#[test]
fn broken_compressed_data_is_refused() {
    for dataset in READERS {
        let good = zipped(dataset, 2_000);
        for position in [100, 500, 2_000] {
            let mut bad = good.clone();
            bad[position] ^= 0x55;
            let problem = refusal(dataset, &bad);
            let is_header = matches!(problem, FileProblemError::Header { .. } | FileProblemError::MissingColumn { .. });
            let is_zip =
                matches!(problem, FileProblemError::Source(SourceError::Zip { .. } | SourceError::Size { .. }));
            assert!(is_zip || position == 100 && is_header, "{position}: {problem}");
        }
    }
}

#[test]
fn a_zip_with_more_or_fewer_entries_than_one_is_refused() {
    let text = companies(10);
    assert!(matches!(refused(&zip(&[])), SourceError::Entries { found: 0 }));
    assert!(matches!(refused(&zip(&[(ENTRY, &text), ("more.txt", &text)])), SourceError::Entries { found: 2 }));
}

#[test]
fn a_zip_entry_with_another_name_is_refused() {
    let text = companies(10);
    let inner = zip(&[(ENTRY, &text)]);
    for (name, content) in [
        ("../padron_reducido_ruc.txt", &text),
        ("/padron_reducido_ruc.txt", &text),
        ("a/padron_reducido_ruc.txt", &text),
        ("..\\padron_reducido_ruc.txt", &text),
        ("padron_reducido_ruc.zip", &inner),
    ] {
        assert!(matches!(refused(&zip(&[(name, content)])), SourceError::EntryName { .. }), "{name}");
    }
}

#[test]
fn folders_and_links_are_refused() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.add_symlink(ENTRY, "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let link = writer.finish().unwrap().into_inner();
    assert!(matches!(refused(&link), SourceError::NotAFile));
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.add_directory(ENTRY, SimpleFileOptions::default()).unwrap();
    let folder = writer.finish().unwrap().into_inner();
    assert!(matches!(refused(&folder), SourceError::NotAFile | SourceError::EntryName { .. }));
}

#[test]
fn an_encrypted_entry_is_refused() {
    let mut bad = zip(&[(ENTRY, &companies(10))]);
    patch(&mut bad, LOCAL, 6, &[1, 0]);
    patch(&mut bad, CENTRAL, 8, &[1, 0]);
    assert!(matches!(refused(&bad), SourceError::Encrypted));
}

#[test]
fn an_unknown_compression_is_refused() {
    let mut bad = zip(&[(ENTRY, &companies(10))]);
    patch(&mut bad, LOCAL, 8, &[99, 0]);
    patch(&mut bad, CENTRAL, 10, &[99, 0]);
    assert!(matches!(refused(&bad), SourceError::Zip { .. }));
}

#[test]
fn a_zip_that_declares_a_wrong_size_is_refused() {
    for dataset in READERS {
        let (good, length) = (zipped(dataset, 1_000), published(dataset, (0..1_000).map(|n| (n, 1))).len() as u32);
        for lie in [0, 1, length - 1, length + 1, u32::MAX - 1] {
            let mut bad = good.clone();
            patch(&mut bad, CENTRAL, 24, &lie.to_le_bytes());
            let error = refused_as(dataset, &bad);
            let fits = matches!(error, SourceError::Size { .. } | SourceError::Zip { .. });
            // More than any file of this dataset.
            let is_too_large = lie > 4 << 20 && matches!(error, SourceError::TooLarge { .. });
            assert!(fits || is_too_large, "{lie}: {error}");
        }
        let mut bad = good;
        patch(&mut bad, CENTRAL, 20, &10_u32.to_le_bytes());
        assert!(matches!(refused_as(dataset, &bad), SourceError::Zip { .. } | SourceError::Size { .. }));
    }
}

#[test]
fn a_zip_bomb_is_refused_by_its_ratio() {
    for dataset in READERS {
        let mut text = published(dataset, [(1, 1)]);
        text.resize(8 << 20, b'\n');
        let error = refused_as(dataset, &zip(&[(dataset.file_names[0], &text)]));
        assert!(matches!(error, SourceError::Ratio { .. }), "{error}");
    }
}

#[test]
fn a_changed_header_is_refused_with_its_column() {
    let columns: Vec<&str> = HEADER.trim_end_matches('|').split('|').collect();
    let mut swapped = columns.clone();
    swapped.swap(2, 3);
    let mut renamed = columns.clone();
    renamed[1] = "NOMBRE";
    let mut added = columns.clone();
    added.push("TIPO");
    let header = |columns: &[&str]| format!("{}|\n", columns.join("|"));
    let cases = [
        (header(&swapped), "column 3"),
        (header(&renamed), "column 2"),
        (header(&added), "16 columns instead of 15"),
        (header(&columns[..14]), "14 columns instead of 15"),
        (HEADER.replace('|', ";"), "pipe"),
        (HEADER.trim_end_matches('|').to_owned(), "pipe"),
        ("\n\n".to_owned(), "empty"),
        (String::new(), "empty"),
        ("20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|\n".to_owned(), "column 1"),
        (format!("{}\n", "X".repeat(1 << 20)), "pipe"),
    ];
    for (text, expected) in cases {
        let problem = refusal(&PADRON, &windows_1252(&text));
        assert!(matches!(problem, FileProblemError::Header { .. } | FileProblemError::Empty));
        assert!(problem.to_string().contains(expected), "{problem} lacks {expected}");
    }
}

#[test]
fn a_header_in_another_encoding_is_refused() {
    for text in [HEADER.to_owned(), format!("\u{feff}{HEADER}")] {
        let problem = refusal(&PADRON, text.as_bytes());
        assert!(matches!(&problem, FileProblemError::Header { detail } if detail.contains("UTF-8")), "{problem}");
    }
    let utf16: Vec<u8> = HEADER.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(refusal(&PADRON, &utf16), FileProblemError::Header { .. }));
}

#[test]
fn a_missing_file_is_an_io_error() {
    for dataset in READERS {
        let workspace = Workspace::new();
        let mut request: Import = workspace.request(b"");
        request.source.path = workspace.registry().join("nothing");
        let error = workspace.try_import(dataset, &request).unwrap_err();
        let ImportError::Read(ReadError { problem, .. }) = &error else { panic!("{error:?}") };
        assert!(matches!(problem, FileProblemError::Source(SourceError::Io(_))), "{error:?}");
    }
}
