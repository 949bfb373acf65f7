//! What the other datasets say about a taxpayer. Each is read once, and only if a part asks for it.

mod fields;
mod open_data;

use std::sync::Arc;

use kuraka_domain::{
    AnnexPremises, DatasetRole, ListMembership, OperatingIncapacity, Ruc, Sanction, TaxpayerProfile, TaxpayerSummary,
};
use kuraka_ports::{ProfileParts, SourceError, SourceErrorKind};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{CorruptRowError, Edition};
use thiserror::Error;

use self::fields::NamedRow;
use self::open_data::open_data;
use super::SOURCE;

/// The editions of a snapshot, without the padrón's.
#[derive(Default)]
pub(super) struct Profiles {
    /// In the datasets' order.
    lists: Vec<Arc<Edition>>,
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
            self.lists.push(edition);
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
        let list = self.lists.iter().find(|own| own.dataset().name == list)?;
        list.count(ruc).ok().map(|rows| rows > 0)
    }

    /// The lists with the taxpayer; `None` = no list is served.
    fn lists_of(&self, ruc: Ruc) -> Result<Option<Vec<ListMembership>>, SourceError> {
        if self.lists.is_empty() {
            return Ok(None);
        }
        let memberships =
            self.lists.iter().filter_map(|list| first(list, ruc, |row| Some(membership(row))).transpose());
        memberships.collect::<Result<_, _>>().map(Some)
    }
}

/// Maps every row of `ruc`. `None` = the row lacks a value that every imported row has.
fn all<T>(edition: &Edition, ruc: Ruc, read: impl Fn(&NamedRow<'_, '_>) -> Option<T>) -> Result<Vec<T>, SourceError> {
    let dataset = edition.dataset();
    let read = |row| read(&NamedRow { dataset, row }).ok_or_else(|| unreadable(edition, None));
    let rows = edition.rows(ruc).map_err(|error| unreadable(edition, Some(error)))?;
    rows.iter().map(read).collect()
}

/// As [`all`], for the first row.
fn first<T>(
    edition: &Edition,
    ruc: Ruc,
    read: impl Fn(&NamedRow<'_, '_>) -> Option<T>,
) -> Result<Option<T>, SourceError> {
    Ok(all(edition, ruc, read)?.into_iter().next())
}

pub(super) fn unreadable(edition: &Edition, source: Option<CorruptRowError>) -> SourceError {
    let damaged = DamagedRowError { dataset: edition.dataset().name, label: edition.label().to_owned(), source };
    SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(damaged)
}

fn membership(row: &NamedRow<'_, '_>) -> ListMembership {
    let Dataset { name: dataset, title, .. } = *row.dataset;
    ListMembership { dataset, title, since: row.date("desde"), resolution: row.owned("resolucion") }
}

/// The parts of an annex's address in SUNAT's order (the padrón's too), each with the text before it.
const LINE: [(&str, &str); 10] = [
    ("tipo_via", ""),
    ("nombre_via", ""),
    ("numero", "NRO. "),
    ("interior", "INT. "),
    ("departamento", "DPTO. "),
    ("manzana", "MZA. "),
    ("lote", "LOTE. "),
    ("kilometro", "KM. "),
    ("codigo_zona", ""),
    ("tipo_zona", ""),
];

fn annex(row: &NamedRow<'_, '_>) -> AnnexPremises {
    let mut address = String::new();
    for (field, prefix) in LINE {
        if let Some(value) = row.text(field) {
            for part in [if address.is_empty() { "" } else { " " }, prefix, value] {
                address.push_str(part);
            }
        }
    }
    AnnexPremises { address, ubigeo: row.ubigeo("ubigeo") }
}

fn incapacity(row: &NamedRow<'_, '_>) -> OperatingIncapacity {
    OperatingIncapacity {
        resolution: row.owned("resolucion"),
        resolved: row.date("fecha_resolucion"),
        final_since: row.date("firme_desde"),
    }
}

/// A row's sanction; `None` without a first day, which every imported row has.
fn sanction(row: &NamedRow<'_, '_>) -> Option<Sanction> {
    Some(Sanction { since: row.date("desde")?, until: row.date("hasta"), reason: row.owned("motivo") })
}
