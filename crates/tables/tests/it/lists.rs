//! Lists of RUCs as people have them: any encoding, delimiter and header.

use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_tables::{ListColumn, Reading, RucCellError, TableError, Unsure, XlsxError, read_list};

pub(crate) fn list(bytes: &[u8]) -> Reading {
    read_list(bytes, 10_000, || true).unwrap()
}

/// The rows of a list: the line, and the RUC or the word for its error.
fn rucs(read: &Reading) -> Vec<(u64, String)> {
    let ruc = |row: &kuraka_tables::ListRow| match row.ruc {
        Ok(ruc) => ruc.to_string(),
        Err(error) => error.to_string(),
    };
    read.list.iter().map(|row| (row.line, ruc(row))).collect()
}

fn expected(rows: &[(u64, &str)]) -> Vec<(u64, String)> {
    rows.iter().map(|(line, ruc)| (*line, (*ruc).to_owned())).collect()
}

#[test]
fn every_encoding_delimiter_and_line_end_is_read() {
    let rows = expected(&[(2, "20100119227"), (3, "20131312955")]);
    for delimiter in [",", ";", "\t", "|"] {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let lines = ["Razón social,RUC,Año", "ÑANDÚ,20100119227,1", "\"SEÑOR, S.A.\",20131312955.0,2"];
                let comma = "\u{1}";
                let text = lines.join(end).replace(", S", &format!("{comma} S")).replace(',', delimiter);
                let text = format!("{mark}{}", text.replace(comma, ","));
                assert_eq!(rucs(&list(text.as_bytes())), rows, "{text:?}");
                if mark.is_empty() {
                    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
                    let read = list(&latin);
                    assert_eq!(rucs(&read), rows, "{text:?}");
                }
            }
        }
    }
}

#[test]
fn a_column_is_found_by_its_usual_names() {
    for name in [
        "ruc",
        "RUC",
        "Nro. RUC",
        "N° RUC",
        "Nº RUC",
        "Número de RUC",
        "numero de documento",
        "RUC Proveedor",
        "ruc_emisor",
        "Nro Doc Identidad",
        "Nro. Doc. Identidad",
        "Número de documento de identidad",
    ] {
        let read = list(format!("nombre;{name}\nA;20100119227\n").as_bytes());
        assert_eq!(rucs(&read), expected(&[(2, "20100119227")]), "{name}");
        assert_eq!((read.column(ListColumn::Ruc), read.has_vouchers), (Some(1), false), "{name}");
    }
}

#[test]
fn a_list_needs_no_header() {
    for text in ["20100119227\n20131312955", "A;20100119227\nB;20131312955", "\n20100119227\n\n20131312955\n"] {
        let read = list(text.as_bytes());
        let found: Vec<_> = read.list.iter().map(|row| row.ruc.unwrap().get()).collect();
        assert_eq!(found, [20_100_119_227, 20_131_312_955]);
    }
}

#[test]
fn rucs_in_one_line_are_a_list() {
    for line in ["20100119227, 20131312955", "20100119227;20131312955", "20100119227\t20131312955"] {
        assert_eq!(rucs(&list(line.as_bytes())), expected(&[(1, "20100119227"), (1, "20131312955")]), "{line:?}");
    }
    let unsure = read_list(b"ruc,ruc_2\n20100119227,20131312955\n", 10, || true).unwrap_err();
    assert_eq!(unsure.to_string(), "more than one column can have the RUCs: ruc, ruc_2");
}

#[test]
fn a_bad_row_says_its_line_and_why() {
    let text = "ruc,nota\n2.01001E+10,\"dos\nlíneas\"\n,sin RUC\n12345678,DNI\n20100119227,bien\n,\n";
    let read = list(text.as_bytes());
    let lines: Vec<_> = read.list.iter().map(|row| (row.line, row.ruc.is_ok())).collect();
    assert_eq!(lines, [(2, false), (4, false), (5, false), (6, true)]);
    assert_eq!(read.list[0].ruc, Err(RucCellError::Shortened));
    assert_eq!(read.list[0].cell(ListColumn::Ruc), "2.01001E+10");
    assert_eq!(read.list[1].ruc, Err(RucCellError::Empty));
}

