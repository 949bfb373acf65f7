//! The record of a taxpayer in a dataset: see `FORMAT.md`.

use std::str;

use kuraka_domain::{Date, Ubigeo};

use super::varint;
use super::words::Words;
use crate::dataset::{FieldKind, Value};

/// The bits of a mask.
pub(crate) const MAX_FIELDS: usize = 32;
/// Bounds the memory of a hostile record.
pub(crate) const MAX_ROWS: usize = 1 << 16;
/// Bounds a hostile record that repeats a long word in every row.
const MAX_TEXTS_BYTES: usize = 16 << 20;
/// 2010-01-01, as days since 1970: most dates are near and take two bytes.
const BASE: i32 = 14_610;

/// How a field is stored, and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredField {
    pub(crate) kind: StoredKind,
    /// The place in a row; `None` = it is no longer described.
    pub(crate) place: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredKind {
    Text,
    Date,
    Integer,
    Ubigeo,
}

impl StoredKind {
    const ALL: [Self; 4] = [Self::Text, Self::Date, Self::Integer, Self::Ubigeo];

    pub(crate) const fn from_kind(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Text | FieldKind::TaxpayerType => Self::Text,
            FieldKind::Date(_) | FieldKind::Month => Self::Date,
            FieldKind::Integer => Self::Integer,
            FieldKind::Ubigeo => Self::Ubigeo,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Date => "date",
            Self::Integer => "integer",
            Self::Ubigeo => "ubigeo",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// `values` have the schema's order; `number` gives a text's dictionary number.
pub(crate) fn encode<E>(
    values: &[Value<'_>],
    mut number: impl FnMut(&str) -> Result<u32, E>,
    out: &mut Vec<u8>,
) -> Result<(), E> {
    let present = || (0_u32..).zip(values).filter(|(_, value)| **value != Value::Absent);
    varint::push(out, present().fold(0, |mask, (bit, _)| mask | 1_u32.wrapping_shl(bit)));
    for (_, value) in present() {
        match *value {
            Value::Absent => {}
            Value::Text(text) => varint::push(out, number(text)?),
            Value::Date(date) => varint::push(out, zigzag(date.days_since_epoch() - BASE)),
            Value::Integer(value) => varint::push(out, value),
            Value::Ubigeo(ubigeo) => varint::push(out, ubigeo.get()),
        }
    }
    Ok(())
}

/// `width` values for each row, one row after the other. `None` if the bytes are not rows.
pub(crate) fn decode<'w>(
    mut record: &[u8],
    schema: &[StoredField],
    width: usize,
    words: &'w Words,
) -> Option<Vec<Value<'w>>> {
    let mut values = Vec::with_capacity(width);
    let mut texts = 0;
    for _ in 0..MAX_ROWS {
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
            texts += if let Value::Text(text) = value { text.len() } else { 0 };
            (texts <= MAX_TEXTS_BYTES).then_some(())?;
            if let Some(place) = field.place.and_then(|place| values.get_mut(row + place)) {
                *place = value;
            }
        }
    }
    record.is_empty().then_some(values)
}

/// The number of rows, without their texts; `None` if the bytes are not rows.
pub(crate) fn count(mut record: &[u8]) -> Option<usize> {
    let mut rows = 0;
    while !record.is_empty() {
        let mask = varint::take(&mut record)?;
        for _ in 0..mask.count_ones() {
            varint::take(&mut record)?;
        }
        rows += 1;
    }
    Some(rows)
}

fn value<'w>(record: &mut &[u8], field: StoredField, words: &'w Words) -> Option<Value<'w>> {
    let number = varint::take(record)?;
    Some(match field.kind {
        StoredKind::Text => Value::Text(text(number, words)?),
        StoredKind::Date => Value::Date(Date::from_days_since_epoch(unzigzag(number).checked_add(BASE)?)?),
        StoredKind::Integer => Value::Integer(number),
        StoredKind::Ubigeo => Value::Ubigeo(Ubigeo::from_number(number)?),
    })
}

fn text(number: u32, words: &Words) -> Option<&str> {
    str::from_utf8(words.word(number)?).ok()
}

