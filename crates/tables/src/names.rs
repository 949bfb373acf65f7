//! How well a heading names a column, by the words of people, programs and SUNAT.

use crate::columns::ListColumn;
use crate::heading::Heading;

/// It names another column.
pub(crate) const OTHER: i8 = -1;
/// It says nothing about the column.
pub(crate) const SILENT: i8 = 0;

/// Buyers have a column of their own in a register of purchases.
const BUYER: [&str; 6] = ["CLIENTE", "ADQUIRENTE", "EMPRESA", "COMPRADOR", "USUARIO", "RECEPTOR"];
const SUPPLIER: [&str; 5] = ["PROVEEDOR", "PROVEEDORES", "EMISOR", "VENDEDOR", "ACREEDOR"];
/// Documents other than the row's voucher.
const OTHER_DOCUMENT: [&str; 6] = ["REFERENCIA", "MODIFICADO", "DETRACCION", "DEPOSITO", "CONSTANCIA", "RETENCION"];
const NO_ISSUE: [&str; 7] = ["REGISTRO", "CONTABLE", "VOUCHER", "ASIENTO", "RECEPCION", "INGRESO", "VENCIMIENTO"];
const NO_KIND: [&str; 9] =
    ["IDENTIDAD", "CAMBIO", "MONEDA", "NOTA", "OPERACION", "EXISTENCIA", "BIEN", "PROVEEDOR", "CLIENTE"];
const NO_NUMBER: [&str; 18] = [
    "FINAL",
    "UNICO",
    "OPERACION",
    "ASIENTO",
    "VOUCHER",
    "IDENTIDAD",
    "DOMICILIADO",
    "RUC",
    "PROVEEDOR",
    "CLIENTE",
    "CUENTA",
    "REGISTRO",
    "ITEM",
    "TELEFONO",
    "ANEXO",
    "GUIA",
    "FECHA",
    "TIPO",
];
const NO_TOTAL: [&str; 19] = [
    "IGV",
    "IPM",
    "ISC",
    "BASE",
    "BI",
    "GRAVADO",
    "GRAVADA",
    "GRAVADAS",
    "INAFECTO",
    "EXONERADO",
    "GRATUITO",
    "IMPONIBLE",
    "PERCEPCION",
    "IMPUESTO",
    "ICBPER",
    "SALDO",
    "DSCTO",
    "DESCUENTO",
    "TIPO",
];

pub(crate) fn is_buyer(heading: &Heading) -> bool {
    let Heading { own, group, .. } = heading;
    own.iter().chain(group).any(|word| BUYER.contains(&word.as_str()))
}

/// From [`OTHER`] to 3.
pub(crate) fn score(column: ListColumn, heading: &Heading) -> i8 {
    let own = |word: &str| heading.own.iter().any(|it| it == word);
    let any = |words: &[&str]| heading.own.iter().chain(&heading.group).any(|it| words.contains(&it.as_str()));
    let group = |word: &str| heading.group.iter().any(|it| it == word);
    let names_document = own("COMPROBANTE") || own("DOCUMENTO") || own("FACTURA");
    let is_other_document = any(&OTHER_DOCUMENT);
    match column {
        _ if is_other_document => OTHER,
        ListColumn::Ruc if own("TIPO") && !own("RUC") => OTHER,
        ListColumn::Ruc if is_buyer(heading) => OTHER,
        ListColumn::Ruc => match (any(&SUPPLIER), own("RUC"), any(&["IDENTIDAD"])) {
            (true, true, _) => 3,
            (true, false, true) | (false, _, true) => 2,
            (true, false, false) if own("NUMERO") || own("DOCUMENTO") || own("CODIGO") => 2,
            (false, true, false) => 1,
            _ if own("CODIGO") && own("ANEXO") => 1,
            _ => SILENT,
        },
        ListColumn::Kind if any(&NO_KIND) => OTHER,
        // Table of identity documents.
        ListColumn::Kind if own("TABLA") && own("2") => OTHER,
        ListColumn::Kind => match (own("TIPO"), names_document || group("COMPROBANTE")) {
            (true, true) => 3,
            (true, false) => 2,
            (false, true) if !own("NUMERO") && !own("FECHA") && !own("SERIE") => 1,
            (false, _) => SILENT,
        },
        ListColumn::Series => {
            if own("SERIE") {
                2
            } else {
                SILENT
            }
        }
        ListColumn::Number if any(&["IDENTIDAD"]) || NO_NUMBER.iter().any(|word| own(word)) => OTHER,
        ListColumn::Number => match (own("NUMERO"), names_document || group("COMPROBANTE"), own("CORRELATIVO")) {
            (true, true, _) => 3,
            (true, false, _) | (_, _, true) => 2,
            (false, true, false) => 1,
            (false, false, false) => SILENT,
        },
        ListColumn::Date if NO_ISSUE.iter().any(|word| own(word)) && !own("EMISION") => OTHER,
        ListColumn::Date if own("PAGO") && !own("EMISION") && !names_document => OTHER,
        ListColumn::Date => match (own("EMISION"), own("FECHA")) {
            (true, _) => 3,
            (false, true) if own("DOCUMENTO") || own("FACTURA") => 2,
            (false, true) => 1,
            (false, false) => SILENT,
        },
        ListColumn::Total if NO_TOTAL.iter().any(|word| own(word)) => OTHER,
        ListColumn::Total => match (own("TOTAL"), own("IMPORTE") || own("MONTO") || own("COMPROBANTE")) {
            (true, true) => 3,
            (true, false) => 2,
            (false, true) if !own("COMPROBANTE") => 1,
            (false, _) => SILENT,
        },
        ListColumn::Currency => {
            if own("MONEDA") {
                2
            } else {
                SILENT
            }
        }
    }
}