#[test]
fn a_quote_without_a_pair_hides_no_row_of_suppliers() {
    let rows = ["EL SOL", "\"LUNA SAC", "ESTRELLA", "\"MAR SAC"].map(|name| format!("{name}|20100119227|\r\n"));
    let read = list(format!("nombre|ruc|\r\n{}", rows.concat()).as_bytes());
    let ruc = "20100119227";
    assert_eq!(rucs(&read), expected(&[(2, ruc), (3, ruc), (4, ruc), (5, ruc)]));
}

#[test]
fn a_workbook_is_read_like_a_text() {
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = [
        vec![text("LISTA DE PROVEEDORES")],
        vec![Cell::Empty],
        vec![text("Proveedor"), text("RUC")],
        vec![text("A"), Cell::Number(20_100_119_227.0)],
        vec![text("B"), Cell::Inline("20131312955".to_owned())],
        vec![text("C")],
        vec![text("D"), text("2.01001E+10")],
    ];
    let read = list(&workbook("Hoja1", Epoch::Windows, &rows).unwrap());
    let shortened = RucCellError::Shortened.to_string();
    let expected = [(4, "20100119227"), (5, "20131312955"), (6, "the cell is empty"), (7, shortened.as_str())];
    assert_eq!(rucs(&read), self::expected(&expected));
}

#[test]
fn a_file_without_a_list_is_refused() {
    let refused = |bytes: &[u8]| read_list(bytes, 2, || true).unwrap_err();
    for empty in ["", "\n\n", ",,\n,,", "\u{feff}"] {
        assert!(matches!(refused(empty.as_bytes()), TableError::Empty), "{empty:?}");
    }
    assert!(matches!(refused(b"nombre,edad\nA,1\n"), TableError::NoRuc));
    assert!(matches!(refused(b"%PDF-1.7"), TableError::Pdf));
    assert!(matches!(refused(b"<!DOCTYPE html><html>"), TableError::Xlsx(XlsxError::HtmlPage)));
    let utf16: Vec<u8> = "\u{feff}ruc\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(refused(&utf16), TableError::Utf16));
    assert!(matches!(refused(b"\xd0\xcf\x11\xe0\xa1\xb1"), TableError::Xlsx(_)));
    let long = format!("ruc\n{}", "20100119227\n".repeat(3));
    assert!(matches!(refused(long.as_bytes()), TableError::TooManyRows { limit: 2 }));
    assert!(matches!(refused(format!("ruc\n\"{}", "x".repeat(2 << 20)).as_bytes()), TableError::LongRow { line: 2 }));
}

#[test]
fn a_list_may_have_a_date_for_each_ruc() {
    let dates = |read: &Reading| read.list.iter().map(|row| row.cell(ListColumn::Date).to_owned()).collect::<Vec<_>>();
    let named = list(b"Proveedor,RUC,Fecha,Total\nA,20100119227,4/9/2026,1\nB,20131312955,2026-09-05 00:00:00,2\nC,20100119227,x,3\n");
    let columns = [ListColumn::Ruc, ListColumn::Date].map(|column| named.column(column));
    assert_eq!((columns, named.has_vouchers), ([Some(1), Some(2)], false));
    assert_eq!(dates(&named), ["2026-09-04", "2026-09-05", "x"]);
    let unnamed = list(b"20100119227\t4/9/2026\n20131312955\t5/9/2026\n");
    assert_eq!(rucs(&unnamed), expected(&[(1, "20100119227"), (2, "20131312955")]));
    assert_eq!(dates(&unnamed), ["2026-09-04", "2026-09-05"]);
    let two = list(b"RUC,Fecha,Fecha,Nota\n20100119227,4/9/2026,5/9/2026,a\n");
    assert_eq!(two.column(ListColumn::Date), None);
    assert_eq!(two.unsure, [Unsure { column: ListColumn::Date, found: vec!["Fecha".to_owned(), "Fecha".to_owned()] }]);
    // Of two dates the earlier one is the day of issue.
    for text in ["20100119227,4/9/2026,5/9/2026\n", "20100119227,5/9/2026,4/9/2026\n"] {
        assert_eq!(dates(&list(text.as_bytes())), ["2026-09-04"], "{text}");
    }
}
