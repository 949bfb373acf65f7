//! Iterates over the rows whose bytes differ between two editions.

use super::stop::ComparisonStop;
use crate::Edition;
use crate::format::CorruptRowError;
use crate::format::bucket::Bucket;
use crate::format::groups::GROUPS;
use crate::row_id::ruc_at;

/// About 10 MB of the padrón.
const FORGET: u32 = 256;

/// A row's records in both editions.
pub(super) struct Pair<'a> {
    pub(super) row_id: u32,
    pub(super) old: Option<&'a [u8]>,
    pub(super) new: Option<&'a [u8]>,
}

/// Calls `each` for every row that may differ, by rising row id. With `same_form`, equal bytes mean equal values, and
/// such rows are left out.
pub(super) fn walk(
    old: &Edition,
    new: &Edition,
    same_form: bool,
    mut each: impl FnMut(Pair<'_>) -> Result<(), ComparisonStop>,
) -> Result<(), ComparisonStop> {
    let check = || match old.is_unreadable() || new.is_unreadable() {
        true => Err(CorruptRowError::near(0)),
        false => Ok(()),
    };
    let mut next = 0;
    for group in 0..GROUPS {
        let (before, after) = (old.groups(), new.groups());
        if same_form && before.buckets_in(group) == after.buckets_in(group) {
            for index in 0..after.buckets_in(group) {
                // Equal bytes are not checked, because one of the editions was verified.
                let bytes = after.bytes_in(new.bytes(), group, index);
                if bytes.is_none() || bytes != before.bytes_in(old.bytes(), group, index) {
                    let before = before.bucket_in(old.bytes(), group, index)?;
                    let after = after.bucket_in(new.bytes(), group, index)?;
                    merge(&[before], &[after], same_form, &mut next, &mut each)?;
                }
            }
        } else {
            let before = before.group_buckets(old.bytes(), group)?;
            merge(&before, &after.group_buckets(new.bytes(), group)?, same_form, &mut next, &mut each)?;
        }
        if group % FORGET == FORGET - 1 {
            old.forget_pages();
            new.forget_pages();
            check()?;
        }
    }
    Ok(check()?)
}

/// Pairs rows by row id. Row ids rise from `next`: others are damage.
fn merge(
    old: &[Bucket],
    new: &[Bucket],
    same_form: bool,
    next: &mut u32,
    each: &mut impl FnMut(Pair<'_>) -> Result<(), ComparisonStop>,
) -> Result<(), ComparisonStop> {
    let (mut old, mut new) = (rows(old).peekable(), rows(new).peekable());
    loop {
        let row_id = match (old.peek(), new.peek()) {
            (None, None) => return Ok(()),
            (Some(&(before, _)), Some(&(after, _))) => before.min(after),
            (Some(&(row_id, _)), None) | (None, Some(&(row_id, _))) => row_id,
        };
        if row_id < *next {
            return Err(CorruptRowError::near(row_id).into());
        }
        *next = row_id.saturating_add(1);
        let record = |row: Option<(u32, Option<_>)>| row.map(|(_, record)| record.ok_or(CorruptRowError::near(row_id)));
        let before = record(old.next_if(|row| row.0 == row_id)).transpose()?;
        let after = record(new.next_if(|row| row.0 == row_id)).transpose()?;
        if !same_form || before != after {
            ruc_at(row_id).ok_or(CorruptRowError::near(row_id))?;
            each(Pair { row_id, old: before, new: after })?;
        }
    }
}

/// Ascending; a record is `None` if its bucket is damaged.
fn rows(buckets: &[Bucket]) -> impl Iterator<Item = (u32, Option<&[u8]>)> {
    buckets.iter().flat_map(|bucket| {
        (0..bucket.rows()).map(|place| (bucket.row_id(place).unwrap_or_default(), bucket.record(place)))
    })
}
