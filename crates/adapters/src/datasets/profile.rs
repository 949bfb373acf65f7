//! What the datasets beside the padrón say about a taxpayer. Each dataset is read once, and only if a part asks for it.

mod fields;
mod lists;
mod open_data;
mod own_fields;

use std::sync::Arc;

use kuraka_domain::{DatasetRole, ListMembership, Ruc, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::{Parts, SourceError, SourceErrorKind};
use kuraka_registry::{CorruptRow, Edition, EditionRow, EditionRows};
use thiserror::Error;

use self::lists::List;
use self::open_data::open_data;
use self::own_fields::{annex, incapacity, sanction};
use super::SOURCE;

/// The editions of a snapshot beside the padrón's.
#[derive(Default)]
pub(super) struct Profiles {
    /// In the datasets' order.
    lists: Vec<List>,
    others: Vec<Arc<Edition>>,
}

/// A dataset's rows cannot be read.
#[derive(Debug, Error)]
#[error("the edition {label} of the dataset {dataset} is damaged")]
struct Damaged {
    dataset: &'static str,
    label: String,
    source: Option<CorruptRow>,
}

impl Profiles {
    /// Adds the edition of a dataset that answers.
    pub(super) fn add(&mut self, edition: Arc<Edition>) {
        if let DatasetRole::List(_) = edition.dataset().role {
            self.lists.push(List::of(edition));
        } else {
            self.others.push(edition);
        }
    }

    /// The parts of the profile of the taxpayer with this summary.
    pub(super) fn of(&self, summary: TaxpayerSummary, parts: Parts) -> Result<TaxpayerProfile, SourceError> {
        let ruc = summary.ruc;
        let part = |part, role| {
            let is_wanted = |edition: &&Arc<Edition>| parts.has(part) && edition.dataset().role == role;
            self.others.iter().find(is_wanted).map(Arc::as_ref)
        };
        let count = |edition: &Edition| edition.count(ruc).map_err(|error| unreadable(edition, Some(error)));
        Ok(TaxpayerProfile {
            lists: if parts.has(Parts::LISTS) { self.lists_of(ruc)? } else { None },
            annex_count: part(Parts::ANNEX_COUNT, DatasetRole::Annexes).map(count).transpose()?,
            annexes: part(Parts::ANNEXES, DatasetRole::Annexes)
                .map(|edition| all(edition, ruc, |row| Some(annex(row))))
                .transpose()?,
            open_data: part(Parts::OPEN_DATA, DatasetRole::OpenData)
                .map(|edition| first(edition, ruc, |row| open_data(row).map(Box::new)))
                .transpose()?,
            operating_incapacity: part(Parts::OPERATING_INCAPACITY, DatasetRole::Capacity)
                .map(|edition| first(edition, ruc, |row| Some(incapacity(row))))
                .transpose()?,
            sanctions: part(Parts::SANCTIONS, DatasetRole::Sanctions)
                .map(|edition| all(edition, ruc, sanction))
                .transpose()?,
            summary,
        })
    }

    /// The lists with the taxpayer; `None` = no list answers.
    fn lists_of(&self, ruc: Ruc) -> Result<Option<Vec<ListMembership>>, SourceError> {
        if self.lists.is_empty() {
            return Ok(None);
        }
        let membership = |list: &List| Ok(list.membership(&rows(list.edition(), ruc)?));
        self.lists.iter().filter_map(|list| membership(list).transpose()).collect::<Result<_, _>>().map(Some)
    }
}

/// The rows of `ruc`; none if it has none.
fn rows(edition: &Edition, ruc: Ruc) -> Result<EditionRows<'_>, SourceError> {
    edition.rows(ruc).map_err(|error| unreadable(edition, Some(error)))
}

/// What `read` makes of every row of `ruc`. `None` = the row lacks what each imported row has.
fn all<T>(edition: &Edition, ruc: Ruc, read: impl Fn(EditionRow<'_, '_>) -> Option<T>) -> Result<Vec<T>, SourceError> {
    rows(edition, ruc)?.iter().map(|row| read(row).ok_or_else(|| unreadable(edition, None))).collect()
}

/// As [`all`], of the first row.
fn first<T>(
    edition: &Edition,
    ruc: Ruc,
    read: impl Fn(EditionRow<'_, '_>) -> Option<T>,
) -> Result<Option<T>, SourceError> {
    let rows = rows(edition, ruc)?;
    rows.first().map(|row| read(row).ok_or_else(|| unreadable(edition, None))).transpose()
}

pub(super) fn unreadable(edition: &Edition, source: Option<CorruptRow>) -> SourceError {
    let damaged = Damaged { dataset: edition.dataset().name, label: edition.label().to_owned(), source };
    SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(damaged)
}
