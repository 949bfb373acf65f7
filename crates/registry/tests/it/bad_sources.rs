//! Unreadable files are refused with the reason, and nothing is published.

use kuraka_registry::{DateOrigin, ImportError, SourceError, open_current};
use zip::DateTime;
use zip::write::SimpleFileOptions;

use crate::workspace::{HEADER, Workspace, companies, date, windows_1252, zip};

pub(crate) const ENTRY: &str = "padron_reducido_ruc.txt";

/// The error of importing this padrón file; checks that nothing is published.
pub(crate) fn refused(content: &[u8]) -> SourceError {
    let workspace = Workspace::new();
    let mut request = workspace.request(content);
    request.force = true;
    match workspace.try_import(&request) {
        Err(ImportError::Source { name, source }) => {
            assert_eq!(name, "padron");
            assert!(open_current(&workspace.registry()).unwrap().edition.is_none());
            assert_eq!(std::fs::read_dir(workspace.registry().join("editions")).unwrap().count(), 0);
            source
        }
        other => panic!("{other:?}"),
    }
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
    let whole = zip(&[(ENTRY, &companies(2000))]);
    for percent in 0..100 {
        let cut = &whole[..whole.len() * percent / 100];
        let error = refused(cut);
        let fits = matches!(error, SourceError::Zip { .. } | SourceError::Header { .. });
        assert!(fits, "{percent} %: {error}");
    }
    assert!(matches!(refused(&whole[..whole.len() - 1]), SourceError::Zip { .. }));
}

#[test]
fn a_zip_with_a_wrong_checksum_is_refused() {
    let mut bad = zip(&[(ENTRY, &companies(100))]);
    patch(&mut bad, CENTRAL, 16, &[1, 2, 3, 4]);
    assert!(matches!(refused(&bad), SourceError::Zip { .. }));
}

#[test]
fn broken_compressed_data_is_refused() {
    let good = zip(&[(ENTRY, &companies(2000))]);
    for position in [100, 500, 2000] {
        let mut bad = good.clone();
        bad[position] ^= 0x55;
        let error = refused(&bad);
        let fits = matches!(error, SourceError::Zip { .. } | SourceError::Header { .. } | SourceError::Size { .. });
        assert!(fits, "{position}: {error}");
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
        ("padron_reducido_local_anexo.txt", &text),
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
    let text = companies(1000);
    let good = zip(&[(ENTRY, &text)]);
    for lie in [0, 1, text.len() as u32 - 1, text.len() as u32 + 1, u32::MAX - 1] {
        let mut bad = good.clone();
        patch(&mut bad, CENTRAL, 24, &lie.to_le_bytes());
        let error = refused(&bad);
        assert!(matches!(error, SourceError::Size { .. } | SourceError::Zip { .. }), "{lie}: {error}");
    }
    let mut bad = good;
    patch(&mut bad, CENTRAL, 20, &10_u32.to_le_bytes());
    assert!(matches!(refused(&bad), SourceError::Zip { .. } | SourceError::Size { .. }));
}

#[test]
fn a_zip_bomb_is_refused_by_its_ratio() {
    let mut text = companies(10);
    text.resize(8 << 20, b'\n');
    let error = refused(&zip(&[(ENTRY, &text)]));
    assert!(matches!(error, SourceError::Ratio { .. }), "{error}");
}

#[test]
fn an_html_page_is_refused_as_such() {
    for page in ["<!DOCTYPE html><html>error</html>", "\n  <html><body>403</body></html>", "\u{feff}<HTML>"] {
        assert!(matches!(refused(page.as_bytes()), SourceError::HtmlPage), "{page}");
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
        match refused(&windows_1252(&text)) {
            SourceError::Header { detail } => assert!(detail.contains(expected), "{detail} lacks {expected}"),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_header_in_another_encoding_is_refused() {
    for text in [HEADER.to_owned(), format!("\u{feff}{HEADER}")] {
        match refused(text.as_bytes()) {
            SourceError::Header { detail } => assert!(detail.contains("UTF-8"), "{detail}"),
            other => panic!("{other}"),
        }
    }
    let utf16: Vec<u8> = HEADER.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(refused(&utf16), SourceError::Header { .. }));
}

#[test]
fn a_missing_file_is_an_io_error() {
    let workspace = Workspace::new();
    let mut request = workspace.request(b"");
    request.padron.path = workspace.registry().join("nothing");
    let error = workspace.try_import(&request).unwrap_err();
    assert!(matches!(error, ImportError::Source { source: SourceError::Io(_), .. }), "{error:?}");
}

#[test]
fn a_plausible_date_of_the_zip_entry_is_used() {
    let zip_of = |year, month, day| {
        let options = SimpleFileOptions::default()
            .last_modified_time(DateTime::from_date_and_time(year, month, day, 1, 2, 4).unwrap());
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file(ENTRY, options).unwrap();
        std::io::Write::write_all(&mut writer, &companies(3)).unwrap();
        writer.finish().unwrap().into_inner()
    };
    for (file, expected, origin) in [
        (zip_of(2026, 11, 18), "2026-11-18", DateOrigin::ZipEntry),
        (zip_of(2026, 11, 21), "2026-11-20", DateOrigin::Today),
        (zip_of(1980, 1, 1), "2026-11-20", DateOrigin::Today),
        (companies(3), "2026-11-20", DateOrigin::Today),
    ] {
        let report = Workspace::new().import(&file);
        assert_eq!((report.date, report.date_origin), (date(expected), origin));
        assert!(report.label.starts_with(expected) && report.label.len() == 19, "{}", report.label);
    }
    let workspace = Workspace::new();
    let mut request = workspace.request(&zip_of(2026, 11, 18));
    request.date = Some(date("2026-11-17"));
    let report = workspace.try_import(&request).unwrap();
    assert_eq!((report.date, report.date_origin), (date("2026-11-17"), DateOrigin::Request));
}
