use std::collections::HashSet;
use std::io::{Cursor, Read, Write};

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{Date, Ruc};
use kuraka_generators::padron::{LIST_HEADER, List, Padron, Row, ZIP_ENTRY, write_text};
use kuraka_generators::zip_file::zip_file;

fn zipped(padron: Padron, date: Date) -> Vec<u8> {
    let mut zip = zip_file(Cursor::new(Vec::new()), ZIP_ENTRY, date).unwrap();
    write_text(padron.rows(), &mut zip).unwrap();
    zip.finish().unwrap().into_inner()
}

fn list(rows: impl Iterator<Item = Row>) -> String {
    let mut list = List::new(Vec::new(), 1).unwrap();
    for row in rows {
        list.push(&row).unwrap();
    }
    WINDOWS_1252.decode(&list.finish().unwrap()).0.into_owned()
}

#[test]
fn the_zip_has_one_entry_with_the_given_date() {
    let padron = Padron::new(20_000, 1);
    let bytes = zipped(padron, Date::new(2026, 11, 20).unwrap());
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(archive.len(), 1);
    let mut entry = archive.by_name(ZIP_ENTRY).unwrap();
    let date = entry.last_modified().unwrap();
    assert_eq!((date.year(), date.month(), date.day()), (2026, 11, 20));
    let mut text = Vec::new();
    entry.read_to_end(&mut text).unwrap();
    assert_eq!(text, padron.to_text());
    let ratio = bytes.len() as f64 / text.len() as f64;
    assert!((0.22..0.29).contains(&ratio), "{ratio} of the text, published 0.25");
}

#[test]
fn a_date_that_a_zip_cannot_hold_is_refused() {
    let error = zip_file(Cursor::new(Vec::new()), ZIP_ENTRY, Date::new(1979, 12, 31).unwrap()).unwrap_err();
    assert!(error.to_string().contains("1979-12-31"), "{error}");
}

#[test]
fn a_write_error_is_returned() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = write_text(Padron::new(100, 1).rows(), &mut Full(1_000)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn a_list_has_four_columns_bare_cr_some_quotes_and_some_duplicates() {
    let text = list(Padron::new(20_000, 1).rows().filter(|row| row.ruc.is_some()));
    assert!(!text.contains('\n'));
    let mut records = text.split_terminator('\r');
    assert_eq!(records.next(), Some(LIST_HEADER));
    let records: Vec<Vec<_>> = records.map(|record| record.split('|').collect()).collect();
    assert!(records.iter().all(|columns| columns.len() == 5 && columns[4].is_empty()));
    assert!(records.iter().all(|columns| Ruc::parse(columns[0]).is_ok()));
    let quoted = records.iter().filter(|columns| columns[1].starts_with('"')).count();
    assert!((120..280).contains(&quoted), "{quoted} of an expected 200");
    let rucs: HashSet<_> = records.iter().map(|columns| columns[0]).collect();
    let duplicates = records.len() - rucs.len();
    assert!((15..75).contains(&duplicates), "{duplicates} of an expected 40");
}

#[test]
fn noise_is_not_listed() {
    let noise = Row { ruc: None, name: String::new(), line: Vec::new(), withholding_agent: true, good_taxpayer: true };
    assert_eq!(list(std::iter::once(noise)), format!("{LIST_HEADER}\r"));
}
