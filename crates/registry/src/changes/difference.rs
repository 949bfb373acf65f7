//! The difference between the rows of one taxpayer in two editions.

use std::collections::{HashMap, VecDeque};

use super::change::{ChangeKind, Earlier, FieldChange};
use crate::dataset::RowsPerRuc;
use crate::edition::Row;

/// What became of the rows of a taxpayer that the previous edition has; `None` = they are the same. Without rows after, it
/// is gone.
pub(super) fn difference(rows: RowsPerRuc, before: Vec<Row>, after: Vec<Row>) -> Option<ChangeKind> {
    if before == after {
        return None;
    }
    Some(match (rows, before.as_slice(), after.as_slice()) {
        (_, _, []) => ChangeKind::Gone { rows: before },
        (RowsPerRuc::Unique | RowsPerRuc::One, [old], [new]) if old.len() == new.len() => {
            ChangeKind::Changed { fields: fields(old, new) }
        }
        _ => other_rows(before, after),
    })
}

fn fields(before: &Row, after: &Row) -> Vec<FieldChange> {
    let pairs = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    pairs.map(|(field, (before, after))| FieldChange { field, before: before.clone(), after: after.clone() }).collect()
}

/// Pairs equal rows, the first with the first; the others are removed or added.
fn other_rows(before: Vec<Row>, after: Vec<Row>) -> ChangeKind {
    let mut places: HashMap<&Row, VecDeque<u32>> = HashMap::new();
    for (place, row) in (0..).zip(&after) {
        places.entry(row).or_default().push_back(place);
    }
    let take = |row: Row| match places.get_mut(&row).and_then(VecDeque::pop_front) {
        Some(place) => Earlier::Kept(place),
        None => Earlier::Removed(row),
    };
    let before = before.into_iter().map(take).collect();
    let mut added: Vec<u32> = places.into_values().flatten().collect();
    added.sort_unstable();
    let row = |place: u32| Some((place, after.get(place as usize)?.clone()));
    ChangeKind::Rows { before, added: added.into_iter().filter_map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(texts: &[&str]) -> Vec<Row> {
        texts.iter().map(|text| vec![Some((*text).to_owned())]).collect()
    }

    #[test]
    fn removed_and_added_rows_are_told_from_kept_ones() {
        let found = difference(RowsPerRuc::Many, rows(&["a", "b", "c", "b"]), rows(&["b", "x", "a"]));
        let [x, c, b] = ["x", "c", "b"].map(|text| rows(&[text]).remove(0));
        let before = vec![Earlier::Kept(2), Earlier::Kept(0), Earlier::Removed(c), Earlier::Removed(b)];
        assert_eq!(found, Some(ChangeKind::Rows { before, added: vec![(1, x)] }));
    }

    #[test]
    fn one_row_is_compared_field_by_field_only_where_a_taxpayer_has_one() {
        let (old, new) = (rows(&["a"]), rows(&["b"]));
        let found = difference(RowsPerRuc::One, old.clone(), new.clone());
        let [before, after] = ["a", "b"].map(|text| Some(text.to_owned()));
        assert_eq!(found, Some(ChangeKind::Changed { fields: vec![FieldChange { field: 0, before, after }] }));
        assert!(matches!(difference(RowsPerRuc::Many, old, new), Some(ChangeKind::Rows { .. })));
    }
}
