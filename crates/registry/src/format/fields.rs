//! The record of a dataset's taxpayer: its rows, one after the other, each a mask of the fields that it has, then
//! their values.
//!
//! Fields are stored in the order of the schema in the edition's metadata. A text is the dictionary number of the whole
//! cell, a date the days since [`BASE`], a number itself, an ubigeo its code, and a value of a table its code plus one;
//! a wording that the table lacks is 0 and the dictionary number of the text. All of them are varints.

use std::str;

use kuraka_domain::{Date, Ubigeo};

use super::varint;
use super::words::Words;
use crate::dataset::{FieldKind, Value};

/// The most fields of a dataset: the bits of a mask.
pub(crate) const MOST_FIELDS: usize = 32;
/// The most rows of one taxpayer, so that a hostile record cannot ask for much memory.
pub(crate) const MOST_ROWS: usize = 1 << 16;
/// Instead of a table's code: an unlisted text follows.
const UNLISTED: u32 = 0;
/// 2010-01-01, as days since 1970: most dates are near it and take two bytes.
const BASE: i32 = 14_610;

/// How a field is stored, and which one of the description it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredField {
    /// How its values are stored, by the name in the schema.
    pub(crate) kind: StoredKind,
    /// Where the value belongs in a row, and the kind that the description gives it; `None` = the description has no
    /// such field any more.
    pub(crate) place: Option<(usize, FieldKind)>,
}

/// How a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredKind {
    Text,
    Date,
    Integer,
    Ubigeo,
    Listed,
}

impl StoredKind {
    const ALL: [Self; 5] = [Self::Text, Self::Date, Self::Integer, Self::Ubigeo, Self::Listed];

    /// How values of `kind` are stored.
    pub(crate) const fn of(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Text => Self::Text,
            FieldKind::Date(_) | FieldKind::Month => Self::Date,
            FieldKind::Integer => Self::Integer,
            FieldKind::Ubigeo => Self::Ubigeo,
            FieldKind::Listed(_) => Self::Listed,
        }
    }

    /// Whether a field of this kind stores the value. A reader hands on no other values than these and absent ones.
    const fn holds(self, value: Value<'_>) -> bool {
        match value {
            Value::Absent => false,
            Value::Text(_) => matches!(self, Self::Text | Self::Listed),
            Value::Date(_) => matches!(self, Self::Date),
            Value::Integer(_) => matches!(self, Self::Integer),
            Value::Ubigeo(_) => matches!(self, Self::Ubigeo),
            Value::Listed(_) => matches!(self, Self::Listed),
        }
    }

    /// Its name in a schema.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Date => "date",
            Self::Integer => "integer",
            Self::Ubigeo => "ubigeo",
            Self::Listed => "listed",
        }
    }

    /// The kind with this name in a schema.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Appends one row. `values` are the fields in the order of the schema; `number` gives a text's dictionary number.
pub(crate) fn encode<E>(
    kinds: &[StoredKind],
    values: &[Value<'_>],
    mut number: impl FnMut(&str) -> Result<u32, E>,
    out: &mut Vec<u8>,
) -> Result<(), E> {
    let present = || (0_u32..).zip(kinds).zip(values).filter(|((_, kind), value)| kind.holds(**value));
    varint::push(out, present().fold(0, |mask, ((bit, _), _)| mask | 1_u32.wrapping_shl(bit)));
    for ((_, kind), value) in present() {
        match *value {
            Value::Absent => {}
            Value::Text(text) => {
                if *kind == StoredKind::Listed {
                    varint::push(out, UNLISTED);
                }
                varint::push(out, number(text)?);
            }
            Value::Date(date) => varint::push(out, zigzag(date.days_since_epoch() - BASE)),
            Value::Integer(value) => varint::push(out, value),
            Value::Ubigeo(ubigeo) => varint::push(out, ubigeo.get()),
            Value::Listed(entry) => varint::push(out, u32::from(entry.code) + 1),
        }
    }
    Ok(())
}

/// Reads all rows of a record: `width` values for each, one row after the other. `None` if the bytes are not rows.
pub(crate) fn decode<'w>(
    mut record: &[u8],
    schema: &[StoredField],
    width: usize,
    words: &'w Words,
) -> Option<Vec<Value<'w>>> {
    let mut values = Vec::with_capacity(width);
    for _ in 0..MOST_ROWS {
        if record.is_empty() {
            return Some(values);
        }
        let mask = varint::take(&mut record)?;
        if u64::from(mask) >> schema.len() != 0 {
            return None;
        }
        let row = values.len();
        values.resize(row + width, Value::Absent);
        for (_, field) in schema.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1) {
            let value = value(&mut record, *field, words)?;
            if let Some(place) = field.place.and_then(|(place, _)| values.get_mut(row + place)) {
                *place = value;
            }
        }
    }
    record.is_empty().then_some(values)
}

fn value<'w>(record: &mut &[u8], field: StoredField, words: &'w Words) -> Option<Value<'w>> {
    let number = varint::take(record)?;
    Some(match field.kind {
        StoredKind::Text => Value::Text(text(number, words)?),
        StoredKind::Date => Value::Date(Date::from_days_since_epoch(unzigzag(number).checked_add(BASE)?)?),
        StoredKind::Integer => Value::Integer(number),
        StoredKind::Ubigeo => Value::Ubigeo(Ubigeo::from_number(number)?),
        StoredKind::Listed if number == UNLISTED => Value::Text(text(varint::take(record)?, words)?),
        StoredKind::Listed => match field.place {
            Some((_, FieldKind::Listed(table))) => {
                Value::Listed(table.entries.iter().find(|entry| u32::from(entry.code) + 1 == number)?)
            }
            _ => Value::Absent,
        },
    })
}

fn text(number: u32, words: &Words) -> Option<&str> {
    str::from_utf8(words.word(number)?).ok()
}

/// A signed number as an unsigned one that is small if the number is near 0.
const fn zigzag(value: i32) -> u32 {
    (value << 1 ^ value >> 31) as u32
}

const fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}
