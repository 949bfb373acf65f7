//! The difference of a taxpayer's rows in two editions.

use std::collections::HashMap;

use super::change::{ChangeKind, FieldChange};
use crate::dataset::RowsPerRuc;
use crate::edition::Row;

/// How a taxpayer of the previous edition changed; `None` = not at all. Without rows after, it is gone.
pub(super) fn difference(rows: RowsPerRuc, before: Vec<Row>, after: Vec<Row>) -> Option<ChangeKind> {
    if before == after {
        return None;
    }
    Some(match (rows, before.as_slice(), after.as_slice()) {
        (_, _, []) => ChangeKind::Gone { rows: before },
        (RowsPerRuc::Unique | RowsPerRuc::One, [old], [new]) if old.len() == new.len() => {
            ChangeKind::Changed { fields: fields(old, new) }
        }
        _ => return other_rows(&before, &after),
    })
}

fn fields(before: &Row, after: &Row) -> Vec<FieldChange> {
    let pairs = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    pairs.map(|(field, (before, after))| FieldChange { field, before: before.clone(), after: after.clone() }).collect()
}

/// Pairs equal rows; the others are removed or added. `None` = only the order differs.
fn other_rows(before: &[Row], after: &[Row]) -> Option<ChangeKind> {
    let only = |rows: &[Row], others: &[Row]| -> Vec<Row> {
        let mut counts: HashMap<&Row, usize> = HashMap::new();
        others.iter().for_each(|row| *counts.entry(row).or_default() += 1);
        let is_only = |row: &&Row| match counts.get_mut(*row) {
            Some(left @ 1..) => {
                *left -= 1;
                false
            }
            Some(0) | None => true,
        };
        rows.iter().filter(is_only).cloned().collect()
    };
    let (removed, added) = (only(before, after), only(after, before));
    (!removed.is_empty() || !added.is_empty()).then_some(ChangeKind::Rows { removed, added })
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
        assert_eq!(found, Some(ChangeKind::Rows { removed: rows(&["c", "b"]), added: rows(&["x"]) }));
        assert_eq!(difference(RowsPerRuc::Many, rows(&["a", "b"]), rows(&["b", "a"])), None);
    }
}
