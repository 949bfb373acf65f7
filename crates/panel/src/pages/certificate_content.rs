//! What a certificate says, as it is stored.

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

use super::status_summary::INCAPABLE;
use crate::spanish;

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Content {
    pub(super) office: String,
    /// When it was looked up, in seconds.
    pub(super) asked_at: i64,
    pub(super) is_demo: bool,
    pub(super) unknown: u64,
    /// Rows of the list that were not looked up.
    pub(super) left_out: u64,
    pub(super) rows: Vec<CertifiedRow>,
    pub(super) sources: Vec<CertifiedSource>,
}

/// A taxpayer on a day.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct CertifiedRow {
    pub(super) ruc: String,
    pub(super) name: String,
    /// `YYYY-MM-DD`; `YYYY-MM` = as published for the month.
    pub(super) day: String,
    pub(super) status: String,
    pub(super) condition: String,
    /// The padrón's edition; empty = it is not from the padrón.
    pub(super) edition: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct CertifiedSource {
    pub(super) title: String,
    pub(super) edition: String,
    digest: String,
}

impl CertifiedRow {
    /// The same taxpayer, which was not in the padrón.
    pub(super) fn absent(self) -> Self {
        Self { status: "NO ESTABA EN EL PADRÓN".to_owned(), condition: String::new(), ..self }
    }

    /// The same taxpayer, which had no operating capacity.
    pub(super) fn incapable(self) -> Self {
        let status = Some(self.status).filter(|status| !status.is_empty());
        Self { status: status.map_or_else(|| INCAPABLE.to_owned(), |text| format!("{text} · {INCAPABLE}")), ..self }
    }

    pub(super) fn is_incapable(&self) -> bool {
        self.status.ends_with(INCAPABLE)
    }

    pub(super) fn is_of_month(&self) -> bool {
        self.day.len() == 7
    }

    pub(super) fn day(&self) -> String {
        let month =
            || Date::parse(&format!("{}-01", self.day)).map(|date| format!("mes de {}", spanish::month_of(date)));
        Date::parse(&self.day).map(spanish::day).or_else(|_| month()).unwrap_or_default()
    }
}

impl CertifiedSource {
    /// At least the digits that the edition's name has.
    pub(super) fn digest(&self) -> String {
        match self.edition.get(11..) {
            Some(known) if self.digest.is_empty() => format!("{known}…"),
            _ => self.digest.clone(),
        }
    }
}

impl Content {
    /// Names an edition of the padrón, with its digest if it is `known`: a label and a digest.
    pub(super) fn name_edition(&mut self, edition: &str, known: Option<&(String, String)>) {
        let digest = known.filter(|(label, _)| label == edition).map_or("", |(_, digest)| digest);
        self.name_source("Padrón reducido del RUC, de la SUNAT", edition, digest);
    }

    /// Names a source; an empty edition = it has none.
    pub(super) fn name_source(&mut self, title: &str, edition: &str, digest: &str) {
        if self.sources.iter().all(|source| source.title != title || source.edition != edition) {
            let [title, edition, digest] = [title, edition, digest].map(str::to_owned);
            self.sources.push(CertifiedSource { title, edition, digest });
        }
    }

    /// What its owner knows it by.
    pub(super) fn title(&self, list: &str) -> String {
        match &*self.rows {
            [row] => format!("{} {}, {}", row.ruc, row.name, row.day()),
            rows => format!("{list}: {} filas", spanish::number(rows.len() as u64)),
        }
    }
}
