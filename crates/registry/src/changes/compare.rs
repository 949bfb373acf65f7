//! Compares two editions, taxpayer by taxpayer.

use super::change::{Change, ChangeKind};
use super::difference::difference;
use super::walk::{Pair, WalkError, walk};
use crate::Edition;
use crate::dataset::RowsPerRuc;
use crate::edition::TextsError;
use crate::format::CorruptRow;
use crate::row_id::ruc_at;

/// Why a comparison ended early.
#[derive(Debug)]
pub(super) enum CompareError<E> {
    /// A stored row of one of the editions cannot be read.
    Corrupt(CorruptRow),
    /// A taxpayer has more rows than a list has room for.
    TooLong,
    /// A change could not be written.
    Write(E),
}

/// The names of the fields that both editions store. A field that only one of them stores has not changed.
pub(super) fn common_fields(old: &Edition, new: &Edition) -> Vec<&'static str> {
    new.field_names().into_iter().filter(|field| old.stores(field) && new.stores(field)).collect()
}

/// Calls `each` with every change of the [common fields](common_fields) from `old` to `new`, by rising row id.
pub(super) fn compare<E>(
    old: &Edition,
    new: &Edition,
    mut each: impl FnMut(&Change) -> Result<(), E>,
) -> Result<(), CompareError<E>> {
    let common = common_fields(old, new);
    let fields = new.field_names().into_iter().enumerate();
    let places: Vec<usize> = fields.filter(|(_, field)| common.contains(field)).map(|(place, _)| place).collect();
    let rows = |edition: &Edition, row_id, record: Option<&[u8]>| {
        let Some((ruc, record)) = ruc_at(row_id).zip(record) else { return Ok(Vec::new()) };
        edition.texts(ruc, record, &places).map_err(|error| match error {
            TextsError::Corrupt => CompareError::Corrupt(CorruptRow::near(row_id)),
            TextsError::TooLong => CompareError::TooLong,
        })
    };
    let same_form = new.stores_as(old);
    let walked = walk(old, new, same_form, |Pair { row_id, old: before, new: after }| {
        let kind = match before {
            None if new.dataset().rows == RowsPerRuc::Many => Some(ChangeKind::New { rows: rows(new, row_id, after)? }),
            None => Some(ChangeKind::New { rows: Vec::new() }),
            Some(_) => difference(new.dataset().rows, rows(old, row_id, before)?, rows(new, row_id, after)?),
        };
        match (ruc_at(row_id), kind) {
            (Some(ruc), Some(kind)) => each(&Change { ruc, kind }).map_err(CompareError::Write),
            _ => Ok(()),
        }
    });
    walked.map_err(|error| match error {
        WalkError::Corrupt(corrupt) => CompareError::Corrupt(corrupt),
        WalkError::Each(error) => error,
    })
}
