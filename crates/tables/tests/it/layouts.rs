//! Registers of purchases as SUNAT publishes them: each column is the right one.

use kuraka_domain::Ruc;
use kuraka_tables::{List, ListColumn, RucCellError, Shade, TableCell, TableSheet, write_workbook};

use crate::lists::list;

const COLUMNS: [ListColumn; 6] =
    [ListColumn::Ruc, ListColumn::Kind, ListColumn::Series, ListColumn::Number, ListColumn::Date, ListColumn::Total];

pub(crate) fn supplier(at: u32) -> String {
    let text = |digit: u32| format!("20{:08}{digit}", 50_000_000 + at * 7_919);
    (0..10).map(text).find(|text| Ruc::parse(text).is_ok()).unwrap()
}

pub(crate) fn buyer() -> String {
    supplier(999)
}

/// The cells of a voucher: RUC, kind, series, number, date and total.
pub(crate) fn voucher(at: u32) -> [String; 6] {
    let day = format!("{:02}/09/2026", at + 1);
    [supplier(at), "01".into(), format!("F00{}", at + 1), (100 + at).to_string(), day, format!("{}.50", 100 * (at + 1))]
}

pub(crate) fn check(list: &List, rows: u32) {
    assert!(list.has_vouchers, "{list:?}");
    assert_eq!(list.rows.len(), rows as usize, "{list:?}");
    for (at, row) in (0..rows).zip(&list.rows) {
        let [ruc, kind, series, number, _, total] = voucher(at);
        let expected = [ruc, kind, series, number, format!("2026-09-{:02}", at + 1), total];
        assert_eq!(COLUMNS.map(|column| row.cell(column).to_owned()), expected, "{:?}", list.columns);
    }
}

/// A row in which columns have these cells; the others are empty.
fn row(cells: &[(usize, &str)]) -> Vec<String> {
    let width = cells.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    let cell = |column| cells.iter().find(|(at, _)| *at == column).map_or("", |(_, cell)| *cell);
    (0..width).map(|column| cell(column).to_owned()).collect()
}

