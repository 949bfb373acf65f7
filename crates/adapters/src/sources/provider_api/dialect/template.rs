//! A sample answer as a form: the text of the sample, with our values at the places that the file names. Pure.
//!
//! Keys keep the sample's order and values its types. A value that is not known is written as the sample writes unknown
//! values, and never as the sample has it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use kuraka_domain::{Date, Ubigeo};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Reads a value of a record: one text, several of a list, or nothing if it is not known.
pub(in crate::sources::provider_api) type Get<R> = for<'a> fn(&'a R) -> Vec<Cow<'a, str>>;

/// The ways in which samples write a value that is not known.
const UNKNOWN: [&str; 3] = ["null", r#""""#, r#""-""#];

#[derive(Clone, Debug)]
pub(in crate::sources::provider_api) struct Template<R: 'static>(Vec<Part<R>>);

#[derive(Clone, Debug)]
enum Part<R: 'static> {
    /// JSON as in the sample.
    Fixed(String),
    /// A value of this type, and the JSON of one that is not known.
    Slot(Vec<Piece<R>>, Kind, String),
}

/// A part of a value's text.
#[derive(Clone, Debug)]
pub(in crate::sources::provider_api) enum Piece<R: 'static> {
    Literal(String),
    /// A value of the record, and its most characters.
    Value(Get<R>, usize),
}

#[derive(Clone, Debug)]
enum Kind {
    Text,
    /// A day as text, the day or the year first, with this after it.
    Day(bool, String),
    Number,
    /// `true` for `SI`.
    Flag,
    Texts,
    /// The digits of a department, a province and a district.
    Ubigeo,
}

/// A value to be written, and whether it is `null` if it is not known, whatever the sample does.
pub(in crate::sources::provider_api) type Value<R> = (Vec<Piece<R>>, bool);

struct Reading<'r, R: 'static> {
    values: BTreeMap<String, Value<R>>,
    is_own: &'r dyn Fn(&str) -> bool,
    /// The JSON of a text that is not known.
    unknown: &'static str,
    parts: Vec<Part<R>>,
}

impl<R> Template<R> {
    /// The form with these values at their pointers. What `is_own` names, the answer says of itself, and it stays. The
    /// error completes the sentence "the body …".
    pub(in crate::sources::provider_api) fn new(
        sample: &str,
        values: BTreeMap<String, Value<R>>,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Result<Self, String> {
        let compact = sample.replace(": ", ":");
        let times = |mark: &str| compact.matches(&format!(":{mark}")).count();
        let most = UNKNOWN.into_iter().max_by_key(|mark| times(mark)).filter(|mark| times(mark) > 0);
        let mut reading = Reading { values, is_own, unknown: most.unwrap_or(UNKNOWN[1]), parts: Vec::new() };
        reading.add(sample.trim(), "").map_err(|error| format!("is not JSON: {error}"))?;
        match reading.values.keys().next() {
            Some(unused) => Err(format!("has nothing at {unused}")),
            None => Ok(Self(reading.parts)),
        }
    }

    /// The answer about a record.
    pub(in crate::sources::provider_api) fn write(&self, record: &R) -> String {
        let part = |part: &Part<R>| match part {
            Part::Fixed(json) => json.clone(),
            Part::Slot(pieces, kind, unknown) => {
                texts(pieces, record).and_then(|texts| kind.json(&texts)).unwrap_or_else(|| unknown.clone())
            }
        };
        self.0.iter().map(part).collect()
    }
}

impl<R> Reading<'_, R> {
    fn fix(&mut self, json: &str) {
        match self.parts.last_mut() {
            Some(Part::Fixed(before)) => before.push_str(json),
            _ => self.parts.push(Part::Fixed(json.to_owned())),
        }
    }

    fn add(&mut self, json: &str, at: &str) -> serde_json::Result<()> {
        if let Some((pieces, is_nullable)) = self.values.remove(at) {
            let unknown = if is_nullable { UNKNOWN[0].to_owned() } else { self.unknown(json) };
            self.parts.push(Part::Slot(pieces, Kind::from_json(json), unknown));
            return Ok(());
        }
        let below = |key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        let is_pointed_into = self.values.keys().any(|pointer| pointer.starts_with(&format!("{at}/")));
        match json.as_bytes().first() {
            Some(b'{') => {
                let Entries(entries) = serde_json::from_str(json)?;
                for (index, (key, value)) in entries.into_iter().enumerate() {
                    self.fix(&format!("{}{}:", if index > 0 { "," } else { "{" }, text(&key)));
                    self.add(value.get(), &below(&key))?;
                }
                self.fix(if json.len() > 2 { "}" } else { "{}" });
            }
            Some(b'[') if is_pointed_into => {
                for (index, item) in serde_json::from_str::<Vec<&RawValue>>(json)?.into_iter().enumerate() {
                    self.fix(if index > 0 { "," } else { "[" });
                    self.add(item.get(), &below(&index.to_string()))?;
                }
                self.fix("]");
            }
            _ if (self.is_own)(at) => self.fix(json),
            _ => self.fix(&self.unknown(json)),
        }
        Ok(())
    }

