//! The fields of a dataset's edition, matched by name with those of this version's description.

use super::error::EditionError;
use super::file::unreadable;
use crate::FieldMeta;
use crate::dataset::{Content, Dataset, FieldKind};
use crate::format::fields::{MOST_FIELDS, StoredField, StoredKind};
use crate::format::header;

/// The stored fields. A field that the description has no more is skipped; one that the edition lacks is absent.
pub(super) fn schema(dataset: &'static Dataset, fields: &[FieldMeta]) -> Result<Vec<StoredField>, EditionError> {
    if fields.len() > MOST_FIELDS {
        return Err(unreadable(header::META));
    }
    fields.iter().map(|field| stored(dataset, field)).collect()
}

/// The fields of a new edition, as its metadata name them.
pub(crate) fn field_metas(dataset: &Dataset) -> Vec<FieldMeta> {
    let field = |(name, kind): (&str, FieldKind)| FieldMeta {
        name: name.to_owned(),
        kind: StoredKind::of(kind).name().to_owned(),
        codes: codes(kind),
    };
    kinds(dataset).map(field).collect()
}

/// Names and kinds of the fields, in the order in which a reader hands them on.
fn kinds(dataset: &Dataset) -> impl Iterator<Item = (&'static str, FieldKind)> {
    dataset.fields().filter_map(|(name, column)| match column.content {
        Content::Field { kind, .. } => Some((name, kind)),
        Content::Ruc | Content::Dropped => None,
    })
}

fn codes(kind: FieldKind) -> Vec<u8> {
    match kind {
        FieldKind::Listed(table) => table.entries.iter().map(|entry| entry.code).collect(),
        FieldKind::Text | FieldKind::Date(_) | FieldKind::Month | FieldKind::Integer | FieldKind::Ubigeo => Vec::new(),
    }
}

fn stored(dataset: &Dataset, field: &FieldMeta) -> Result<StoredField, EditionError> {
    let described = kinds(dataset).enumerate().find(|(_, (name, _))| *name == field.name);
    let readable = described.map_or("", |(_, (_, kind))| StoredKind::of(kind).name());
    let other = || EditionError::Field { field: field.name.clone(), found: field.kind.clone(), readable };
    let kind = StoredKind::named(&field.kind).ok_or_else(other)?;
    let Some((place, (_, described))) = described else { return Ok(StoredField { kind, place: None }) };
    let known = codes(described);
    if kind != StoredKind::of(described) || !field.codes.iter().all(|code| known.contains(code)) {
        return Err(other());
    }
    Ok(StoredField { kind, place: Some((place, described)) })
}
