//! What the other datasets say about a taxpayer. Each is read once, and only if a part asks for it.

mod fields;
mod lists;
mod open_data;

use std::sync::Arc;

use kuraka_domain::{
    AnnexPremises, DatasetRole, ListMembership, OperatingIncapacity, Ruc, Sanction, TaxpayerProfile, TaxpayerSummary,
};
use kuraka_ports::{ProfileParts, SourceError, SourceErrorKind};
use kuraka_registry::dataset::{ANEXOS, SANCIONES, SSCO};
use kuraka_registry::{CorruptRowError, Edition, EditionRow, EditionRows};
use thiserror::Error;

use self::fields::{date, owned, position, text, ubigeo};
use self::lists::List;
use self::open_data::open_data;
use super::SOURCE;

/// The editions of a snapshot, without the padrón's.
#[derive(Default)]
pub(super) struct Profiles {
    /// In the datasets' order.
    lists: Vec<List>,
    others: Vec<Arc<Edition>>,
}

/// A dataset's rows cannot be read.
#[derive(Debug, Error)]
#[error("the edition {label} of the dataset {dataset} is damaged")]
struct DamagedRowError {
    dataset: &'static str,
    label: String,
    source: Option<CorruptRowError>,
}

impl Profiles {
    pub(super) fn add(&mut self, edition: Arc<Edition>) {
        if let DatasetRole::List(_) = edition.dataset().role {
            self.lists.push(List::new(edition));
        } else {
            self.others.push(edition);
        }
    }

    /// The parts of the profile of the taxpayer with this summary.
    pub(super) fn profile(
        &self,
        summary: TaxpayerSummary,
        parts: ProfileParts,
    ) -> Result<TaxpayerProfile, SourceError> {
        let ruc = summary.ruc;
        let part = |part, role| {
            let is_wanted = |edition: &&Arc<Edition>| parts.has(part) && edition.dataset().role == role;
            self.others.iter().find(is_wanted).map(Arc::as_ref)
        };
        let count = |edition: &Edition| edition.count(ruc).map_err(|error| unreadable(edition, Some(error)));
        Ok(TaxpayerProfile {
            lists: if parts.has(ProfileParts::LISTS) { self.lists_of(ruc)? } else { None },
            annex_count: part(ProfileParts::ANNEX_COUNT, DatasetRole::Annexes).map(count).transpose()?,
            annexes: part(ProfileParts::ANNEXES, DatasetRole::Annexes)
                .map(|edition| all(edition, ruc, |row| Some(annex(row))))
                .transpose()?,
            open_data: part(ProfileParts::OPEN_DATA, DatasetRole::OpenData)
                .map(|edition| first(edition, ruc, |row| open_data(row).map(Box::new)))
                .transpose()?,
            operating_incapacity: part(ProfileParts::OPERATING_INCAPACITY, DatasetRole::Capacity)
                .map(|edition| first(edition, ruc, |row| Some(incapacity(row))))
                .transpose()?,
            sanctions: part(ProfileParts::SANCTIONS, DatasetRole::Sanctions)
                .map(|edition| all(edition, ruc, sanction))
                .transpose()?,
            summary,
        })
    }

    /// Whether the list has the taxpayer; `None` = it is not served, or is damaged.
    pub(super) fn is_listed(&self, ruc: Ruc, list: &str) -> Option<bool> {
        let list = self.lists.iter().find(|own| own.edition().dataset().name == list)?;
        list.edition().count(ruc).ok().map(|rows| rows > 0)
    }

    /// The lists with the taxpayer; `None` = no list is served.
    fn lists_of(&self, ruc: Ruc) -> Result<Option<Vec<ListMembership>>, SourceError> {
        if self.lists.is_empty() {
            return Ok(None);
        }
        let membership = |list: &List| Ok(list.membership(&rows(list.edition(), ruc)?));
        self.lists.iter().filter_map(|list| membership(list).transpose()).collect::<Result<_, _>>().map(Some)
    }
}

fn rows(edition: &Edition, ruc: Ruc) -> Result<EditionRows<'_>, SourceError> {
    edition.rows(ruc).map_err(|error| unreadable(edition, Some(error)))
}

/// Maps every row of `ruc`. `None` = the row lacks a value that every imported row has.
fn all<T>(edition: &Edition, ruc: Ruc, read: impl Fn(EditionRow<'_, '_>) -> Option<T>) -> Result<Vec<T>, SourceError> {
    rows(edition, ruc)?.iter().map(|row| read(row).ok_or_else(|| unreadable(edition, None))).collect()
}

/// As [`all`], for the first row.
fn first<T>(
    edition: &Edition,
    ruc: Ruc,
    read: impl Fn(EditionRow<'_, '_>) -> Option<T>,
) -> Result<Option<T>, SourceError> {
    let rows = rows(edition, ruc)?;
    rows.first().map(|row| read(row).ok_or_else(|| unreadable(edition, None))).transpose()
}

pub(super) fn unreadable(edition: &Edition, source: Option<CorruptRowError>) -> SourceError {
    let damaged = DamagedRowError { dataset: edition.dataset().name, label: edition.label().to_owned(), source };
    SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(damaged)
}

/// The parts of an annex's address in SUNAT's order (the padrón's too), each with the text before it.
const LINE: [(usize, &str); 10] = [
    (position(&ANEXOS, "tipo_via"), ""),
    (position(&ANEXOS, "nombre_via"), ""),
    (position(&ANEXOS, "numero"), "NRO. "),
    (position(&ANEXOS, "interior"), "INT. "),
    (position(&ANEXOS, "departamento"), "DPTO. "),
    (position(&ANEXOS, "manzana"), "MZA. "),
    (position(&ANEXOS, "lote"), "LOTE. "),
    (position(&ANEXOS, "kilometro"), "KM. "),
    (position(&ANEXOS, "codigo_zona"), ""),
    (position(&ANEXOS, "tipo_zona"), ""),
];

fn annex(row: EditionRow<'_, '_>) -> AnnexPremises {
    const UBIGEO: usize = position(&ANEXOS, "ubigeo");
    let mut address = String::new();
    for (field, prefix) in LINE {
        if let Some(value) = text(row, field) {
            for part in [if address.is_empty() { "" } else { " " }, prefix, value] {
                address.push_str(part);
            }
        }
    }
    AnnexPremises { address, ubigeo: ubigeo(row, UBIGEO) }
}

fn incapacity(row: EditionRow<'_, '_>) -> OperatingIncapacity {
    const RESOLUTION: usize = position(&SSCO, "resolucion");
    const RESOLVED: usize = position(&SSCO, "fecha_resolucion");
    const FINAL_SINCE: usize = position(&SSCO, "firme_desde");
    OperatingIncapacity {
        resolution: owned(row, RESOLUTION),
        resolved: date(row, RESOLVED),
        final_since: date(row, FINAL_SINCE),
    }
}

/// A row's sanction; `None` without a first day, which every imported row has.
fn sanction(row: EditionRow<'_, '_>) -> Option<Sanction> {
    const SINCE: usize = position(&SANCIONES, "desde");
    const UNTIL: usize = position(&SANCIONES, "hasta");
    const REASON: usize = position(&SANCIONES, "motivo");
    Some(Sanction { since: date(row, SINCE)?, until: date(row, UNTIL), reason: owned(row, REASON) })
}
