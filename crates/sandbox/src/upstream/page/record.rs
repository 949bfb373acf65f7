//! A taxpayer's record as the page prints it: one item for each row, labels left and values right.
//!
//! It keeps the page's oddities: a banner without a label, `</br>` inside values, entities mixed with raw accents, a
//! row inside a comment, and forms after the panel that repeat RUC and name.

use kuraka_domain::TaxpayerStatus;

use super::row::{Cell, Row, RowStyle, Value, escape, or_dash};
use crate::upstream::details::is_invented;
use crate::upstream::taxpayer::{Address, Taxpayer};

/// Columns of a department and of a province on the page.
const PLACE_WIDTH: usize = 131;

/// The notice for a taxpayer that is NO HABIDO.
const NEW_DOMICILE: &str = "Deber&aacute; declarar el nuevo domicilio fiscal o confirmar el se&ntilde;alado en el RUC. \
    Para ello, deber&aacute; acercarse a los Centros de Servicios al Contribuyente con los documentos que sustenten el \
    nuevo domicilio.";

pub(super) fn rows(taxpayer: &Taxpayer) -> Vec<Row> {
    let details = &taxpayer.details;
    let none = empty_word(taxpayer);
    let mut rows = vec![
        Row::one("N&uacute;mero de RUC:", Value::Heading(heading(taxpayer))),
        Row::one("Tipo Contribuyente:", Value::text(&details.kind)),
        Row::one("Nombre Comercial:", Value::text(&details.trade_name)),
        Row::pair(
            ("Fecha de Inscripci&oacute;n:", Value::date(details.registered)),
            ("Fecha de Inicio de Actividades:", Value::date(details.started)),
        ),
        coloured(taxpayer.status == TaxpayerStatus::Active, "Estado del Contribuyente:", status(taxpayer)),
        coloured(
            taxpayer.condition.as_str() == "HABIDO",
            "Condici&oacute;n del Contribuyente:",
            condition(taxpayer.condition.as_str()),
        ),
        Row::one("Domicilio Fiscal:", Value::Text(full_address(taxpayer.address.as_ref()))),
        Row::pair(
            ("Sistema Emisión de Comprobante:", Value::text(&details.issuing)),
            ("Actividad Comercio Exterior:", Value::text(&details.foreign_trade)),
        ),
        Row::one("Sistema Contabilidad:", Value::text(&details.accounting)),
        Row::one("Actividad(es) Econ&oacute;mica(s):", Value::list(&details.activity_lines(), "-")),
        Row::one("Comprobantes de Pago c/aut. de impresión (F. 806 u 816):", Value::list(&details.vouchers, none)),
        Row::one("Sistema de Emisi&oacute;n Electr&oacute;nica:", Value::list(&details.systems, "")),
        Row::one("Emisor electr&oacute;nico desde:", Value::date(details.electronic_since)),
        Row::one("Comprobantes Electr&oacute;nicos:", Value::text(&details.electronic.join(","))),
        Row::one("Afiliado al PLE desde:", Value::date(details.books_since)),
        Row::one("Padrones:", Value::list(&details.padrones, none)),
    ];
    if let Some((number, name)) = &details.document {
        let document = format!("{number} \n\t\t\t\t\t            \t - {}\n\t\t\t\t\t            ", escape(name));
        rows.insert(2, Row::one("Tipo de Documento:", Value::Text(document)));
    }
    rows
}

fn coloured(good: bool, label: &str, value: String) -> Row {
    Row {
        style: if good { RowStyle::Success } else { RowStyle::Danger },
        cells: vec![Cell::new(label, Value::Text(value))],
    }
}

fn status(taxpayer: &Taxpayer) -> String {
    let status = or_dash(taxpayer.status.as_str());
    taxpayer.details.deregistered.map_or_else(
        || format!("{status}\n\t                         \t"),
        |day| {
            format!(
                "{status}\n\t\t              \t</br>\n\t\t                Fecha de Baja:\n\t\t                  {}\n",
                day.dmy()
            )
        },
    )
}

