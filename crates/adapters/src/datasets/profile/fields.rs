//! Fields of a row by the names of the description.

use kuraka_domain::{Date, Ubigeo};
use kuraka_registry::EditionRow;
use kuraka_registry::dataset::{Content, Dataset, Value};

/// The position of a field; an unknown name fails to compile.
pub(super) const fn position(dataset: &Dataset, wanted: &str) -> usize {
    let (mut columns, mut position) = (dataset.columns, 0);
    loop {
        assert!(!columns.is_empty(), "the dataset has no such field");
        if let [column, rest @ ..] = columns {
            if let Content::Field { name, .. } = column.content {
                if is_same(name.as_bytes(), wanted.as_bytes()) {
                    return position;
                }
                position += 1;
            }
            columns = rest;
        }
    }
}

const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

/// `None` = the file has no value.
pub(super) fn text<'e>(row: EditionRow<'_, 'e>, field: usize) -> Option<&'e str> {
    if let Value::Text(text) = row.get(field) { Some(text) } else { None }
}

/// A text as published; empty if the file has none.
pub(super) fn owned(row: EditionRow<'_, '_>, field: usize) -> String {
    text(row, field).unwrap_or_default().to_owned()
}

pub(super) fn date(row: EditionRow<'_, '_>, field: usize) -> Option<Date> {
    if let Value::Date(date) = row.get(field) { Some(date) } else { None }
}

pub(super) fn integer(row: EditionRow<'_, '_>, field: usize) -> Option<u32> {
    if let Value::Integer(number) = row.get(field) { Some(number) } else { None }
}

pub(super) fn ubigeo(row: EditionRow<'_, '_>, field: usize) -> Option<Ubigeo> {
    if let Value::Ubigeo(ubigeo) = row.get(field) { Some(ubigeo) } else { None }
}
