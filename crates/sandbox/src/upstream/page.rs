//! The official page: the page of a taxpayer, and the pages without one: not found, errors, firewalls and captchas.
//!
//! Known sentences are word for word; the rest of each page without a taxpayer is short.

mod record;
mod row;

use super::fault::{Alteration, Page};
use super::taxpayer::Taxpayer;

pub(super) fn page_of(taxpayer: &Taxpayer, altered: Option<Alteration>) -> String {
    let mut rows = record::rows(taxpayer);
    match altered {
        Some(Alteration::LabelsRenamed) => {
            for (number, (label, _)) in rows.iter_mut().flat_map(|row| &mut row.cells).enumerate() {
                *label = format!("Rubro {number}:");
            }
        }
        Some(Alteration::LabelRemoved) => {
            rows.retain(|row| !row.cells.iter().any(|(label, _)| label.starts_with("Estado")));
        }
        Some(Alteration::WrongValues) => {
            let cells = rows.iter_mut().flat_map(|row| &mut row.cells);
            for (_, value) in cells.filter(|(label, _)| label.starts_with("Fecha")) {
                *value = row::paragraph("31/02/20O5");
            }
        }
        Some(Alteration::Masked | Alteration::HugeName | Alteration::Twice | Alteration::OtherRuc) | None => {}
    }
    let page = record::print(taxpayer, &rows);
    if altered == Some(Alteration::Twice) { page.repeat(2) } else { page }
}

pub(super) fn not_found(number: &str) -> String {
    format!(include_str!("../../pages/not_found.html"), number = row::escape(number))
}

pub(super) fn search_form() -> String {
    include_str!("../../pages/search_form.html").to_owned()
}

pub(super) fn page_for(page: Page) -> String {
    match page {
        Page::Firewall => include_str!("../../pages/firewall.html").trim_end().to_owned(),
        Page::Captcha => include_str!("../../pages/captcha.html").to_owned(),
        Page::Denied => include_str!("../../pages/denied.html").to_owned(),
        Page::Error => include_str!("../../pages/error.html").to_owned(),
        Page::SearchForm => search_form(),
        Page::Maintenance => include_str!("../../pages/maintenance.html").to_owned(),
    }
}

pub(super) fn message(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n{body}\n</body>\n</html>\n"
    )
}