fn condition(condition: &str) -> String {
    let notice = if condition == "NO HABIDO" { format!("</br>{NEW_DOMICILE}") } else { String::new() };
    format!("\n\t\t              \t{}\n\t\t              {notice}\n\t\t\t\t", or_dash(condition))
}

pub(super) fn print(taxpayer: &Taxpayer, rows: &[Row]) -> String {
    let items: String = rows.iter().map(item).collect();
    let status = taxpayer.status.as_str();
    let banner = if status.starts_with("BAJA") {
        format!(include_str!("../../../pages/record_banner.html"), status = status)
    } else {
        String::new()
    };
    let forms: String =
        [("getinfHis", "Informaci&oacute;n Hist&oacute;rica"), ("getRepLeg", "Representante(s) Legal(es)")]
            .iter()
            .map(|(action, text)| form(taxpayer, action, text))
            .collect();
    format!(include_str!("../../../pages/record.html"), banner = banner, items = items, forms = forms)
}

fn item(row: &Row) -> String {
    let style = match row.style {
        RowStyle::Plain => "",
        RowStyle::Success => " list-group-item-success",
        RowStyle::Danger => " list-group-item-danger",
    };
    let widths = if row.cells.len() == 1 { [5, 7] } else { [3, 3] };
    let cells: String = row.cells.iter().map(|cell| columns(cell, widths)).collect();
    format!("\t<div class=\"list-group-item{style}\">\n\t\t<div class=\"row\">\n{cells}\t\t</div>\n\t</div>\n")
}

fn columns(cell: &Cell, [left, right]: [u8; 2]) -> String {
    let value = match &cell.value {
        Value::Heading(text) => format!("<h4 class=\"list-group-item-heading\">{text}</h4>"),
        Value::Text(text) => format!("<p class=\"list-group-item-text\">{text}</p>"),
        // The page prints no table around an empty list.
        Value::List(texts) if texts.iter().all(String::is_empty) => "-".to_owned(),
        Value::List(texts) => {
            let lines: String = texts.iter().map(|text| format!("\n\t\t\t\t\t<tr><td>{text}</td></tr>")).collect();
            format!("<table class=\"table tblResultado\">\n\t\t\t\t<tbody>{lines}\n\t\t\t\t</tbody>\n\t\t\t</table>")
        }
    };
    format!(
        "\t\t\t<div class=\"col-sm-{left}\">\n\t\t\t\t<h4 class=\"list-group-item-heading\">{}</h4>\n\t\t\t</div>\n\
         \t\t\t<div class=\"col-sm-{right}\">\n\t\t\t\t{value}\n\t\t\t</div>\n",
        cell.label
    )
}

fn form(taxpayer: &Taxpayer, action: &str, text: &str) -> String {
    format!(
        include_str!("../../../pages/record_form.html"),
        text = text,
        action = action,
        ruc = taxpayer.ruc,
        name = escape(&taxpayer.name)
    )
}

/// `20100119227 - 3M PERU S A`.
fn heading(taxpayer: &Taxpayer) -> String {
    format!("{} - {}", taxpayer.ruc, escape(&taxpayer.name))
}

/// The text of an empty list; for a real company it claims nothing.
fn empty_word(taxpayer: &Taxpayer) -> &'static str {
    if is_invented(taxpayer.ruc) { "NINGUNO" } else { "-" }
}

/// The address as the page prints it: the kind of road in four columns, two blanks after the zone's kind, department
/// and province padded, and no separator before the department.
fn full_address(address: Option<&Address>) -> String {
    let Some(Address { road: (kind, road), parts, zone: (zone_kind, zone), department, province, district }) = address
    else {
        return "-".to_owned();
    };
    let mut line = format!("{kind:<4}{road}");
    for part in parts {
        line = format!("{line} {part}");
    }
    if !zone.is_empty() {
        line = format!("{line} {zone_kind}  {zone}");
    }
    let department = if department == "CALLAO" { "PROV. CONST. DEL CALLAO" } else { department };
    escape(&format!("{}  {department:<PLACE_WIDTH$}- {province:<PLACE_WIDTH$}- {district}", line.trim()))
}