/// A workbook with these sheets.
pub(crate) fn workbook(sheets: Vec<(&'static str, Vec<Vec<TableCell>>)>) -> Vec<u8> {
    let sheet = |(name, rows): (_, Vec<Vec<TableCell>>)| {
        let mut rows = rows.into_iter();
        let headings = rows.next().unwrap().iter().map(ToString::to_string).collect();
        let rows = Box::new(rows.map(|cells| (Shade::Plain, cells)));
        TableSheet { name, headings, plain_columns: 0, rows, has_filter: false }
    };
    write_workbook(sheets.into_iter().map(sheet).collect()).unwrap()
}

/// A workbook of texts.
fn texts(sheets: &[&[Vec<String>]]) -> Vec<u8> {
    let row = |row: &Vec<String>| row.iter().cloned().map(TableCell::Text).collect();
    workbook(["1", "2"].into_iter().zip(sheets).map(|(name, rows)| (name, rows.iter().map(row).collect())).collect())
}

/// A row of format 8.1: 29 columns from A to AC.
fn format_8_1(at: u32) -> Vec<String> {
    let [ruc, kind, series, number, day, total] = voucher(at);
    let correlative = (at + 1).to_string();
    row(&[
        (0, &correlative),
        (1, &day),
        (2, "30/10/2026"),
        (3, &kind),
        (4, &series),
        (6, &number),
        (7, "6"),
        (8, &ruc),
        (9, "PROVEEDORA SAC"),
        (10, "84.75"),
        (11, "15.25"),
        (12, "0.00"),
        (13, "0.00"),
        (14, "0.00"),
        (15, "0.00"),
        (16, "0.00"),
        (17, "0.00"),
        (18, "0.00"),
        (19, "0.00"),
        (20, &total),
        (24, "1.000"),
    ])
}

const TITLES: [&str; 4] =
    ["FORMATO 8.1: \"REGISTRO DE COMPRAS\"", "PERIODO:", "RUC:", "APELLIDOS Y NOMBRES, DENOMINACIÓN O RAZÓN SOCIAL:"];
const NUMBER: &str = "N° DEL COMPROBANTE DE PAGO, DOCUMENTO, N° DE ORDEN DEL FORMULARIO FÍSICO O VIRTUAL, N° DE DUA, DSI O \
    LIQUIDACIÓN DE COBRANZA U OTROS DOCUMENTOS EMITIDOS POR SUNAT PARA ACREDITAR EL CRÉDITO FISCAL EN LA IMPORTACIÓN";

/// The titles of format 8.1, the buyer's RUC beside its label.
fn titles() -> Vec<Vec<String>> {
    let buyer = buyer();
    let values = ["", "SETIEMBRE 2026", &buyer, "COMPRADORA SAC"];
    TITLES.iter().zip(values).map(|(label, value)| row(&[(0, label), (4, value)])).collect()
}

fn totals() -> Vec<String> {
    row(&[(9, "TOTALES"), (10, "169.50"), (11, "30.50"), (20, "301.00")])
}

#[test]
fn format_8_1_with_merged_headings_is_read() {
    let heads = [
        row(&[
            (0, "NÚMERO CORRELATIVO DEL REGISTRO O CÓDIGO ÚNICO DE LA OPERACIÓN"),
            (1, "FECHA DE EMISIÓN DEL COMPROBANTE DE PAGO O DOCUMENTO"),
            (2, "FECHA DE VENCIMIENTO O FECHA DE PAGO (1)"),
            (3, "COMPROBANTE DE PAGO O DOCUMENTO"),
            (6, NUMBER),
            (7, "INFORMACIÓN DEL PROVEEDOR"),
            (10, "ADQUISICIONES GRAVADAS DESTINADAS A OPERACIONES GRAVADAS Y/O DE EXPORTACIÓN"),
            (12, "ADQUISICIONES GRAVADAS DESTINADAS A OPERACIONES GRAVADAS Y A NO GRAVADAS"),
            (14, "ADQUISICIONES GRAVADAS DESTINADAS A OPERACIONES NO GRAVADAS"),
            (16, "VALOR DE LAS ADQUISICIONES NO GRAVADAS"),
            (17, "ISC"),
            (18, "ICBPER"),
            (19, "OTROS TRIBUTOS Y CARGOS"),
            (20, "IMPORTE TOTAL"),
            (21, "N° DE COMPROBANTE DE PAGO EMITIDO POR SUJETO NO DOMICILIADO (2)"),
            (22, "CONSTANCIA DE DEPÓSITO DE DETRACCIÓN (3)"),
            (24, "TIPO DE CAMBIO"),
            (25, "REFERENCIA DEL COMPROBANTE DE PAGO O DOCUMENTO ORIGINAL QUE SE MODIFICA (4)"),
        ]),
        row(&[
            (3, "TIPO (TABLA 10)"),
            (4, "SERIE O CÓDIGO DE LA DEPENDENCIA ADUANERA (TABLA 11)"),
            (5, "AÑO DE EMISIÓN DE LA DUA O DSI"),
            (7, "DOCUMENTO DE IDENTIDAD (2)"),
            (9, "APELLIDOS Y NOMBRES, DENOMINACIÓN O RAZÓN SOCIAL"),
            (10, "BASE IMPONIBLE"),
            (11, "IGV"),
            (12, "BASE IMPONIBLE"),
            (13, "IGV"),
            (14, "BASE IMPONIBLE"),
            (15, "IGV"),
            (22, "NÚMERO"),
            (23, "FECHA DE EMISIÓN"),
            (25, "FECHA"),
            (26, "TIPO (TABLA 10)"),
            (27, "SERIE"),
            (28, "N° DEL COMPROBANTE DE PAGO O DOCUMENTO"),
        ]),
        row(&[(7, "TIPO (TABLA 2)"), (8, "NÚMERO")]),
    ];
    let note = row(&[(0, "(1) Sólo en los casos de liquidaciones de compra.")]);
    let rows = [&titles()[..], &heads, &[format_8_1(0), format_8_1(1), totals(), note]].concat();
    check(&list(&texts(&[&rows])), 2);
}

#[test]
fn format_8_1_with_one_line_of_text_in_each_row_is_read() {
    let heads = [
        row(&[
            (0, "NÚMERO"),
            (1, "FECHA DE"),
            (2, "FECHA"),
            (3, "COMPROBANTE DE PAGO"),
            (6, "N° DEL COMPROBANTE"),
            (7, "INFORMACIÓN DEL"),
            (10, "ADQUISICIONES GRAVADAS"),
            (16, "VALOR"),
            (21, "N° DE"),
            (22, "CONSTANCIA DE DEPÓSITO"),
            (25, "REFERENCIA DEL COMPROBANTE DE PAGO"),
        ]),
        row(&[
            (0, "CORRELATIVO"),
            (1, "EMISIÓN DEL"),
            (2, "DE"),
            (3, "O DOCUMENTO"),
            (6, "DE PAGO,"),
            (7, "PROVEEDOR"),
            (10, "DESTINADAS A OPERACIONES"),
            (16, "DE LAS"),
            (21, "COMPROBANTE"),
            (22, "DE DETRACCIÓN (3)"),
            (25, "O DOCUMENTO ORIGINAL QUE SE MODIFICA (4)"),
        ]),
        row(&[
            (0, "DEL REGISTRO O"),
            (1, "COMPROBANTE"),
            (2, "VENCIMIENTO"),
            (4, "SERIE O"),
            (5, "AÑO DE"),
            (6, "DOCUMENTO,"),
            (7, "DOCUMENTO DE IDENTIDAD"),
            (9, "APELLIDOS"),
            (16, "ADQUISICIONES"),
            (19, "OTROS"),
            (20, "IMPORTE"),
            (21, "DE PAGO"),
            (24, "TIPO"),
            (28, "N° DEL"),
        ]),
        row(&[
            (0, "CÓDIGO UNICO"),
            (1, "DE PAGO"),
            (2, "Y/O PAGO"),
            (3, "TIPO"),
            (4, "CÓDIGO DE LA"),
            (5, "EMISIÓN DE"),
            (6, "N° DE ORDEN"),
            (7, "TIPO"),
            (8, "NÚMERO"),
            (9, "Y NOMBRES,"),
            (10, "BASE"),
            (16, "NO"),
            (17, "ISC"),
            (18, "ICBPER"),
            (19, "TRIBUTOS Y"),
            (20, "TOTAL"),
            (21, "EMITIDO POR"),
            (23, "FECHA"),
            (24, "DE"),
            (25, "FECHA"),
            (26, "TIPO"),
            (27, "SERIE"),
            (28, "COMPROBANTE"),
        ]),
        row(&[
            (0, "DE LA OPERACIÓN"),
            (1, "O DOCUMENTO"),
            (3, "(TABLA 10)"),
            (4, "DEPENDENCIA"),
            (5, "LA DUA"),
            (6, "DEL FORMULARIO"),
            (7, "(TABLA 2)"),
            (9, "DENOMINACIÓN"),
            (10, "IMPONIBLE"),
            (11, "IGV"),
            (16, "GRAVADAS"),
            (19, "CARGOS"),
            (21, "SUJETO NO"),
            (22, "NÚMERO"),
            (23, "DE EMISIÓN"),
            (24, "CAMBIO"),
            (26, "(TABLA 10)"),
            (28, "DE PAGO O"),
        ]),
    ];
    let rows = [&titles()[..], &[Vec::new()], &heads, &[format_8_1(0), format_8_1(1), totals()]].concat();
    check(&list(&texts(&[&rows])), 2);
}

#[test]
fn ple_needs_no_headings() {
    let row = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!(
            "20260900|{at}|M1|{day}|30/10/2026|{kind}|{series}||{number}||6|{ruc}|PROVEEDORA|85.17|15.33|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|{total}|PEN|1.000|||||||||||||||1||\r\n"
        )
    };
    check(&list((row(0) + &row(1) + &row(2)).as_bytes()), 3);
    let simple = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!(
            "20260900|{at}|M1|{day}||{kind}|{series}|{number}||6|{ruc}|PROVEEDORA|85.17|15.33|0.00|0.00|{total}|PEN|1.000||||||||||||1||\r\n"
        )
    };
    check(&list((simple(0) + &simple(1)).as_bytes()), 2);
    // Programs write fewer fields than the norm has.
    let short = |at: u32| row(at).trim_end_matches(['|', '\r', '\n', '1']).to_owned() + "\r\n";
    check(&list((short(0) + &short(1)).as_bytes()), 2);
}