/// Makes numbers near 0 small and unsigned.
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
    use crate::dataset::DateForm;
    use crate::format::words::Size;

    const KINDS: [FieldKind; 4] =
        [FieldKind::Text, FieldKind::Date(DateForm::DayMonthYear), FieldKind::Integer, FieldKind::Ubigeo];

    fn schema() -> Vec<StoredField> {
        let stored = |(place, kind)| StoredField { kind: StoredKind::from_kind(kind), place: Some(place) };
        KINDS.into_iter().enumerate().map(stored).collect()
    }

    static WORDS: LazyLock<Words> = LazyLock::new(|| words("UNO\nDOS\nTRES\n"));

    fn words(section: &str) -> Words {
        Words::decode(section.as_bytes(), Size::read(section.as_bytes()).unwrap()).unwrap()
    }

    fn encoded(values: &[Value<'_>]) -> Vec<u8> {
        let number = |text: &str| ["UNO", "DOS", "TRES"].iter().position(|word| *word == text).ok_or(());
        let mut out = Vec::new();
        encode(values, |text| number(text).map(|number| number as u32), &mut out).unwrap();
        out
    }

    #[test]
    fn a_row_is_stored_as_the_format_page_says() {
        let day = Date::new(2010, 1, 3).unwrap();
        let record = encoded(&[Value::Text("DOS"), Value::Date(day), Value::Integer(300), Value::Absent]);
        assert_eq!(record, [0b111, 1, 4, 0xac, 2]);
        assert_eq!(encoded(&[Value::Absent; 4]), [0]);
    }

    #[test]
    fn bytes_that_are_no_rows_are_refused() {
        let good = encoded(&[Value::Text("DOS"), Value::Absent, Value::Integer(7), Value::Absent]);
        let decoded = |record: &[u8]| decode(record, &schema(), 4, &WORDS);
        assert_eq!(decoded(&[good.clone(), good.clone()].concat()).unwrap().len(), 8);
        for cut in 1..good.len() {
            assert_eq!(decoded(&good[..cut]), None, "cut at {cut}");
        }
        for bad in [
            &[0b1_0000][..],                    // a field that the schema lacks
            &[1, 3],                            // a word that the dictionary lacks
            &[0b1000, 0],                       // no district
            &[2, 0xff, 0xff, 0xff, 0xff, 0x0f], // no day
        ] {
            assert_eq!(decoded(bad), None, "{bad:?}");
        }
        assert_eq!(decoded(&vec![0; MAX_ROWS]).unwrap().len(), 4 * MAX_ROWS);
        assert_eq!(decoded(&vec![0; MAX_ROWS + 1]), None);
    }

    #[test]
    fn a_field_that_is_not_described_is_skipped() {
        let mut schema = schema();
        schema[3].place = None;
        schema[0].place = None;
        let values =
            [Value::Text("UNO"), Value::Absent, Value::Integer(7), Value::Ubigeo(Ubigeo::parse("150101").unwrap())];
        let found = decode(&encoded(&values), &schema, 4, &WORDS).unwrap();
        assert_eq!(found, [Value::Absent, Value::Absent, Value::Integer(7), Value::Absent]);
    }

    #[test]
    fn rows_with_endless_texts_are_refused() {
        let words = words(&("X".repeat(1 << 17) + "\n"));
        let decoded = |rows| decode(&[1, 0].repeat(rows), &schema(), 4, &words);
        assert!(decoded(128).is_some() && decoded(129).is_none());
    }

    fn value(kind: usize) -> impl Strategy<Value = Value<'static>> {
        let days = (Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch())
            .prop_map(|days| Value::Date(Date::from_days_since_epoch(days).unwrap()));
        let text = prop_oneof![Just(Value::Text("UNO")), Just(Value::Text("TRES"))];
        let some = match kind {
            0 => text.boxed(),
            1 => days.boxed(),
            2 => any::<u32>().prop_map(Value::Integer).boxed(),
            _ => (10_000..260_000_u32).prop_map(|code| Value::Ubigeo(Ubigeo::from_number(code).unwrap())).boxed(),
        };
        prop_oneof![1 => Just(Value::Absent), 3 => some]
    }

    proptest! {
        #[test]
        fn rows_read_back(rows in proptest::collection::vec((value(0), value(1), value(2), value(3)), 1..9)) {
            let rows: Vec<_> = rows.into_iter().map(|(a, b, c, d)| [a, b, c, d]).collect();
            let record: Vec<u8> = rows.iter().flat_map(|row| encoded(row)).collect();
            prop_assert_eq!(decode(&record, &schema(), 4, &WORDS), Some(rows.concat()));
            prop_assert_eq!(count(&record), Some(rows.len()));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(record in proptest::collection::vec(prop_oneof![0..32_u8, any::<u8>()], 0..60)) {
            if let Some(values) = decode(&record, &schema(), 4, &WORDS) {
                prop_assert_eq!(values.len() % 4, 0);
                prop_assert_eq!(count(&record), Some(values.len() / 4));
            }
        }
    }
}
