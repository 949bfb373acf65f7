//! A change as bytes (`FORMAT.md`).

use super::change::{ChangeKind, FieldChange};
use crate::edition::{Cell, Row};
use crate::format::varint::{push, take};

const NEW: u32 = 0;
const GONE: u32 = 1;
const CHANGED: u32 = 2;
const ROWS: u32 = 3;

pub(crate) fn encode(change: &ChangeKind, out: &mut Vec<u8>) {
    let head = |out: &mut Vec<u8>, count: usize, kind| push(out, (count as u32) << 2 | kind);
    match change {
        ChangeKind::New { rows } => {
            head(out, rows.len(), NEW);
            push_rows(rows, out);
        }
        ChangeKind::Gone { rows } => {
            head(out, rows.len(), GONE);
            push_rows(rows, out);
        }
        ChangeKind::Changed { fields } => {
            head(out, fields.len(), CHANGED);
            for FieldChange { field, before, after } in fields {
                push(out, *field as u32);
                push_cell(before, out);
                push_cell(after, out);
            }
        }
        ChangeKind::Rows { removed, added } => {
            head(out, removed.len(), ROWS);
            push_rows(removed, out);
            push(out, added.len() as u32);
            push_rows(added, out);
        }
    }
}

/// A change of rows with `fields` fields; `None` if the bytes are no change.
pub(crate) fn decode(bytes: &mut &[u8], fields: usize) -> Option<ChangeKind> {
    let head = take(bytes)?;
    let count = head >> 2;
    Some(match head & 3 {
        NEW => ChangeKind::New { rows: take_rows(bytes, count, fields)? },
        GONE => ChangeKind::Gone { rows: take_rows(bytes, count, fields)? },
        CHANGED => ChangeKind::Changed { fields: many(count, || take_field(bytes, fields))? },
        _ => {
            let removed = take_rows(bytes, count, fields)?;
            let count = take(bytes)?;
            ChangeKind::Rows { removed, added: take_rows(bytes, count, fields)? }
        }
    })
}

/// Each item takes at least one byte, so hostile bytes cannot ask for much memory.
fn many<T>(count: u32, one: impl FnMut() -> Option<T>) -> Option<Vec<T>> {
    // A vector that is collected from options does not begin with room for all.
    std::iter::repeat_with(one).take(count as usize).collect()
}

fn take_rows(bytes: &mut &[u8], count: u32, fields: usize) -> Option<Vec<Row>> {
    (fields > 0 || count == 0).then_some(())?;
    many(count, || (0..fields).map(|_| take_cell(bytes)).collect())
}

fn take_field(bytes: &mut &[u8], fields: usize) -> Option<FieldChange> {
    let field = Some(take(bytes)? as usize).filter(|&field| field < fields)?;
    Some(FieldChange { field, before: take_cell(bytes)?, after: take_cell(bytes)? })
}

fn push_rows(rows: &[Row], out: &mut Vec<u8>) {
    rows.iter().flatten().for_each(|cell| push_cell(cell, out));
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

    fn read(mut bytes: &[u8]) -> Option<Vec<ChangeKind>> {
        let mut found = Vec::new();
        while !bytes.is_empty() {
            found.push(decode(&mut bytes, 3)?);
        }
        Some(found)
    }

    proptest! {
        #[test]
        fn every_change_reads_back(changes in prop::collection::vec(kind(), 0..12)) {
            let mut bytes = Vec::new();
            changes.iter().for_each(|change| encode(change, &mut bytes));
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
    fn numbers_without_what_they_count_are_refused() {
        // 67 million rows, which have no fields or are not there; a text of 4 GiB.
        let many = [0xfd, 0xff, 0xff, 0x7f];
        assert_eq!(decode(&mut &many[..], 0), None);
        assert_eq!(decode(&mut &many[..], 3), None);
        assert_eq!(decode(&mut &[1 << 2 | 1, 0xff, 0xff, 0xff, 0xff, 0x0f][..], 3), None);
        assert_eq!(decode(&mut &[1][..], 0), Some(ChangeKind::Gone { rows: Vec::new() }));
    }
}
