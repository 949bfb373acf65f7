//! A change as bytes.
//!
//! A change begins with a varint: the row id minus the row id of the previous change in the block, times four, plus the kind. A text is its
//! length and its bytes; an absent value has length 0. Rows are their number and their texts.

use super::change::{Change, ChangeKind, FieldChange};
use crate::edition::{Cell, Row};
use crate::format::varint::{push, take};
use crate::row_id::{row_id_of, ruc_at};

/// The kinds.
const NEW: u32 = 0;
const GONE: u32 = 1;
const CHANGED: u32 = 2;
const ROWS: u32 = 3;

/// Appends `change`, which comes after the change of row id `last`.
pub(super) fn encode(change: &Change, last: &mut u32, out: &mut Vec<u8>) {
    let row_id = row_id_of(change.ruc);
    let delta = row_id.saturating_sub(*last) << 2;
    *last = row_id;
    match &change.kind {
        ChangeKind::New { rows } => {
            push(out, delta | NEW);
            push(out, rows.len() as u32);
            rows.iter().flatten().for_each(|cell| push_cell(cell, out));
        }
        ChangeKind::Gone { rows } => {
            push(out, delta | GONE);
            push(out, rows.len() as u32);
            rows.iter().flatten().for_each(|cell| push_cell(cell, out));
        }
        ChangeKind::Changed { fields } => {
            push(out, delta | CHANGED);
            push(out, fields.len() as u32);
            for FieldChange { field, before, after } in fields {
                push(out, *field as u32);
                push_cell(before, out);
                push_cell(after, out);
            }
        }
        ChangeKind::Rows { removed, added } => {
            push(out, delta | ROWS);
            for rows in [removed, added] {
                push(out, rows.len() as u32);
                rows.iter().flatten().for_each(|cell| push_cell(cell, out));
            }
        }
    }
}

/// Reads a change of rows with so many fields; `None` if the bytes are not one.
pub(super) fn decode(bytes: &mut &[u8], last: &mut u32, fields: usize) -> Option<Change> {
    let first = take(bytes)?;
    let row_id = last.checked_add(first >> 2)?;
    *last = row_id;
    let kind = match first & 3 {
        NEW => ChangeKind::New { rows: many(bytes, |bytes| take_row(bytes, fields))? },
        GONE => ChangeKind::Gone { rows: many(bytes, |bytes| take_row(bytes, fields))? },
        CHANGED => ChangeKind::Changed { fields: many(bytes, |bytes| take_field(bytes, fields))? },
        _ => {
            let mut rows = || many(bytes, |bytes| take_row(bytes, fields));
            ChangeKind::Rows { removed: rows()?, added: rows()? }
        }
    };
    Some(Change { ruc: ruc_at(row_id)?, kind })
}

/// A number, and that many of something. Each takes at least one byte, so hostile bytes cannot ask for much memory.
fn many<T>(bytes: &mut &[u8], mut one: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = take(bytes)? as usize;
    let mut all = Vec::with_capacity(count.min(16));
    for _ in 0..count {
        all.push(one(bytes)?);
    }
    Some(all)
}

fn take_field(bytes: &mut &[u8], fields: usize) -> Option<FieldChange> {
    let field = Some(take(bytes)? as usize).filter(|&field| field < fields)?;
    Some(FieldChange { field, before: take_cell(bytes)?, after: take_cell(bytes)? })
}

fn take_row(bytes: &mut &[u8], fields: usize) -> Option<Row> {
    (0..fields).map(|_| take_cell(bytes)).collect()
}

fn push_cell(cell: &Cell, out: &mut Vec<u8>) {
    let text = cell.as_deref().unwrap_or_default();
    push(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

fn take_cell(bytes: &mut &[u8]) -> Option<Cell> {
    let length = take(bytes)? as usize;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    let text = std::str::from_utf8(text).ok()?;
    Some((!text.is_empty()).then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row() -> impl Strategy<Value = Row> {
        prop::collection::vec(prop::option::of("[A-ZÑ 0-9]{1,20}"), 3)
    }

    fn kind() -> impl Strategy<Value = ChangeKind> {
        let cells = ("[A-Z]{1,9}".prop_map(Some), prop::option::of("[A-Z]{1,9}"));
        let field = (0..3_usize, cells).prop_map(|(field, (before, after))| FieldChange { field, before, after });
        prop_oneof![
            prop::collection::vec(row(), 0..4).prop_map(|rows| ChangeKind::New { rows }),
            prop::collection::vec(row(), 0..4).prop_map(|rows| ChangeKind::Gone { rows }),
            prop::collection::vec(field, 0..4).prop_map(|fields| ChangeKind::Changed { fields }),
            (prop::collection::vec(row(), 0..5), prop::collection::vec(row(), 0..3))
                .prop_map(|(removed, added)| ChangeKind::Rows { removed, added }),
        ]
    }

    fn read(mut bytes: &[u8]) -> Option<Vec<Change>> {
        let (mut last, mut found) = (0, Vec::new());
        while !bytes.is_empty() {
            found.push(decode(&mut bytes, &mut last, 3)?);
        }
        Some(found)
    }

    proptest! {
        #[test]
        fn every_change_reads_back(kinds in prop::collection::vec((0..500_000_000_u32, kind()), 0..12)) {
            let mut changes: Vec<Change> = kinds
                .into_iter()
                .map(|(row_id, kind)| Change { ruc: ruc_at(row_id).unwrap(), kind })
                .collect();
            changes.sort_by_key(|change| row_id_of(change.ruc));
            let (mut bytes, mut last) = (Vec::new(), 0);
            changes.iter().for_each(|change| encode(change, &mut last, &mut bytes));
            for cut in 0..bytes.len() {
                let found = read(&bytes[..cut]);
                prop_assert_ne!(found.as_ref(), Some(&changes));
            }
            prop_assert_eq!(read(&bytes), Some(changes));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(prop_oneof![0..8_u8, any::<u8>()], 0..60)) {
            let _ = read(&bytes);
        }
    }

    #[test]
    fn a_change_of_a_ruc_that_does_not_exist_is_refused() {
        let mut bytes = Vec::new();
        push(&mut bytes, 500_000_000 << 2 | NEW);
        assert_eq!(read(&bytes), None);
    }
}
