//! A taxpayer's record as the page prints it: one item for each row, labels left and values right.
//!
//! It keeps the page's oddities: a banner without a label, `</br>` inside values, entities mixed with raw accents, a
//! row inside a comment, and forms after the panel that repeat RUC and name.

use kuraka_domain::TaxpayerStatus;

use super::row::{Row, date, escape, heading, list, or_dash, paragraph, text};
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
    // For a real company an empty list claims nothing.
    let none = Some(if is_invented(taxpayer.ruc) { "NINGUNO" } else { "-" });
    let condition = taxpayer.condition.as_str();
    let mut rows = vec![
        Row::new([("N&uacute;mero de RUC:", heading(&format!("{} - {}", taxpayer.ruc, escape(&taxpayer.name))))]),
        Row::new([("Tipo Contribuyente:", text(&details.kind))]),
        Row::new([("Nombre Comercial:", text(&details.trade_name))]),
        Row::new([
            ("Fecha de Inscripci&oacute;n:", date(details.registered)),
            ("Fecha de Inicio de Actividades:", date(details.started)),
        ]),
        coloured(taxpayer.status == TaxpayerStatus::Active, "Estado del Contribuyente:", &status(taxpayer)),
        coloured(condition == "HABIDO", "Condici&oacute;n del Contribuyente:", &with_notice(condition)),
        Row::new([("Domicilio Fiscal:", paragraph(&full_address(taxpayer.address.as_ref())))]),
        Row::new([
            ("Sistema Emisión de Comprobante:", text(&details.issuing)),
            ("Actividad Comercio Exterior:", text(&details.foreign_trade)),
        ]),
        Row::new([("Sistema Contabilidad:", text(&details.accounting))]),
        Row::new([("Actividad(es) Econ&oacute;mica(s):", list(&details.activity_lines(), Some("-")))]),
        Row::new([("Comprobantes de Pago c/aut. de impresión (F. 806 u 816):", list(&details.vouchers, none))]),
        Row::new([("Sistema de Emisi&oacute;n Electr&oacute;nica:", list(&details.systems, None))]),
        Row::new([("Emisor electr&oacute;nico desde:", date(details.electronic_since))]),
        Row::new([("Comprobantes Electr&oacute;nicos:", text(&details.electronic.join(",")))]),
        Row::new([("Afiliado al PLE desde:", date(details.books_since))]),
        Row::new([("Padrones:", list(&details.padrones, none))]),
    ];
    if let Some((number, name)) = &details.document {
        let document = format!("{number} \n\t\t\t\t\t            \t - {}\n\t\t\t\t\t            ", escape(name));
        rows.insert(2, Row::new([("Tipo de Documento:", paragraph(&document))]));
    }
    rows
}

fn coloured(is_good: bool, label: &str, value: &str) -> Row {
    let colour = if is_good { " list-group-item-success" } else { " list-group-item-danger" };
    Row { colour, ..Row::new([(label, paragraph(value))]) }
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

fn with_notice(condition: &str) -> String {
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

fn item(Row { colour, cells }: &Row) -> String {
    let [left, right] = if cells.len() == 1 { [5, 7] } else { [3, 3] };
    let column = |width, html: &str| format!("\t\t\t<div class=\"col-sm-{width}\">\n\t\t\t\t{html}\n\t\t\t</div>\n");
    let cells: String =
        cells.iter().map(|(label, value)| column(left, &heading(label)) + &column(right, value)).collect();
    format!("\t<div class=\"list-group-item{colour}\">\n\t\t<div class=\"row\">\n{cells}\t\t</div>\n\t</div>\n")
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
