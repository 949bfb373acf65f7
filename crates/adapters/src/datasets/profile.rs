//! What the other datasets say about a taxpayer. Each is read once, and only if a part asks for it.

use std::sync::Arc;

use kuraka_domain::text::without_accents;
use kuraka_domain::{
    ActivityRank, AnnexPremises, DatasetRole, Date, EconomicActivity, ListMembership, OpenData, OperatingIncapacity,
    Ruc, Sanction, TaxpayerProfile, TaxpayerSummary, Ubigeo,
};
use kuraka_ports::{ProfileParts, SourceError, SourceErrorKind};
use kuraka_registry::dataset::{Dataset, Value};
use kuraka_registry::{CorruptRowError, Edition};
use thiserror::Error;

use super::SOURCE;

/// The editions of a snapshot, without the padrón's.
#[derive(Default)]
pub(super) struct Profiles {
    /// In the datasets' order.
    lists: Vec<Arc<Edition>>,
    others: Vec<Arc<Edition>>,
}

/// What a dataset says; `None` = it is not served, or not wanted.
type Parts<T> = Result<Option<T>, SourceError>;

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
        let of_capacity = part(ProfileParts::OPERATING_INCAPACITY, DatasetRole::Capacity);
        let count = |edition: &Edition| edition.count(ruc).map_err(|error| unreadable(edition, Some(error)));
        Ok(TaxpayerProfile {
            lists: if parts.has(ProfileParts::LISTS) { self.lists_of(ruc)? } else { None },
            annex_count: part(ProfileParts::ANNEX_COUNT, DatasetRole::Annexes).map(count).transpose()?,
            annexes: all(part(ProfileParts::ANNEXES, DatasetRole::Annexes), ruc, annex)?,
            open_data: first(part(ProfileParts::OPEN_DATA, DatasetRole::OpenData), ruc, open_data)?,
            operating_incapacity: first(of_capacity, ruc, incapacity)?,
            sanctions: all(part(ProfileParts::SANCTIONS, DatasetRole::Sanctions), ruc, sanction)?,
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
        let of_list = |list: &Arc<Edition>| first(Some(&**list), ruc, membership).map(Option::flatten).transpose();
        self.lists.iter().filter_map(of_list).collect::<Result<_, _>>().map(Some)
    }
}

/// Maps every row of `ruc`, if the edition is wanted. `None` = the row lacks a value that every imported row has.
fn all<T>(edition: Option<&Edition>, ruc: Ruc, read: fn(&NamedRow<'_, '_>) -> Option<T>) -> Parts<Vec<T>> {
    let Some(edition) = edition else { return Ok(None) };
    let dataset = edition.dataset();
    let read = |row| read(&NamedRow { dataset, row }).ok_or_else(|| unreadable(edition, None));
    let rows = edition.rows(ruc).map_err(|error| unreadable(edition, Some(error)))?;
    rows.iter().map(read).collect::<Result<_, _>>().map(Some)
}

/// As [`all`], for the first row.
fn first<T>(edition: Option<&Edition>, ruc: Ruc, read: fn(&NamedRow<'_, '_>) -> Option<T>) -> Parts<Option<T>> {
    Ok(all(edition, ruc, read)?.map(|rows| rows.into_iter().next()))
}

fn unreadable(edition: &Edition, source: Option<CorruptRowError>) -> SourceError {
    let damaged = DamagedRowError { dataset: edition.dataset().name, label: edition.label().to_owned(), source };
    SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(damaged)
}

/// A row of a dataset, with its fields by their names. A field that the dataset does not have has no value.
struct NamedRow<'a, 'e> {
    dataset: &'static Dataset,
    row: &'a [Value<'e>],
}

impl<'e> NamedRow<'_, 'e> {
    fn get(&self, field: &str) -> Value<'e> {
        self.dataset.field(field).and_then(|place| self.row.get(place)).copied().unwrap_or_default()
    }

    /// `None` = the file has no value.
    fn text(&self, field: &str) -> Option<&'e str> {
        if let Value::Text(text) = self.get(field) { Some(text) } else { None }
    }

    /// A text as published; empty if the file has none.
    fn owned(&self, field: &str) -> String {
        self.text(field).unwrap_or_default().to_owned()
    }

    fn date(&self, field: &str) -> Option<Date> {
        if let Value::Date(date) = self.get(field) { Some(date) } else { None }
    }

    fn integer(&self, field: &str) -> Option<u32> {
        if let Value::Integer(number) = self.get(field) { Some(number) } else { None }
    }

    fn ubigeo(&self, field: &str) -> Option<Ubigeo> {
        if let Value::Ubigeo(ubigeo) = self.get(field) { Some(ubigeo) } else { None }
    }
}

fn membership(row: &NamedRow<'_, '_>) -> Option<ListMembership> {
    let Dataset { name: dataset, title, .. } = *row.dataset;
    Some(ListMembership { dataset, title, since: row.date("desde"), resolution: row.owned("resolucion") })
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

fn annex(row: &NamedRow<'_, '_>) -> Option<AnnexPremises> {
    let parts = LINE.into_iter().filter_map(|(field, before)| Some([before, row.text(field)?].concat()));
    Some(AnnexPremises { address: parts.collect::<Vec<_>>().join(" "), ubigeo: row.ubigeo("ubigeo") })
}

fn incapacity(row: &NamedRow<'_, '_>) -> Option<OperatingIncapacity> {
    let (resolved, final_since) = (row.date("fecha_resolucion"), row.date("firme_desde"));
    Some(OperatingIncapacity { resolution: row.owned("resolucion"), resolved, final_since })
}

/// A row's sanction; `None` without a first day, which every imported row has.
fn sanction(row: &NamedRow<'_, '_>) -> Option<Sanction> {
    Some(Sanction { since: row.date("desde")?, until: row.date("hasta"), reason: row.owned("motivo") })
}

/// The open data of a row; `None` without a month, which every imported row has.
fn open_data(row: &NamedRow<'_, '_>) -> Option<Box<OpenData>> {
    let activity = |rank, text: Option<&str>| {
        text.map(|text| EconomicActivity { rank, ciiu: String::new(), description: text.to_owned() })
    };
    let principal = row.text("actividad_ciiu4_principal").or_else(|| row.text("actividad_ciiu3_principal"));
    let principal = activity(ActivityRank::Principal, principal);
    let secondary = activity(ActivityRank::Secondary, row.text("actividad_ciiu3_secundaria"));
    Some(Box::new(OpenData {
        month: row.date("periodo")?,
        // An unknown type is stored as published.
        taxpayer_type: row.text("tipo_contribuyente").map(without_accents).unwrap_or_default(),
        activities: principal.into_iter().chain(secondary).collect(),
        workers: row.integer("trabajadores"),
        issuing_system: row.owned("sistema_emision"),
        accounting_system: row.owned("sistema_contabilidad"),
        foreign_trade: row.owned("actividad_comercio_exterior"),
    }))
}
