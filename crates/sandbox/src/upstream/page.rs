//! The official page: what it says of a taxpayer, as rows of labels and values, and the pages without a taxpayer.
//!
//! [`current`] and [`table`] print the rows in the two layouts. This module refuses to know bytes and headers.

mod current;
mod message;
mod table;

pub(super) use message::{message, not_found, page_for, search_form};

use kuraka_domain::Date;

use super::{
    fault::Alteration,
    taxpayer::{Address, Taxpayer},
};

/// Columns that the page gives to a department and to a province.
const PLACE_WIDTH: usize = 131;

/// The two looks of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// What a request with `modo=1` gets.
    Current,
    /// What a request without it gets.
    Table,
}

/// One line of the page: a label with its value, or two of them.
struct Row {
    mood: Mood,
    cells: Vec<Cell>,
}

struct Cell {
    label: String,
    value: Value,
}

/// What stands in a cell, as HTML.
enum Value {
    Heading(String),
    Text(String),
    List(Vec<String>),
}

/// A row's colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Plain,
    Success,
    Danger,
}

/// The page of one taxpayer, with what is wrong with its record.
pub(super) fn page_of(taxpayer: &Taxpayer, layout: Layout, altered: Option<Alteration>) -> String {
    let print = match layout {
        Layout::Current => current::print,
        Layout::Table => table::print,
    };
    let mut rows = match layout {
        Layout::Current => current::rows(taxpayer),
        Layout::Table => table::rows(taxpayer),
    };
    match altered {
        Some(Alteration::LabelsRenamed) => {
            for (number, cell) in rows.iter_mut().flat_map(|row| &mut row.cells).enumerate() {
                cell.label = format!("Rubro {number}:");
            }
        }
        Some(Alteration::LabelRemoved) => rows.retain(|row| !row.is_labelled("Estado")),
        Some(Alteration::WrongValues) => {
            for cell in rows.iter_mut().flat_map(|row| &mut row.cells).filter(|cell| cell.label.starts_with("Fecha")) {
                cell.value = Value::Text("31/02/20O5".to_owned());
            }
        }
        Some(Alteration::Masked | Alteration::HugeName | Alteration::Twice | Alteration::OtherRuc) | None => {}
    }
    let page = print(taxpayer, &rows);
    if altered == Some(Alteration::Twice) { page.repeat(2) } else { page }
}

impl Row {
    fn one(label: &str, value: Value) -> Self {
        Self { mood: Mood::Plain, cells: vec![Cell::new(label, value)] }
    }

    fn pair(first: (&str, Value), second: (&str, Value)) -> Self {
        let cells = [first, second].map(|(label, value)| Cell::new(label, value)).into();
        Self { mood: Mood::Plain, cells }
    }

    fn is_labelled(&self, start: &str) -> bool {
        self.cells.iter().any(|cell| cell.label.starts_with(start))
    }
}

impl Cell {
    fn new(label: &str, value: Value) -> Self {
        Self { label: label.to_owned(), value }
    }
}

impl Value {
    /// A text, or the placeholder.
    fn text(text: &str) -> Self {
        Self::Text(or_dash(text))
    }

    fn date(date: Option<Date>) -> Self {
        Self::text(&date.map(|date| date.dmy().to_string()).unwrap_or_default())
    }

    /// A list; an empty one as the given word.
    fn list<S: AsRef<str>>(texts: &[S], empty: &str) -> Self {
        if texts.is_empty() {
            return Self::List(vec![empty.to_owned()]);
        }
        Self::List(texts.iter().map(|text| escape(text.as_ref())).collect())
    }
}

/// A text for HTML, or the placeholder for no text.
fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { escape(text) }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// `20100119227 - 3M PERU S A`.
fn heading(taxpayer: &Taxpayer) -> String {
    format!("{} - {}", taxpayer.ruc, escape(&taxpayer.name))
}

/// How an empty list of a known taxpayer is written; of a real company nothing is claimed.
fn empty_word(taxpayer: &Taxpayer) -> &'static str {
    if Taxpayer::is_invented(taxpayer.ruc) { "NINGUNO" } else { "-" }
}

/// The address as the page prints it: the kind of road in four columns, two blanks around the zone's kind, department
/// and province padded, the department behind the address without any sign between them.
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