    /// The JSON in place of a value that is not known.
    fn unknown(&self, json: &str) -> String {
        let unknown = match Kind::from_json(json) {
            _ if UNKNOWN.contains(&json) => json,
            Kind::Text | Kind::Day(..) => self.unknown,
            Kind::Number | Kind::Flag => UNKNOWN[0],
            Kind::Texts => "[]",
            Kind::Ubigeo => "[null,null,null]",
        };
        unknown.to_owned()
    }
}

/// The text of all pieces, or the texts of a list that is the only piece; `None` if one is not known.
fn texts<'a, R>(pieces: &'a [Piece<R>], record: &'a R) -> Option<Vec<Cow<'a, str>>> {
    let found = |piece: &'a Piece<R>| match piece {
        Piece::Literal(text) => vec![Cow::Borrowed(text.as_str())],
        Piece::Value(get, most) => {
            get(record).into_iter().filter(|text| !text.is_empty()).map(|text| cut(text, *most)).collect()
        }
    };
    match pieces {
        [only] => Some(found(only)).filter(|found| !found.is_empty()),
        _ => {
            let first = |piece| found(piece).into_iter().next();
            Some(vec![pieces.iter().map(first).collect::<Option<Vec<_>>>()?.concat().into()])
        }
    }
}

fn cut(text: Cow<'_, str>, most: usize) -> Cow<'_, str> {
    if text.chars().count() > most { text.chars().take(most).collect::<String>().into() } else { text }
}

impl Kind {
    fn from_json(json: &str) -> Self {
        match json.as_bytes().first() {
            Some(b't' | b'f') => Self::Flag,
            Some(b'-' | b'0'..=b'9') => Self::Number,
            Some(b'[') => match serde_json::from_str::<[&str; 3]>(json) {
                Ok([_, _, district]) if Ubigeo::parse(district).is_ok() => Self::Ubigeo,
                _ => Self::Texts,
            },
            _ => Self::day(json.trim_matches('"')).unwrap_or(Self::Text),
        }
    }

    fn day(text: &str) -> Option<Self> {
        let (day, time) = text.split_at_checked(10)?;
        let is_day_first = Date::parse_dmy(day).is_ok();
        // The time of day is not known.
        let time = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        (is_day_first || Date::parse(day).is_ok()).then_some(Self::Day(is_day_first, time))
    }

    /// `None` = no value of this type.
    fn json(&self, texts: &[Cow<'_, str>]) -> Option<String> {
        let first = &**texts.first()?;
        match (self, Date::parse(first)) {
            (Self::Day(true, time), Ok(day)) => Some(text(&format!("{}{time}", day.dmy()))),
            (Self::Day(false, time), Ok(day)) => Some(text(&format!("{day}{time}"))),
            (Self::Text | Self::Day(..), _) => Some(text(first)),
            (Self::Number, _) => {
                let number = first.trim_start_matches('0');
                let number = if number.starts_with(|c: char| c.is_ascii_digit()) { number } else { first };
                serde_json::from_str::<serde_json::Number>(number).ok().map(|_| number.to_owned())
            }
            (Self::Flag, _) => ["NO", "SI"].iter().position(|word| *word == first).map(|at| (at == 1).to_string()),
            (Self::Texts, _) => serde_json::to_string(texts).ok(),
            (Self::Ubigeo, _) => serde_json::to_string(&[first.get(..2)?, first.get(..4)?, first.get(..6)?]).ok(),
        }
    }
}

/// A JSON string.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The entries of an object, in their order.
struct Entries<'e>(Vec<(String, &'e RawValue)>);

impl<'de: 'e, 'e> Deserialize<'de> for Entries<'e> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                std::iter::from_fn(|| map.next_entry().transpose()).collect()
            }
        }

        from.deserialize_map(InOrder).map(Self)
    }
}
