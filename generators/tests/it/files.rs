use std::io::{Cursor, Read, Write};

use kuraka_domain::Date;
use kuraka_generators::padron::{Padron, ZIP_ENTRY, write_text};
use kuraka_generators::zip_file::zip_file;

fn zipped(padron: Padron, date: Date) -> Vec<u8> {
    let mut zip = zip_file(Cursor::new(Vec::new()), ZIP_ENTRY, date).unwrap();
    write_text(padron.rows(), &mut zip).unwrap();
    zip.finish().unwrap().into_inner()
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
