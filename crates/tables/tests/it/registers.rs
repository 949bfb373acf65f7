//! Vouchers: a purchase register's columns, and the lines of the mass validator.

use kuraka_domain::Date;
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_tables::{ListColumn, Reading};

use crate::layouts::RCE;
use crate::lists::list;

const CELLS: [ListColumn; 7] = [
    ListColumn::Ruc,
    ListColumn::Kind,
    ListColumn::Series,
    ListColumn::Number,
    ListColumn::Date,
    ListColumn::Total,
    ListColumn::Currency,
];

fn rows(read: &Reading) -> Vec<[&str; 7]> {
    assert!(read.has_vouchers, "{read:?}");
    read.list.iter().map(|row| CELLS.map(|column| row.cell(column))).collect()
}

#[test]
fn the_purchase_register_of_sunat_is_recognised() {
    let row = "20999990071|COMPRADORA|202609|27|04/09/2026||01|F001||13||6|20999990062|VENDEDORA|100.00|18.00|118.00|PEN|1.00||||";
    let note = "20999990071|COMPRADORA|202609|27|4/9/2026||07|fc01||9||1|12345678|PERSONA|-1,000.00|-180.00|-1,180.00|USD|3.75|01/09/2026|01|F001|8";
    let read = list(format!("{}\n{row}\n{note}\n", RCE.replace(',', "|")).as_bytes());
    assert_eq!(
        rows(&read),
        [
            ["20999990062", "01", "F001", "13", "2026-09-04", "118.00", "PEN"],
            ["12345678", "07", "FC01", "9", "2026-09-04", "1180.00", "USD"]
        ]
    );
    assert!(read.list[0].ruc.is_ok() && read.list[1].ruc.is_err());
}

#[test]
fn a_register_in_a_workbook_is_recognised_below_its_title() {
    let text = |text: &&str| Cell::Text((*text).to_owned());
    let header = ["Fecha de emisión", "Tipo CP/Doc.", "Serie del CDP", "Nro CP o Doc. Nro Inicial (Rango)"];
    let header = [&header[..], &["Nro Doc Identidad", "Total CP"]].concat();
    let day = Date::new(2026, 9, 4).unwrap();
    for epoch in [Epoch::Windows, Epoch::Macintosh] {
        let numbers =
            [Cell::Number(1.0), Cell::Text("E001".to_owned()), Cell::Number(13.0), Cell::Number(20_999_990_062.0)];
        let row = [vec![Cell::Day(epoch.serial(day))], numbers.to_vec(), vec![Cell::Number(0.1 + 0.2)]].concat();
        let sheet = [vec![text(&"REGISTRO DE COMPRAS")], header.iter().map(text).collect(), row];
        let read = list(&workbook("Hoja1", epoch, &sheet).unwrap());
        assert_eq!(rows(&read), [["20999990062", "01", "E001", "13", "2026-09-04", "0.3", ""]]);
        assert_eq!(read.list[0].line, 3);
    }
}

#[test]
fn the_buyers_ruc_above_a_register_is_no_header() {
    let row = "20999990062|01|F001|13|2026-09-04|118.00";
    let header = "Nro Doc Identidad|Tipo CP/Doc.|Serie del CDP|Nro CP|Fecha de emisión|Total CP";
    let read = list(format!("RUC:|20999990071\nPERIODO:|202609\n{header}\n{row}\n").as_bytes());
    assert_eq!(rows(&read), [["20999990062", "01", "F001", "13", "2026-09-04", "118.00", ""]]);
}

#[test]
fn the_fields_of_the_voucher_operation_are_recognised() {
    let header = "ruc_emisor,codigo_tipo_documento,serie_documento,numero_documento,fecha_de_emision,total";
    for end in ["118", "118.00", "\"118,00\"", "S/ 118.00"] {
        let read = list(format!("{header}\n20999990062,1,F001,00000013,2026-09-04 10:00:00,{end}\n").as_bytes());
        let [row] = rows(&read)[..] else { panic!("{read:?}") };
        assert_eq!(row[..5], ["20999990062", "01", "F001", "00000013", "2026-09-04"]);
        assert_eq!(row[5].trim_end_matches(".00"), "118", "{end}");
    }
}

#[test]
fn the_lines_of_the_mass_validator_need_no_header() {
    let read = list(b"20999990062|01|F001|13|04/09/2026|1180.50\n20999990062|03|0001|14|2026-09-04|\n");
    assert_eq!(
        rows(&read),
        [
            ["20999990062", "01", "F001", "13", "2026-09-04", "1180.50", ""],
            ["20999990062", "03", "0001", "14", "2026-09-04", "", ""]
        ]
    );
}

#[test]
fn amounts_are_read_with_either_mark() {
    let header = "ruc|tipo|serie|numero|fecha|total";
    for (written, expected) in [
        ("1180", "1180"),
        ("1180.5", "1180.5"),
        ("1,180.50", "1180.50"),
        ("1.180,50", "1180.50"),
        ("1,180", "1180"),
        ("1,234,567", "1234567"),
        ("1.234.567,8", "1234567.8"),
        ("S/. 1 180.00", "1180.00"),
        ("-118.00", "118.00"),
        (".50", "0.50"),
        ("S/ ,50", "0.50"),
        ("S/.50", "50"),
        ("", ""),
        ("nada", ""),
    ] {
        let read = list(format!("{header}\n20999990062|01|F001|1|2026-09-04|{written}\n").as_bytes());
        assert_eq!(read.list[0].cell(ListColumn::Total), expected, "{written}");
    }
}

#[test]
fn a_date_that_cannot_be_read_stays_as_it_is() {
    for date in ["31/02/2026", "04/09/026", "04/09/2026 nota", "ayer", "1.2.26"] {
        let good = "20999990062|01|F001|2|04/09/2026|1";
        let text = format!("ruc|tipo|serie|numero|fecha|total\n20999990062|01|F001|1|{date}|1\n{good}\n");
        assert_eq!(list(text.as_bytes()).list[0].cell(ListColumn::Date), date);
    }
}
