//! Compares two editions, taxpayer by taxpayer.

use super::change::Change;
use super::compared::Compared;
use super::difference::difference;
use super::walk::{Pair, WalkError, walk};
use crate::CorruptRow;
use crate::row_id::ruc_at;

/// Why a comparison ended early.
#[derive(Debug)]
pub(super) enum CompareError<E> {
    /// A stored row of one of the editions cannot be read.
    Corrupt(CorruptRow),
    /// A change could not be written.
    Write(E),
}

/// Calls `each` with every change from `old` to `new`, by rising row id.
pub(super) fn compare<C: Compared, E>(
    old: &C,
    new: &C,
    mut each: impl FnMut(&Change) -> Result<(), E>,
) -> Result<(), CompareError<E>> {
    let rows = |edition: &C, row_id, record: Option<&[u8]>| match record {
        None => Ok(Vec::new()),
        Some(record) => edition.rows_of(row_id, record).ok_or(CompareError::Corrupt(CorruptRow::near(row_id))),
    };
    let same_form = new.stores_as(old);
    let walked = walk(old.contents(), new.contents(), same_form, |Pair { row_id, old: before, new: after }| {
        let (before, after) = (rows(old, row_id, before)?, rows(new, row_id, after)?);
        match (ruc_at(row_id), difference(new.dataset().rows, before, after)) {
            (Some(ruc), Some(kind)) => each(&Change { ruc, kind }).map_err(CompareError::Write),
            _ => Ok(()),
        }
    });
    walked.map_err(|error| match error {
        WalkError::Corrupt(corrupt) => CompareError::Corrupt(corrupt),
        WalkError::Each(error) => error,
    })
}
