//! How well a heading names a column, by the words of people, programs and SUNAT.

use crate::columns::ListColumn;
use crate::heading::Heading;

/// It names another column.
pub(crate) const OTHER: i8 = -1;
/// It says nothing about the column.
pub(crate) const SILENT: i8 = 0;

/// Buyers have a column of their own in a register of purchases.
const BUYER: &str = "CLIENTE CLIENTES ADQUIRENTE EMPRESA COMPRADOR USUARIO RECEPTOR";
/// The other party of a sale.
const CLIENT: &str = "CLIENTE CLIENTES ADQUIRENTE COMPRADOR RECEPTOR";
/// Others whose RUC a voucher has.
const NO_ISSUER: &str = "TRANSPORTISTA TRANSPORTE TRANSP CONDUCTOR AGENTE ADUANA CONSIGNATARIO BANCO";
const SUPPLIER: &str = "PROVEEDOR PROVEEDORES EMISOR VENDEDOR ACREEDOR";
/// Documents other than the row's voucher.
const OTHER_DOCUMENT: &str = "REFERENCIA MODIFICADO DETRACCION DEPOSITO CONSTANCIA RETENCION";
const NO_ISSUE: &str = "REGISTRO CONTABLE VOUCHER ASIENTO RECEPCION INGRESO VENCIMIENTO";
const NO_KIND: &str = "IDENTIDAD CAMBIO MONEDA NOTA OPERACION EXISTENCIA BIEN PROVEEDOR CLIENTE";
const NO_NUMBER: &str = "FINAL UNICO OPERACION ASIENTO VOUCHER IDENTIDAD DOMICILIADO RUC PROVEEDOR CLIENTE CUENTA \
    REGISTRO ITEM TELEFONO ANEXO GUIA FECHA TIPO";
const NO_TOTAL: &str = "IGV IPM ISC BASE BI GRAVADO GRAVADA GRAVADAS INAFECTO EXONERADO GRATUITO IMPONIBLE PERCEPCION \
    IMPUESTO ICBPER SALDO DSCTO DESCUENTO TIPO UNITARIO UNIT";

/// Codes of other things than the supplier.
const NO_CODE: &str = "UNICO OPERACION CORRELATIVO ADUANERA DEPENDENCIA ANEXO CUENTA RUC TIPO DAM";

/// Headings of a register of sales (SIRE's RVIE), whose other party is the client.
const SALES: [&[&str]; 3] =
    [&["VALOR", "FACTURADO", "EXPORTACION"], &["BI", "GRAV", "IVAP"], &["VALOR", "OP", "GRATUITAS"]];

/// The buyer's side of the column with this heading.
pub(crate) fn is_buyer(heading: &Heading) -> bool {
    heading.is_about(BUYER)
}

/// A column that only a register of sales has.
pub(crate) fn is_of_sale(heading: &Heading) -> bool {
    SALES.iter().any(|words| words.iter().all(|word| heading.has(word)))
}

pub(crate) fn is_client(heading: &Heading) -> bool {
    heading.is_about(CLIENT)
}

/// Whether it is over kinds of documents of identity (table 2), not of vouchers.
pub(crate) fn names_documents(heading: &Heading) -> bool {
    let is_of_supplier = heading.has("DOCUMENTO") && heading.is_about(SUPPLIER);
    heading.has("TIPO") && (heading.is_about("IDENTIDAD") || heading.has("TABLA") && heading.has("2") || is_of_supplier)
}

/// From [`OTHER`] to 3.
pub(crate) fn score(column: ListColumn, heading: &Heading) -> i8 {
    let (own, any) = (|words: &str| heading.has(words), |words: &str| heading.is_about(words));
    let names_document = own("COMPROBANTE DOCUMENTO FACTURA");
    let is_other_document = any(OTHER_DOCUMENT);
    // The tax's own name has the word too.
    let is_of_sales = heading.is_in_group("VENTAS") || own("VENTAS") && !own("IMPUESTO ADQUISICIONES");
    match column {
        _ if is_other_document => OTHER,
        // A register of sales beside the purchases.
        _ if is_of_sales && !any("DESTINADAS COMPRAS") => OTHER,
        ListColumn::Ruc if own("TIPO") && !own("RUC") => OTHER,
        ListColumn::Ruc if is_buyer(heading) || own(NO_ISSUER) => OTHER,
        ListColumn::Ruc => match (any(SUPPLIER), own("RUC"), any("IDENTIDAD")) {
            (true, true, _) => 3,
            (true, false, true) | (false, _, true) => 2,
            (true, false, false) if own("NUMERO DOCUMENTO CODIGO") => 2,
            (false, true, false) => 1,
            _ if own("CODIGO") && own("ANEXO") => 1,
            _ => SILENT,
        },
        // `Total CP`, with amounts of one or two digits.
        ListColumn::Kind | ListColumn::Number if own("TOTAL IMPORTE MONTO") && !own("NUMERO TIPO") => OTHER,
        ListColumn::Kind if any(NO_KIND) => OTHER,
        // Table of identity documents.
        ListColumn::Kind if own("TABLA") && own("2") => OTHER,
        ListColumn::Kind => match (own("TIPO"), names_document || heading.is_in_group("COMPROBANTE")) {
            (true, true) => 3,
            (true, false) => 2,
            (false, true) if !own("NUMERO FECHA SERIE") => 1,
            (false, _) => SILENT,
        },
        ListColumn::Series => i8::from(own("SERIE")) * 2,
        ListColumn::Number if any("IDENTIDAD") || own(NO_NUMBER) => OTHER,
        ListColumn::Number => {
            match (own("NUMERO"), names_document || heading.is_in_group("COMPROBANTE"), own("CORRELATIVO")) {
                (true, true, _) => 3,
                (true, false, _) | (_, _, true) => 2,
                (false, true, false) => 1,
                (false, false, false) => SILENT,
            }
        }
        ListColumn::Date if own(NO_ISSUE) && !own("EMISION") => OTHER,
        ListColumn::Date if own("PAGO") && !own("EMISION") && !names_document => OTHER,
        ListColumn::Date => match (own("EMISION"), own("FECHA")) {
            (true, _) => 3,
            (false, true) if own("DOCUMENTO FACTURA") => 2,
            (false, true) => 1,
            (false, false) => SILENT,
        },
        ListColumn::Total if own(NO_TOTAL) => OTHER,
        ListColumn::Total => match (own("TOTAL"), own("IMPORTE MONTO PRECIO"), own("COMPROBANTE")) {
            (true, true, _) | (true, _, true) => 3,
            (true, false, false) => 2,
            (false, true, _) => 1,
            (false, false, _) => SILENT,
        },
        ListColumn::Currency => i8::from(own("MONEDA")) * 2,
        ListColumn::Igv if any("TASA PORCENTAJE DSCTO DESCUENTO") => OTHER,
        ListColumn::Igv => i8::from(own("IGV IPM")) * 2,
        ListColumn::Code if own(NO_CODE) => OTHER,
        ListColumn::Code => i8::from(own("CODIGO")) + i8::from(own("CODIGO") && any(SUPPLIER)),
    }
}
