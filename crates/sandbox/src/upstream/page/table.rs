//! The layout of before 2021: a table, lists as drop-down boxes, and all of it once more in a hidden copy to print.
//!
//! It keeps the page's oddities: other labels than today's, a day of deregistration in a cell of its own, activities
//! without a rank, a document inside the document.

use super::{Cell, Mood, Row, Value, empty_word, escape, full_address, heading, or_dash};
use crate::upstream::taxpayer::Taxpayer;

/// The rows, in the page's order.
pub(super) fn rows(taxpayer: &Taxpayer) -> Vec<Row> {
    let details = &taxpayer.details;
    let none = empty_word(taxpayer);
    let activities: Vec<String> = details.activities.iter().map(|(code, text)| format!("{code} - {text}")).collect();
    let status = Value::Text(or_dash(taxpayer.status.as_str()));
    let status = match details.deregistered {
        Some(day) => Row::pair(("Estado del Contribuyente: ", status), ("Fecha de Baja: ", Value::date(Some(day)))),
        None => Row::one("Estado del Contribuyente: ", status),
    };
    let mut rows = vec![
        Row::one("N&uacute;mero de RUC: ", Value::Heading(heading(taxpayer))),
        Row::one("Tipo Contribuyente: ", Value::text(&details.kind)),
        Row::one("Nombre Comercial: ", Value::text(&details.trade_name)),
        Row::pair(
            ("Fecha de Inscripci&oacute;n: ", Value::date(details.registered)),
            ("Fecha de Inicio de Actividades:", Value::date(details.started)),
        ),
        status,
        Row {
            mood: Mood::Plain,
            cells: vec![Cell::new("Condici&oacute;n del Contribuyente:", Value::text(taxpayer.condition.as_str()))],
        },
        Row::one("Direcci&oacute;n del Domicilio Fiscal:", Value::Text(full_address(taxpayer.address.as_ref()))),
        Row::pair(
            ("Sistema de Emisi&oacute;n de Comprobante:", Value::text(&details.issuing)),
            ("Actividad de Comercio Exterior:", Value::text(&details.foreign_trade)),
        ),
        Row::one("Sistema de Contabilidad:", Value::text(&details.accounting)),
        Row::one("Actividad(es) Econ&oacute;mica(s):", Value::list(&activities, "-")),
        Row::one("Comprobantes de Pago c/aut. de impresión (F. 806 u 816): ", Value::list(&details.vouchers, none)),
        Row::one("Sistema de Emision Electronica: ", Value::list(&details.systems, "-")),
        Row::one("Emisor electr&oacute;nico desde: ", Value::date(details.electronic_since)),
        Row::one("Comprobantes Electr&oacute;nicos: ", Value::text(&details.electronic.join(","))),
        Row::one("Afiliado al PLE desde: ", Value::date(details.books_since)),
        Row::one("Padrones :", Value::list(&details.padrones, none)),
    ];
    if let Some((number, name)) = &details.document {
        rows.insert(2, Row::one("Tipo de Documento: ", Value::Text(format!("{number}  - {}", escape(name)))));
    }
    rows
}

/// The whole page.
pub(super) fn print(taxpayer: &Taxpayer, rows: &[Row]) -> String {
    let lines: String = rows.iter().map(|row| line(row, options)).collect();
    let copy: String = rows.iter().map(|row| line(row, breaks)).collect();
    let (ruc, name) = (taxpayer.ruc, escape(&taxpayer.name));
    format!(
        r#"<html>
<head>
<title>Consulta RUC</title><meta charset="utf-8">
<link href="/a/css/estilos2_0.css" rel="stylesheet" type="text/css">
</head>
<body>
<table border="0" cellpadding="2" cellspacing="3" width="100%" class="form-table">
{lines}</table>
<div id="print" style="display:none;">
<table cellpadding="3" cellspacing="2" width="100%" class="form-table">
	<tr><td class="t1"><font size="2">CONSULTA RUC: {ruc} - {name}</font></td></tr>
</table>
<table border="1" cellpadding="2" cellspacing="3" width="100%" class="form-table">
{copy}</table>
</div>
<form name="formRepLeg" method="post" action="/cl-ti-itmrconsruc/jcrS00Alias">
	<input type="hidden" name="accion" value="getRepLeg">
	<input type="hidden" name="desRuc" value="{name}">
	<input type="hidden" name="nroRuc" value="{ruc}">
</form>
<html>
<head><title>Footer</title></head>
<body>
<table width="100%" class="form-table">
<tr><th class="bgn">Copyright &copy; SUNAT 1997 - 2026</th></tr>
</table>
</body>
</html>
</body>
</html>
"#
    )
}

fn line(row: &Row, list: fn(&[String]) -> String) -> String {
    let span = if row.cells.len() == 1 { 3 } else { 1 };
    let cells: String = row
        .cells
        .iter()
        .map(|cell| {
            let value = match &cell.value {
                Value::Heading(text) | Value::Text(text) => text.clone(),
                Value::List(texts) => list(texts),
            };
            format!(
                "\t\t<td class=\"bgn\" colspan=1>{}</td>\n\t\t<td class=\"bg\" colspan={span}>{value}</td>\n",
                cell.label
            )
        })
        .collect();
    format!("\t<tr>\n{cells}\t</tr>\n")
}

fn options(texts: &[String]) -> String {
    let options: String = texts.iter().map(|text| format!("\n\t\t\t<option value=\"00\" > {text} </option>")).collect();
    format!(
        "\n\t\t\t<!-- <select name=\"select\" >-->\n\t\t\t<select name=\"select\" >{options}\n\t\t\t</select>\n\t\t"
    )
}

fn breaks(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\n\t\t\t<br>\n\t\t\t{text}")).collect()
}
