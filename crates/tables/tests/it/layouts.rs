//! Registers of purchases as SUNAT publishes them: each column is the right one.

use kuraka_domain::Ruc;
use kuraka_tables::{ListColumn, Reading, RucCellError, Shade, TableCell, TableSheet, write_workbook};

use crate::lists::list;

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

/// Whether these vouchers are the list, and nothing is asked. A supplier may have a DNI.
pub(crate) fn check(name: &str, reading: &Reading, rows: u32) {
    let found = (reading.has_vouchers, &*reading.unsure, reading.list.len());
    assert_eq!(found, (true, &[][..], rows as usize), "{name}: {:?}", reading.list);
    for (at, row) in (0..rows).zip(&reading.list) {
        let [ruc, kind, series, number, _, total] = voucher(at);
        let cells = [ListColumn::Kind, ListColumn::Series, ListColumn::Date].map(|column| row.cell(column));
        assert_eq!(cells, [&*kind, &*series, &*format!("2026-09-{:02}", at + 1)], "{name}");
        assert_eq!(row.cell(ListColumn::Number).trim_start_matches('0'), number, "{name}");
        assert_eq!(row.total, total.replace('.', "").parse().ok(), "{name}");
        let found = row.ruc.map_or_else(|_| row.cell(ListColumn::Ruc).to_owned(), |ruc| ruc.to_string());
        assert!(found == ruc || found == "12345678", "{name}: {found}");
    }
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

/// A workbook of texts: the rows of each sheet, with bars between cells.
fn texts(sheets: &[&str]) -> Vec<u8> {
    let row = |row: &str| row.split('|').map(|cell| TableCell::Text(cell.to_owned())).collect();
    workbook(["1", "2"].into_iter().zip(sheets).map(|(name, rows)| (name, rows.lines().map(row).collect())).collect())
}

/// A row of format 8.1: 29 columns from A to AC.
fn format_8_1(at: u32) -> String {
    let [ruc, kind, series, number, day, total] = voucher(at);
    let zeros = "|0.00".repeat(8);
    format!(
        "{}|{day}|30/10/2026|{kind}|{series}||{number}|6|{ruc}|PROVEEDORA SAC|84.75|15.25{zeros}|{total}||||1.000\n",
        at + 1
    )
}

const MERGED: &str = "\
    NÚMERO CORRELATIVO DEL REGISTRO O CÓDIGO ÚNICO DE LA OPERACIÓN|FECHA DE EMISIÓN DEL COMPROBANTE DE PAGO O \
    DOCUMENTO|FECHA DE VENCIMIENTO O FECHA DE PAGO (1)|COMPROBANTE DE PAGO O DOCUMENTO|||N° DEL COMPROBANTE DE \
    PAGO, DOCUMENTO, N° DE ORDEN DEL FORMULARIO FÍSICO O VIRTUAL, N° DE DUA, DSI O LIQUIDACIÓN DE COBRANZA U \
    OTROS DOCUMENTOS EMITIDOS POR SUNAT PARA ACREDITAR EL CRÉDITO FISCAL EN LA IMPORTACIÓN|INFORMACIÓN DEL \
    PROVEEDOR|||ADQUISICIONES GRAVADAS DESTINADAS A OPERACIONES GRAVADAS Y/O DE EXPORTACIÓN||ADQUISICIONES \
    GRAVADAS DESTINADAS A OPERACIONES GRAVADAS Y A NO GRAVADAS||ADQUISICIONES GRAVADAS DESTINADAS A OPERACIONES \
    NO GRAVADAS||VALOR DE LAS ADQUISICIONES NO GRAVADAS|ISC|ICBPER|OTROS TRIBUTOS Y CARGOS|IMPORTE TOTAL|N° DE \
    COMPROBANTE DE PAGO EMITIDO POR SUJETO NO DOMICILIADO (2)|CONSTANCIA DE DEPÓSITO DE DETRACCIÓN (3)||TIPO DE \
    CAMBIO|REFERENCIA DEL COMPROBANTE DE PAGO O DOCUMENTO ORIGINAL QUE SE MODIFICA (4)\n\
    |||TIPO (TABLA 10)|SERIE O CÓDIGO DE LA DEPENDENCIA ADUANERA (TABLA 11)|AÑO DE EMISIÓN DE LA DUA O DSI||\
    DOCUMENTO DE IDENTIDAD (2)||APELLIDOS Y NOMBRES, DENOMINACIÓN O RAZÓN SOCIAL|BASE IMPONIBLE|IGV|BASE \
    IMPONIBLE|IGV|BASE IMPONIBLE|IGV|||||||NÚMERO|FECHA DE EMISIÓN||FECHA|TIPO (TABLA 10)|SERIE|N° DEL \
    COMPROBANTE DE PAGO O DOCUMENTO\n\
    |||||||TIPO (TABLA 2)|NÚMERO\n\
    ";

const ONE_LINE_IN_EACH_ROW: &str = "\
    NÚMERO|FECHA DE|FECHA|COMPROBANTE DE PAGO|||N° DEL COMPROBANTE|INFORMACIÓN DEL|||ADQUISICIONES GRAVADAS||||||\
    VALOR|||||N° DE|CONSTANCIA DE DEPÓSITO|||REFERENCIA DEL COMPROBANTE DE PAGO\n\
    CORRELATIVO|EMISIÓN DEL|DE|O DOCUMENTO|||DE PAGO,|PROVEEDOR|||DESTINADAS A OPERACIONES||||||DE LAS|||||\
    COMPROBANTE|DE DETRACCIÓN (3)|||O DOCUMENTO ORIGINAL QUE SE MODIFICA (4)\n\
    DEL REGISTRO O|COMPROBANTE|VENCIMIENTO||SERIE O|AÑO DE|DOCUMENTO,|DOCUMENTO DE IDENTIDAD||APELLIDOS|||||||\
    ADQUISICIONES|||OTROS|IMPORTE|DE PAGO|||TIPO||||N° DEL\n\
    CÓDIGO UNICO|DE PAGO|Y/O PAGO|TIPO|CÓDIGO DE LA|EMISIÓN DE|N° DE ORDEN|TIPO|NÚMERO|Y NOMBRES,|BASE||||||NO|\
    ISC|ICBPER|TRIBUTOS Y|TOTAL|EMITIDO POR||FECHA|DE|FECHA|TIPO|SERIE|COMPROBANTE\n\
    DE LA OPERACIÓN|O DOCUMENTO||(TABLA 10)|DEPENDENCIA|LA DUA|DEL FORMULARIO|(TABLA 2)||DENOMINACIÓN|IMPONIBLE|\
    IGV|||||GRAVADAS|||CARGOS||SUJETO NO|NÚMERO|DE EMISIÓN|CAMBIO||(TABLA 10)||DE PAGO O\n\
    ";

#[test]
fn format_8_1_is_read_with_merged_headings_and_with_a_line_in_each_row() {
    let titles = format!(
        "FORMATO 8.1: \"REGISTRO DE COMPRAS\"\nPERIODO:||||SETIEMBRE 2026\nRUC:||||{}\n\
         APELLIDOS Y NOMBRES, DENOMINACIÓN O RAZÓN SOCIAL:||||COMPRADORA SAC\n",
        buyer()
    );
    let totals = "|||||||||TOTALES|169.50|30.50|||||||||301.00\n(1) Sólo en los casos de liquidaciones de compra.\n";
    for heads in [MERGED.to_owned(), format!("\n{ONE_LINE_IN_EACH_ROW}")] {
        let sheet = [&*titles, &heads, &format_8_1(0), &format_8_1(1), totals].concat();
        check(&heads, &list(&texts(&[&sheet])), 2);
    }
}

#[test]
fn ple_needs_no_headings() {
    let row = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!(
            "20260900|{at}|M1|{day}|30/10/2026|{kind}|{series}||{number}||6|{ruc}|PROVEEDORA|85.17|15.33|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|{total}|PEN|1.000|||||||||||||||1||\r\n"
        )
    };
    check("", &list((row(0) + &row(1) + &row(2)).as_bytes()), 3);
    let simple = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!(
            "20260900|{at}|M1|{day}||{kind}|{series}|{number}||6|{ruc}|PROVEEDORA|85.17|15.33|0.00|0.00|{total}|PEN|1.000||||||||||||1||\r\n"
        )
    };
    check("", &list((simple(0) + &simple(1)).as_bytes()), 2);
    // Programs write fewer fields than the norm has.
    let short = |at: u32| row(at).trim_end_matches(['|', '\r', '\n', '1']).to_owned() + "\r\n";
    check("", &list((short(0) + &short(1)).as_bytes()), 2);
}

