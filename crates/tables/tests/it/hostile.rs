//! Damaged and hostile files are refused or read, and never end in a panic.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_tables::{TableError, TableReader, XlsxError, XlsxLimits, read_list};
use proptest::prelude::*;
use proptest::sample::Index;

const ROWS: usize = 100;
const LIMITS: XlsxLimits = XlsxLimits { text: 1 << 20, ratio: 100, ratio_from: 1 << 20 };

fn sheet() -> Vec<u8> {
    let row = |ruc: f64| vec![Cell::Number(ruc), Cell::Text("01".to_owned()), Cell::Day(45_850.0)];
    let header = ["RUC", "Tipo", "Fecha"].map(|name| Cell::Text(name.to_owned())).to_vec();
    workbook("Hoja1", Epoch::Windows, &[header, row(20_100_119_227.0), row(20_131_312_955.0)]).unwrap()
}

#[test]
fn a_workbook_that_unpacks_to_too_much_is_refused() {
    let rows = vec![vec![Cell::Inline("A".repeat(1 << 15))]; 600];
    let bytes = workbook("Hoja1", Epoch::Windows, &rows).unwrap();
    assert!(bytes.len() < 2 << 20);
    let refused = read_list(&bytes, ROWS, || true).unwrap_err();
    assert!(matches!(refused, TableError::Xlsx(XlsxError::TooLarge { .. })), "{refused}");
}

#[test]
fn reading_ends_as_soon_as_it_is_not_wanted() {
    let csv = "ruc\n20100119227\n".repeat(40).into_bytes();
    let rows: Vec<_> = (0..80).map(|_| vec![Cell::Text("20100119227".to_owned())]).collect();
    let workbook = workbook("Hoja1", Epoch::Windows, &rows).unwrap();
    for bytes in [csv, workbook] {
        let asked = AtomicUsize::new(0);
        let is_wanted = || asked.fetch_add(1, Ordering::Relaxed) < 5;
        let ended = read_list(&bytes, ROWS, is_wanted).unwrap_err();
        assert!(matches!(&ended, TableError::Io(error) if error.kind() == ErrorKind::Interrupted), "{ended}");
        assert_eq!(asked.into_inner(), 6);
    }
}

#[test]
fn a_cut_cell_is_no_ruc() {
    let text = format!("ruc\n20100119227{}x\n20100119227\n", " ".repeat(5_000));
    assert!(read_list(text.as_bytes(), ROWS, || true).unwrap().list[0].ruc.is_err());
}

#[test]
fn a_cut_workbook_is_refused() {
    let whole = sheet();
    assert_eq!(read_list(&whole, ROWS, || true).unwrap().list.len(), 2);
    for length in 0..whole.len() {
        assert!(read_list(&whole[..length], ROWS, || true).is_err(), "{length} bytes");
    }
}

#[test]
fn a_row_without_an_end_is_refused() {
    for byte in *b"x,\"\t\n\r" {
        let endless = TableReader::new(std::io::repeat(byte), LIMITS).unwrap();
        let refused = endless.rows(|_, _| Ok::<_, TableError>(())).unwrap_err();
        assert!(matches!(refused, TableError::LongRow { .. }), "{byte}: {refused}");
    }
}

#[test]
fn a_list_keeps_only_the_beginning_of_a_long_cell() {
    let text = format!("ruc,nota\n{},{}\n20100119227,\n", "2".repeat(1_000), "x".repeat(100_000));
    let read = read_list(text.as_bytes(), ROWS, || true).unwrap();
    assert_eq!(read.list[0].cell(kuraka_tables::ListColumn::Ruc).len(), 100);
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_end_in_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        if let Ok(read) = read_list(&bytes, ROWS, || true) {
            prop_assert!(read.list.len() <= ROWS);
        }
    }

    #[test]
    fn arbitrary_text_never_ends_in_a_panic(text in "(ruc[,;|]?)?([0-9E+.,;|\"'\n\r\t ñ=-]{0,400})") {
        if let Ok(read) = read_list(text.as_bytes(), ROWS, || true) {
            let lines = text.lines().flat_map(|line| line.split('\r')).count() as u64;
            prop_assert!(read.list.iter().all(|row| (1..=lines + 1).contains(&row.line)));
        }
    }

    #[test]
    fn a_damaged_workbook_never_ends_in_a_panic(changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..20)) {
        let mut bytes = sheet();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = read_list(&bytes, ROWS, || true) {
            prop_assert!(!error.to_string().contains("the xlsx reader failed"));
        }
    }
}
