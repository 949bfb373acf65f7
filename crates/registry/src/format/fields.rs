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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::dataset::{DateForm, TAXPAYER_TYPES};

    const KINDS: [FieldKind; 5] = [
        FieldKind::Text,
        FieldKind::Date(DateForm::DayMonthYear),
        FieldKind::Integer,
        FieldKind::Ubigeo,
        FieldKind::Listed(&TAXPAYER_TYPES),
    ];

    fn schema() -> Vec<StoredField> {
        let stored = |(place, kind)| StoredField { kind: StoredKind::of(kind), place: Some((place, kind)) };
        KINDS.into_iter().enumerate().map(stored).collect()
    }

    static WORDS: LazyLock<Words> = LazyLock::new(|| Words::decode(b"UNO\nDOS\nTRES\n").unwrap());

    fn encoded(values: &[Value<'_>]) -> Vec<u8> {
        let number = |text: &str| ["UNO", "DOS", "TRES"].iter().position(|word| *word == text).ok_or(());
        let mut out = Vec::new();
        let kinds = KINDS.map(StoredKind::of);
        encode(&kinds, values, |text| number(text).map(|number| number as u32), &mut out).unwrap();
        out
    }

    #[test]
    fn a_row_is_stored_as_the_format_page_says() {
        let day = Date::new(2010, 1, 3).unwrap();
        let company = TAXPAYER_TYPES.find("SOCIEDAD ANONIMA").unwrap();
        let values = [Value::Text("DOS"), Value::Date(day), Value::Integer(300), Value::Absent, Value::Listed(company)];
        let record = encoded(&values);
        assert_eq!(record, [0b10111, 1, 4, 0xac, 2, company.code + 1]);
        assert_eq!(decode(&record, &schema(), 5, &WORDS).unwrap(), values);
        let unlisted = [Value::Absent, Value::Absent, Value::Absent, Value::Absent, Value::Text("TRES")];
        assert_eq!(encoded(&unlisted), [0b10000, 0, 2]);
        assert_eq!(encoded(&[Value::Absent; 5]), [0]);
    }

    #[test]
    fn bytes_that_are_no_rows_are_refused() {
        let good = encoded(&[Value::Text("DOS"), Value::Absent, Value::Integer(7), Value::Absent, Value::Absent]);
        let decoded = |record: &[u8]| decode(record, &schema(), 5, &WORDS);
        assert_eq!(decoded(&[good.clone(), good.clone()].concat()).unwrap().len(), 10);
        for cut in 1..good.len() {
            assert_eq!(decoded(&good[..cut]), None, "cut at {cut}");
        }
        for bad in [
            &[0b10_0000][..],                   // a field that the schema lacks
            &[1, 3],                            // a word that the dictionary lacks
            &[0b1000, 0],                       // no district
            &[0b10000, 200],                    // a code that the table lacks
            &[0b10000, 0, 3],                   // a wording that the dictionary lacks
            &[2, 0xff, 0xff, 0xff, 0xff, 0x0f], // no day
        ] {
            assert_eq!(decoded(bad), None, "{bad:?}");
        }
        assert_eq!(decoded(&vec![0; MOST_ROWS]).unwrap().len(), 5 * MOST_ROWS);
        assert_eq!(decoded(&vec![0; MOST_ROWS + 1]), None);
    }

    #[test]
    fn a_field_that_is_not_described_is_skipped() {
        let mut schema = schema();
        schema[4].place = None;
        schema[0].place = None;
        let values = [Value::Text("UNO"), Value::Absent, Value::Integer(7), Value::Absent, Value::Text("DOS")];
        let found = decode(&encoded(&values), &schema, 5, &WORDS).unwrap();
        assert_eq!(found, [Value::Absent, Value::Absent, Value::Integer(7), Value::Absent, Value::Absent]);
    }

    fn value(kind: usize) -> impl Strategy<Value = Value<'static>> {
        let days = (Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch())
            .prop_map(|days| Value::Date(Date::from_days_since_epoch(days).unwrap()));
        let text = prop_oneof![Just(Value::Text("UNO")), Just(Value::Text("TRES"))];
        let listed = (0..TAXPAYER_TYPES.entries.len()).prop_map(|at| Value::Listed(&TAXPAYER_TYPES.entries[at]));
        let some = match kind {
            0 => text.boxed(),
            1 => days.boxed(),
            2 => any::<u32>().prop_map(Value::Integer).boxed(),
            3 => (10_000..260_000_u32).prop_map(|code| Value::Ubigeo(Ubigeo::from_number(code).unwrap())).boxed(),
            _ => prop_oneof![text, listed].boxed(),
        };
        prop_oneof![1 => Just(Value::Absent), 3 => some]
    }

    proptest! {
        #[test]
        fn rows_read_back(rows in proptest::collection::vec((value(0), value(1), value(2), value(3), value(4)), 1..9)) {
            let rows: Vec<_> = rows.into_iter().map(|(a, b, c, d, e)| [a, b, c, d, e]).collect();
            let record: Vec<u8> = rows.iter().flat_map(|row| encoded(row)).collect();
            prop_assert_eq!(decode(&record, &schema(), 5, &WORDS), Some(rows.concat()));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(record in proptest::collection::vec(prop_oneof![0..32_u8, any::<u8>()], 0..60)) {
            if let Some(values) = decode(&record, &schema(), 5, &WORDS) {
                prop_assert_eq!(values.len() % 5, 0);
            }
        }
    }
}