const RCE: &str = "RUC,Apellidos y Nombres o Razón social,Periodo,CAR SUNAT,Fecha de emisión,Fecha Vcto/Pago,Tipo CP/Doc.,Serie del CDP,Año,\
    Nro CP o Doc. Nro Inicial (Rango),Nro Final (Rango),Tipo Doc Identidad,Nro Doc Identidad,Apellidos Nombres/ Razón  Social,\
    BI Gravado DG,IGV / IPM DG,Total CP,Moneda,Tipo de Cambio,Fecha Emisión Doc Modificado,Tipo CP Modificado,Serie CP Modificado,\
    COD. DAM O DSI,Nro CP Modificado,Est. Comp.";

#[test]
fn names_with_a_comma_do_not_move_the_columns_of_sire() {
    for (own, name) in
        [("COMPRADORA SAC", "PROVEEDORA"), ("COMPRADORA, SAC", "PROVEEDORA"), ("A, B, SAC", "PEREZ, JUAN")]
    {
        let row = |at| {
            let [ruc, kind, series, number, day, total] = voucher(at);
            format!(
                "{},{own},202609,27,{day},,{kind},{series},,{number},,6,{ruc},{name},85.17,15.33,{total},PEN,1.000,,,,,,1\n",
                buyer()
            )
        };
        check(&list(format!("\u{feff}{RCE}\n{}{}", row(0), row(1)).as_bytes()), 2);
    }
}

