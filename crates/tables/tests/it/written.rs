//! Written tables are safe in a spreadsheet program, and read back as they were.

use kuraka_tables::{StringRecord, TableError, TableForm, TableReader, XlsxLimits, without_formula, write_table};
use proptest::prelude::*;

const LIMITS: XlsxLimits = XlsxLimits { text: 32 << 20, ratio: 2_000, ratio_from: 1 << 20 };

fn written(form: TableForm, rows: &[Vec<String>]) -> Vec<u8> {
    write_table(form, &["ruc", "nombre"], &[], rows.to_vec()).unwrap()
}

fn read(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let each = |_, row: &mut StringRecord| {
        rows.push(row.iter().map(str::to_owned).collect());
        Ok::<_, TableError>(())
    };
    TableReader::new(bytes, LIMITS).unwrap().rows(each).unwrap();
    rows
}

fn row(cells: [&str; 2]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

#[test]
fn csv_is_written_to_the_letter() {
    let rows = [row(["20100119227", "ÑANDÚ, \"S.A.\"\nLIMA"]), row(["", " x "])];
    let expected = "ruc,nombre\r\n20100119227,\"ÑANDÚ, \"\"S.A.\"\"\nLIMA\"\r\n, x \r\n";
    assert_eq!(String::from_utf8(written(TableForm::Csv, &rows)).unwrap(), expected);
}

#[test]
fn a_formula_in_csv_begins_with_an_apostrophe() {
    for cell in ["=1+1", "+51", "-5", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠1"] {
        let read = read(&written(TableForm::Csv, &[row([cell, "a=b"])]));
        assert_eq!(read[1], [format!("'{cell}"), "a=b".to_owned()]);
    }
}

#[test]
fn a_formula_behind_another_separator_begins_with_an_apostrophe() {
    for (cell, safe) in [
        ("a;=1+1;b;@x", "a;'=1+1;b;'@x"),
        ("a\n=1", "a\n'=1"),
        ("a\t＝1", "a\t'＝1"),
        (";-1", ";'-1"),
        ("A-1; B=2", "A-1; B=2"),
    ] {
        assert_eq!(without_formula(cell), safe);
    }
}

#[test]
fn a_workbook_keeps_every_text() {
    let long = "Ñ".repeat(40_000);
    let rows = [row(["20100119227", "=1+1"]), row(["001", "<&>\" \u{1} _x0041_"]), row(["x", &long])];
    let read = read(&written(TableForm::Xlsx, &rows));
    assert_eq!(read[..3], [row(["ruc", "nombre"]), rows[0].clone(), rows[1].clone()]);
    assert!(long.starts_with(&read[3][1]) && read[3][1].len() > 32_000);
}

#[test]
fn columns_of_numbers_are_numbers_in_a_workbook() {
    let totals = ["118.00", "148", "3.369", "1.234.5", "1e5", "inf", "", "1234567890123456", "2026-09-04"];
    let rows = totals.map(|total| row(["20100119227", total]));
    let mut sheet = String::new();
    let bytes = write_table(TableForm::Xlsx, &["ruc", "total"], &["total"], rows).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    std::io::Read::read_to_string(&mut archive.by_name("xl/s1.xml").unwrap(), &mut sheet).unwrap();
    let is_number = |row: usize| {
        let cell =
            sheet.split_once(&format!("<c r=\"B{row}\"")).map_or("", |(_, rest)| rest.split('>').next().unwrap());
        !cell.is_empty() && !cell.contains(" t=")
    };
    let numbers: Vec<&str> = (2..).zip(totals).filter(|(row, _)| is_number(*row)).map(|(_, total)| total).collect();
    assert_eq!(numbers, ["118.00", "148", "3.369"], "{sheet}");
    assert!(sheet.contains("t=\"inlineStr\"><is><t xml:space=\"preserve\">20100119227</t>"), "{sheet}");
    assert!(sheet.contains("<v>3.369</v>") && sheet.contains("numberStoredAsText"), "{sheet}");
}

proptest! {
    #[test]
    fn what_is_written_reads_back(rows in prop::collection::vec(prop::collection::vec("[a-zÑ0-9,;\"\r\n |']{1,12}", 2), 0..20)) {
        for form in [TableForm::Csv, TableForm::Xlsx] {
            let expected: Vec<_> = std::iter::once(row(["ruc", "nombre"])).chain(rows.clone()).collect();
            // XML has no carriage returns, and CSV guards one at the beginning of a cell.
            let plain = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
                let cell = |cell: String| cell.replace(['\r', '\''], "").replace('\n', " ");
                rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
            };
            prop_assert_eq!(plain(read(&written(form, &rows))), plain(expected));
        }
    }
}
