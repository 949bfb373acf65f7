//! Compares two editions, taxpayer by taxpayer.

use super::change::{Change, ChangeKind};
use super::difference::difference;
use super::facts::{Counts, EditionName};
use super::list::ChangeList;
use super::stop::ComparisonStop;
use super::walk::{Pair, walk};
use crate::Edition;
use crate::checksum::hex;
use crate::dataset::RowsPerRuc;
use crate::edition::TextsError;
use crate::format::CorruptRowError;
use crate::row_id::ruc_at;

/// A field that only one edition stores has not changed.
pub(super) fn common_fields(old: &Edition, new: &Edition) -> Vec<&'static str> {
    new.field_names().into_iter().filter(|field| old.stores(field) && new.stores(field)).collect()
}

/// Calls `each` with every change of the [common fields](common_fields), by rising row id.
pub(super) fn compare(
    old: &Edition,
    new: &Edition,
    mut each: impl FnMut(&Change) -> Result<(), ComparisonStop>,
) -> Result<(), ComparisonStop> {
    let common = common_fields(old, new);
    let fields = new.field_names().into_iter().enumerate();
    let places: Vec<usize> = fields.filter(|(_, field)| common.contains(field)).map(|(place, _)| place).collect();
    let rows = |edition: &Edition, row_id, record: Option<&[u8]>| {
        let Some((ruc, record)) = ruc_at(row_id).zip(record) else { return Ok(Vec::new()) };
        edition.texts(ruc, record, &places).map_err(|error| match error {
            TextsError::Corrupt => CorruptRowError::near(row_id).into(),
            TextsError::TooLong => ComparisonStop::too_long(),
        })
    };
    let same_form = new.stores_as(old);
    walk(old, new, same_form, |Pair { row_id, old: before, new: after }| {
        let kind = match before {
            None if new.dataset().rows == RowsPerRuc::Many => Some(ChangeKind::New { rows: rows(new, row_id, after)? }),
            None => Some(ChangeKind::New { rows: Vec::new() }),
            Some(_) => difference(new.dataset().rows, rows(old, row_id, before)?, rows(new, row_id, after)?),
        };
        match (ruc_at(row_id), kind) {
            (Some(ruc), Some(kind)) => each(&Change { ruc, kind }),
            _ => Ok(()),
        }
    })
}

/// Whether a list says what changed from the first edition to the second; `None` = the list belongs to other editions.
/// The list may lack changes of natural persons whose past the server that wrote the list has dropped.
pub(super) fn tells(list: &ChangeList, (old, new): (Option<&Edition>, &Edition)) -> Option<bool> {
    let (facts, old) = (list.facts(), old?);
    let is_of = |name: &EditionName, edition: &Edition| name.identity == hex(edition.identity());
    (is_of(&facts.from, old) && is_of(&facts.to, new)).then_some(())?;
    // A rollback's number differs from its edition's.
    let has_number = facts.is_rollback || facts.to.number == new.sequence();
    let (from, to) = (old.name(facts.from.number), new.name(facts.to.number));
    let is_named = (&from, &to) == (&facts.from, &facts.to) && from.number < to.number && has_number;
    if !is_named || facts.gap.is_some() || facts.fields != common_fields(old, new) {
        return Some(false);
    }
    let (mut told, mut counts) = (list.changes().peekable(), Counts::default());
    let compared = compare(old, new, |change| {
        match told.next_if(|told| told.as_ref().is_ok_and(|told| told.ruc == change.ruc)) {
            Some(Ok(told)) if told == *change => counts.add(&told.kind),
            None if change.ruc.is_personal() => {}
            Some(_) | None => return Err(ComparisonStop::Gap("the list says something else".to_owned())),
        }
        Ok(())
    });
    Some(compared.is_ok() && told.next().is_none() && counts == facts.counts)
}