/// Where the columns of a row are not certain, nothing of it is read.
#[test]
fn a_row_of_sire_that_commas_have_moved_is_joined_or_told() {
    let [ruc, kind, series, number, day, total] = voucher(0);
    let row = |own: &str, name: &str, amounts: &str, end: &str| {
        let own_ruc = buyer();
        format!("{own_ruc},{own},202609,27,{day},,{kind},{series},,{number},,6,{ruc},{name},{amounts},PEN,1.000{end}\n")
    };
    let cents = total.replace('.', "").parse().ok();
    let amounts = format!("85.17,15.33,{total}");
    for (text, is_read) in [
        (row("COMPRADORA", "PROVEEDORA", &amounts, ""), true),
        (row("COMPRADORA", "PEREZ, JUAN", &amounts, ""), true),
        (row("COMPRADORA, SAC", "PEREZ, JUAN, E HIJOS", &amounts, ",,"), true),
        (row("GRUPO, 1", "PROVEEDORA", &amounts, ",,,,"), true),
        (row("COMPRADORA", "PEREZ, 20, E HIJOS", &amounts, ",,,,,1"), false),
        (row("COMPRADORA", "GRUPO, 1", &amounts, ",,,,,1"), false),
        (row("COMPRADORA", "PROVEEDORA", "85.17,15.33,1,180.00", ""), false),
        (row("COMPRADORA", "PEREZ, JUAN", "85.17,15.33,1,180.00", ",,,,,,1"), false),
        (row("COMPRADORA", "PEREZ, JUAN", &amounts.replacen("85.17,", "", 1), ""), false),
    ] {
        let second = row("COMPRADORA", "PROVEEDORA", &amounts, ",,,,,,1").replace(&*ruc, &supplier(1));
        let read = list(format!("{RCE}\n{text}{second}").as_bytes());
        assert_eq!(read.rows.len(), 2, "{text}");
        let row = &read.rows[0];
        let expected = if is_read { (Ok(&*ruc), cents, Some(1_533)) } else { (Err(RucCellError::Moved), None, None) };
        let found = row.ruc.as_ref().map(ToString::to_string).map_err(|error| *error);
        assert_eq!((found.as_deref().map_err(|error| *error), row.total, row.igv), expected, "{text}");
        assert!(read.rows[1].ruc.is_ok() && read.rows[1].total == cents, "{text}");
    }
}

#[test]
fn titles_templates_and_totals_are_no_rows() {
    let own = buyer();
    let [first, second] = [0, 1].map(|at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!("{own};{day};{kind};{series};{number};6;{ruc};PROVEEDORA;{total}\n")
    });
    let heads = "RUC;Fecha de emisión;Tipo CP/Doc.;Serie;Número;Tipo doc. identidad;N° doc. identidad;Razón social;Importe total\n";
    for before in [
        String::new(),
        format!("REGISTRO DE COMPRAS\n\nRUC: {own}\n{heads}"),
        format!("REGISTRO DE COMPRAS DE SETIEMBRE\nRUC;{own}\nPeríodo:;;202609\n\n\n{heads}"),
        format!(
            "{own};COMPRADORA SAC\n{heads}Ver tabla;dd/mm/aaaa;Ver T.G. 06;4 caracteres;;1 caracter;11;;2 decimales\n"
        ),
    ] {
        let heads = if before.is_empty() { heads } else { "" };
        let text = format!("{before}{heads}{first}{second};;;;;;;TOTAL;301.00\n;;;;;;;;301.00\n;;;;;;;Nota al pie;\n");
        check(&list(text.as_bytes()), 2);
    }
}

#[test]
fn the_list_may_be_on_a_later_sheet() {
    let cover = [row(&[(0, "Estudio Contable")]), row(&[(0, "RUC:"), (1, &buyer())])];
    let rows = [row(&[(0, "Proveedor"), (1, "RUC")]), row(&[(0, "A"), (1, &supplier(1))])];
    let list = list(&texts(&[&cover, &rows]));
    assert_eq!(list.rows.iter().map(|row| row.cell(ListColumn::Ruc)).collect::<Vec<_>>(), [supplier(1)]);
}