/// The columns of the RCE's proposal as SUNAT names them. The first two are the buyer.
pub(crate) const RCE: &str = "RUC,Apellidos y Nombres o Razón social,Periodo,CAR SUNAT,Fecha de emisión,Fecha Vcto/Pago,Tipo CP/Doc.,Serie del CDP,Año,\
    Nro CP o Doc. Nro Inicial (Rango),Nro Final (Rango),Tipo Doc Identidad,Nro Doc Identidad,Apellidos Nombres/ Razón  Social,\
    BI Gravado DG,IGV / IPM DG,Total CP,Moneda,Tipo de Cambio,Fecha Emisión Doc Modificado,Tipo CP Modificado,Serie CP Modificado,\
    COD. DAM O DSI,Nro CP Modificado,Est. Comp.";

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
        assert_eq!(read.list.len(), 2, "{text}");
        let row = &read.list[0];
        let expected = if is_read { (Ok(&*ruc), cents, Some(1_533)) } else { (Err(RucCellError::Moved), None, None) };
        let found = row.ruc.as_ref().map(ToString::to_string).map_err(|error| *error);
        assert_eq!((found.as_deref().map_err(|error| *error), row.total, row.igv), expected, "{text}");
        assert!(read.list[1].ruc.is_ok() && read.list[1].total == cents, "{text}");
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
        check("", &list(text.as_bytes()), 2);
    }
}

#[test]
fn the_list_may_be_on_a_later_sheet() {
    let cover = format!("Estudio Contable\nRUC:|{}", buyer());
    let read = list(&texts(&[&cover, &format!("Proveedor|RUC\nA|{}", supplier(1))]));
    assert_eq!(read.list.iter().map(|row| row.cell(ListColumn::Ruc)).collect::<Vec<_>>(), [supplier(1)]);
}
