//! The official page: the page of a taxpayer, and the pages without a taxpayer.
//!
//! [`record`] makes and prints the rows.

mod message;
mod record;
mod row;

pub(super) use message::{message, not_found, page_for, search_form};

use self::row::Value;
use super::{fault::Alteration, taxpayer::Taxpayer};

/// The page of one taxpayer, with an error in its record.
pub(super) fn page_of(taxpayer: &Taxpayer, altered: Option<Alteration>) -> String {
    let mut rows = record::rows(taxpayer);
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
    let page = record::print(taxpayer, &rows);
    if altered == Some(Alteration::Twice) { page.repeat(2) } else { page }
}
