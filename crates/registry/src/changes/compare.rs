//! Compares two editions, taxpayer by taxpayer.

use super::change::{Change, ChangeKind};
use super::difference::difference;
use super::stop::ComparisonStop;
use super::walk::{Pair, walk};
use crate::Edition;
use crate::dataset::RowsPerRuc;
use crate::edition::TextsError;
use crate::format::CorruptRowError;
use crate::row_id::ruc_at;

/// The names of the fields that both editions store. A field that only one of them stores has not changed.
pub(super) fn common_fields(old: &Edition, new: &Edition) -> Vec<&'static str> {
    new.field_names().into_iter().filter(|field| old.stores(field) && new.stores(field)).collect()
}

/// Calls `each` with every change of the [common fields](common_fields) from `old` to `new`, by rising row id.
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
