//! A taxpayer's changes as bytes, newest first (`FORMAT.md`). They lack the values after a change, which the next newer
//! state has.

use crate::changes::{ChangeKind, FieldChange, decode, encode};
use crate::edition::Row;
use crate::format::varint::{push, take};

/// Appends a change, unless it changes none of the history's fields. `places` has, for each of its fields, the place in
/// the history's rows of `fields` values.
pub(super) fn push_event(number: u32, change: ChangeKind, places: &[Option<usize>], fields: usize, out: &mut Vec<u8>) {
    let row = |row: Row| -> Row {
        let mut cells = vec![None; fields];
        for (place, cell) in places.iter().zip(row) {
            if let Some(own) = place.and_then(|place| cells.get_mut(place)) {
                *own = cell;
            }
        }
        cells
    };
    let rows = |rows: Vec<Row>| if fields == 0 { Vec::new() } else { rows.into_iter().map(row).collect() };
    let change = match change {
        ChangeKind::New { .. } => Some(ChangeKind::New { rows: Vec::new() }),
        ChangeKind::Gone { rows: gone } => Some(ChangeKind::Gone { rows: rows(gone) }),
        ChangeKind::Changed { fields } => {
            let own = |change: FieldChange| {
                let field = places.get(change.field).copied().flatten()?;
                Some(FieldChange { field, before: change.before, after: None })
            };
            let fields: Vec<_> = fields.into_iter().filter_map(own).collect();
            (!fields.is_empty()).then_some(ChangeKind::Changed { fields })
        }
        ChangeKind::Rows { removed, added } => {
            let (mut removed, mut added) = (rows(removed), rows(added));
            removed.retain(|row| added.iter().position(|new| new == row).map(|at| added.swap_remove(at)).is_none());
            (!removed.is_empty() || !added.is_empty()).then_some(ChangeKind::Rows { removed, added })
        }
    };
    if let Some(change) = change {
        push(out, number);
        encode(&change, out);
    }
}

/// The next event; `None` if the bytes are no event.
pub(super) fn take_event(bytes: &mut &[u8], fields: usize) -> Option<(u32, ChangeKind)> {
    Some((take(bytes)?, decode(bytes, fields)?))
}

/// Appends the events that `keep` accepts; `None` if the bytes are no events.
pub(super) fn copy(mut row: &[u8], fields: usize, keep: impl Fn(u32) -> bool, out: &mut Vec<u8>) -> Option<()> {
    while !row.is_empty() {
        let start = row;
        let (number, _) = take_event(&mut row, fields)?;
        if keep(number) {
            out.extend_from_slice(start.get(..start.len() - row.len())?);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    /// The events after the change of publication 7.
    fn events(change: ChangeKind, places: &[Option<usize>], fields: usize) -> Vec<(u32, ChangeKind)> {
        let (mut bytes, mut found) = (Vec::new(), Vec::new());
        push_event(7, change, places, fields, &mut bytes);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            found.push(take_event(&mut rest, fields).unwrap());
        }
        found
    }

    #[test]
    fn each_kind_of_change_reads_back_as_what_was_before() {
        let row = vec![text("AV. LIMA"), None, text("ACTIVO"), text("OTRO")];
        // The list has a field that the history does not have, and another order.
        let places = [Some(0), Some(2), Some(1), None];
        let own = vec![text("AV. LIMA"), text("ACTIVO"), None];
        let rows = vec![row.clone()];
        let new = ChangeKind::New { rows: rows.clone() };
        assert_eq!(events(new, &places, 3), [(7, ChangeKind::New { rows: Vec::new() })]);
        let gone = ChangeKind::Gone { rows: rows.clone() };
        assert_eq!(events(gone.clone(), &places, 3), [(7, ChangeKind::Gone { rows: vec![own.clone()] })]);
        assert_eq!(events(gone, &[None; 4], 0), [(7, ChangeKind::Gone { rows: Vec::new() })]);
        let changed = |field, after| FieldChange { field, before: text("ANTES"), after };
        let change = ChangeKind::Changed { fields: vec![changed(2, text("A")), changed(3, text("B"))] };
        assert_eq!(events(change, &places, 3), [(7, ChangeKind::Changed { fields: vec![changed(1, None)] })]);
        let other = vec![None, text("B"), None, None];
        let change = ChangeKind::Rows { removed: rows, added: vec![other] };
        let added = vec![vec![None, None, text("B")]];
        assert_eq!(events(change, &places, 3), [(7, ChangeKind::Rows { removed: vec![own], added })]);
    }

    #[test]
    fn rows_that_differ_in_other_fields_are_no_change() {
        let row = |day: &str, other: &str| vec![text(day), text(other)];
        let rows = |removed, added| events(ChangeKind::Rows { removed, added }, &[Some(0), None], 1);
        assert_eq!(rows(vec![row("1", "a"), row("1", "b")], vec![row("1", "c"), row("1", "d")]), []);
        let one = ChangeKind::Rows { removed: vec![vec![text("1")]], added: Vec::new() };
        assert_eq!(rows(vec![row("1", "a"), row("1", "b")], vec![row("1", "c")]), [(7, one)]);
        let other = FieldChange { field: 1, before: None, after: text("X") };
        assert_eq!(events(ChangeKind::Changed { fields: vec![other] }, &[Some(0), None], 1), []);
    }

    #[test]
    fn events_of_other_numbers_are_left_out() {
        let mut bytes = Vec::new();
        for number in [900, 5, 3] {
            push_event(number, ChangeKind::New { rows: Vec::new() }, &[], 3, &mut bytes);
        }
        let mut kept = Vec::new();
        copy(&bytes, 3, |number| number < 6, &mut kept).unwrap();
        assert_eq!(kept, bytes[3..]);
        assert_eq!(copy(&[3, 1 << 2, 9], 3, |_| true, &mut kept), None);
    }
}
