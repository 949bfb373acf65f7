//! Compares two editions, taxpayer by taxpayer.

use super::change::{Change, Row};
use super::difference::difference;
use super::padron;
use super::walk::{Pair, WalkError, walk};
use crate::dataset::RowsPerRuc;
use crate::row_id::ruc_at;
use crate::{CorruptRow, OpenEdition};

/// Why a comparison ended early.
#[derive(Debug)]
pub(super) enum CompareError<E> {
    /// A stored row of one of the editions cannot be read.
    Corrupt(CorruptRow),
    /// A change could not be written.
    Write(E),
}

/// Calls `each` with every change from `old` to `new`, by rising row id.
pub(super) fn compare_padron<E>(
    old: &OpenEdition,
    new: &OpenEdition,
    mut each: impl FnMut(&Change) -> Result<(), E>,
) -> Result<(), CompareError<E>> {
    let same_words = new.contents().has_words_of(old.contents());
    let rows = |edition: &OpenEdition, row_id, record: Option<&[u8]>| -> Result<Vec<Row>, CompareError<E>> {
        let Some(record) = record else { return Ok(Vec::new()) };
        let taxpayer = edition.decode_record(row_id, record);
        Ok(vec![padron::row(taxpayer.ok_or(CompareError::Corrupt(CorruptRow::near(row_id)))?)])
    };
    let compared = walk(old.contents(), new.contents(), same_words, |Pair { row_id, old: before, new: after }| {
        let (before, after) = (rows(old, row_id, before)?, rows(new, row_id, after)?);
        match (ruc_at(row_id), difference(RowsPerRuc::One, before, after)) {
            (Some(ruc), Some(kind)) => each(&Change { ruc, kind }).map_err(CompareError::Write),
            _ => Ok(()),
        }
    });
    compared.map_err(|error| match error {
        WalkError::Corrupt(corrupt) => CompareError::Corrupt(corrupt),
        WalkError::Each(error) => error,
    })
}
