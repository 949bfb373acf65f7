//! How records are read: as summaries, or as the fields that the metadata name, matched with this version's
//! description.

use std::fmt::Display;

use kuraka_domain::{Ruc, TaxpayerSummary};

use super::file::unreadable;
use super::rows::EditionRows;
use crate::dataset::{Dataset, FieldKind, RecordForm, Value};
use crate::format::fields::{self, MAX_FIELDS, StoredField, StoredKind};
use crate::format::words::Words;
use crate::format::{EditionError, header, record};
use crate::{FieldMeta, Meta};

/// A value as text, not empty; `None` = there is none. A date is `YYYY-MM-DD`, a type of taxpayer SUNAT's text.
pub type Cell = Option<String>;

pub type Row = Vec<Cell>;

/// Named as in answers.
const SUMMARY: [&str; 5] = ["nombre_o_razon_social", "estado", "condicion", "direccion", "ubigeo"];

pub(super) enum Records {
    Summaries,
    Fields(Schema),
}

pub(super) struct Schema {
    pub(super) fields: Vec<StoredField>,
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextsError {
    Corrupt,
    /// The texts exceed [`MAX_TEXTS_BYTES`].
    TooLong,
}

impl Records {
    /// Skips stored fields that are no longer described; one that the edition lacks is absent.
    pub(super) fn new(dataset: &'static Dataset, meta: &Meta) -> Result<Self, EditionError> {
        match dataset.records() {
            RecordForm::Summary => Ok(Self::Summaries),
            RecordForm::Fields if meta.fields.len() > MAX_FIELDS => Err(unreadable(header::META)),
            RecordForm::Fields => {
                let fields = meta.fields.iter().map(|field| stored(dataset, field)).collect::<Result<_, _>>()?;
                Ok(Self::Fields(Schema { fields, width: dataset.fields().count().max(1) }))
            }
        }
    }

    /// The fields at these places, for each row of a record. A summary has all places.
    pub(super) fn texts(
        &self,
        ruc: Ruc,
        record: &[u8],
        places: &[usize],
        words: &Words,
    ) -> Result<Vec<Row>, TextsError> {
        match self {
            Self::Summaries => {
                let summary = record::decode(ruc, record, words).ok_or(TextsError::Corrupt)?;
                let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = summary;
                let texts = [name, status.as_str().to_owned(), condition.as_str().to_owned(), address].map(not_empty);
                Ok(vec![texts.into_iter().chain([ubigeo.and_then(text)]).collect()])
            }
            Self::Fields(schema) => {
                let rows = schema.decode(record, words).ok_or(TextsError::Corrupt)?;
                let mut bytes = 0;
                let mut cell = |value| {
                    let cell = cell(value);
                    bytes += 1 + cell.as_ref().map_or(0, String::len);
                    if bytes > MAX_TEXTS_BYTES { Err(TextsError::TooLong) } else { Ok(cell) }
                };
                rows.iter()
                    .map(|row| places.iter().map(|place| cell(row.get(*place).copied().unwrap_or_default())).collect())
                    .collect()
            }
        }
    }
}

/// Of the rows of one taxpayer.
pub(crate) const MAX_TEXTS_BYTES: usize = 1 << 22;

impl Schema {
    pub(super) fn decode<'w>(&self, record: &[u8], words: &'w Words) -> Option<EditionRows<'w>> {
        (!record.is_empty()).then_some(())?;
        Some(EditionRows::new(fields::decode(record, &self.fields, self.width, words)?, self.width))
    }
}

pub(super) fn field_names(dataset: &Dataset) -> Vec<&'static str> {
    match dataset.records() {
        RecordForm::Summary => SUMMARY.to_vec(),
        // A row has at least one value, so that it takes space.
        RecordForm::Fields if dataset.fields().next().is_none() => vec![""],
        RecordForm::Fields => dataset.fields().map(|(name, _)| name).collect(),
    }
}

/// The metadata's fields of a new edition; none for summaries.
pub(crate) fn field_metas(dataset: &Dataset) -> Vec<FieldMeta> {
    let field = |(name, kind): (&str, FieldKind)| FieldMeta {
        name: name.to_owned(),
        kind: StoredKind::from_kind(kind).name().to_owned(),
    };
    match dataset.records() {
        RecordForm::Summary => Vec::new(),
        RecordForm::Fields => dataset.fields().map(field).collect(),
    }
}

fn stored(dataset: &Dataset, field: &FieldMeta) -> Result<StoredField, EditionError> {
    let described = dataset.fields().enumerate().find(|(_, (name, _))| *name == field.name);
    let readable = described.map_or("", |(_, (_, kind))| StoredKind::from_kind(kind).name());
    let other = || EditionError::Field { field: field.name.clone(), found: field.kind.clone(), readable };
    let kind = StoredKind::named(&field.kind).ok_or_else(other)?;
    let Some((place, (_, described))) = described else { return Ok(StoredField { kind, place: None }) };
    if kind != StoredKind::from_kind(described) {
        return Err(other());
    }
    Ok(StoredField { kind, place: Some(place) })
}

fn cell(value: Value<'_>) -> Cell {
    match value {
        Value::Absent => None,
        Value::Text(value) => text(value),
        Value::Date(date) => text(date),
        Value::Integer(number) => text(number),
        Value::Ubigeo(ubigeo) => text(ubigeo),
    }
}

fn text(value: impl Display) -> Cell {
    not_empty(value.to_string())
}

fn not_empty(text: String) -> Cell {
    Some(text).filter(|text| !text.is_empty())
}
