//! A sample answer as a form: the text of the sample, with our values at the places that the file names. Pure.
//!
//! Keys keep the sample's order and values its types. A value that is not known is written as the sample writes unknown
//! values, and never as the sample has it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use kuraka_domain::{Date, Ubigeo};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Reads a value of a record: one text, several of a list, or nothing if it is not known.
pub(in crate::sources::provider_api) type Get<R> = for<'a> fn(&'a R) -> Vec<Cow<'a, str>>;

/// What an answer says of itself, and not of its subject.
const OWN: [&str; 5] = ["/success", "/status", "/code", "/message", "/mensaje"];

/// An answer to be written about one record, or about each of a list.
#[derive(Clone, Debug)]
pub(in crate::sources::provider_api) struct Template<R: 'static> {
    parts: Vec<Part<R>>,
    /// The parts that are repeated for each record.
    item: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
enum Part<R: 'static> {
    /// JSON as in the sample.
    Fixed(String),
    Slot {
        pieces: Vec<Piece<R>>,
        kind: Kind,
        /// The JSON of a value that is not known.
        unknown: String,
    },
}

/// A part of a value's text.
#[derive(Clone, Debug)]
pub(in crate::sources::provider_api) enum Piece<R: 'static> {
    Literal(String),
    /// A value of the record, and its most characters.
    Value(Get<R>, usize),
}

/// The type of a value in the sample.
#[derive(Clone, Debug)]
enum Kind {
    Text,
    /// A day as text, day first or year first, with this after it.
    Day {
        is_day_first: bool,
        time: String,
    },
    Number,
    /// `true` for `SI`.
    Flag,
    /// Texts.
    List,
    /// The digits of a department, a province and a district.
    Ubigeo,
}

/// What is written at a place of the sample.
pub(in crate::sources::provider_api) struct Value<R: 'static> {
    pub(in crate::sources::provider_api) pieces: Vec<Piece<R>>,
    /// Whether an unknown value is `null`, whatever the sample does.
    pub(in crate::sources::provider_api) is_nullable: bool,
}

/// How a sample becomes a form.
pub(in crate::sources::provider_api) struct Plan<'p, R: 'static> {
    /// The values by their pointers, from an item's record if there are items. Used ones are removed.
    pub(in crate::sources::provider_api) values: BTreeMap<String, Value<R>>,
    /// The pointer of the list of records.
    pub(in crate::sources::provider_api) items: Option<&'p str>,
    /// Further pointers to what the answer says of itself.
    pub(in crate::sources::provider_api) own: Vec<String>,
    /// Whether the answer says nothing of a subject, so that everything stays.
    pub(in crate::sources::provider_api) is_own: bool,
}

impl<R> Template<R> {
    /// The error completes the sentence "the body …".
    pub(in crate::sources::provider_api) fn new(sample: &str, mut plan: Plan<'_, R>) -> Result<Self, String> {
        let tree = Node::read(sample).map_err(|error| format!("is not JSON: {error}"))?;
        let mut marks = Vec::new();
        plan.marks(&tree, &mut String::new(), &mut marks);
        let mark = |wanted| marks.iter().filter(|mark| **mark == wanted).count();
        // Texts are empty if the sample shows no other way.
        let unknown = marks.iter().rev().max_by_key(|it| mark(**it)).copied().unwrap_or("\"\"");
        let mut template = Self { parts: Vec::new(), item: None };
        template.add(&tree, &mut String::new(), &mut plan, unknown)?;
        if plan.items.is_some() && template.item.is_none() {
            return Err("has no list with a record where items points".to_owned());
        }
        match plan.values.keys().next() {
            Some(unused) => Err(format!("has nothing at {unused}")),
            None => Ok(template),
        }
    }

    /// The answer about these records; without a list, about the first.
    pub(in crate::sources::provider_api) fn write<'r>(&self, records: impl IntoIterator<Item = &'r R>) -> String {
        let mut out = String::new();
        let mut records = records.into_iter();
        let item = self.item.clone().unwrap_or(0..self.parts.len());
        let parts = |range: Range<usize>| self.parts.get(range).into_iter().flatten();
        parts(0..item.start).for_each(|part| part.write(None, &mut out));
        let (mut next, mut is_first) = (records.next(), true);
        while let Some(record) = next {
            if !is_first {
                out.push(',');
            }
            parts(item.clone()).for_each(|part| part.write(Some(record), &mut out));
            (next, is_first) = (records.next().filter(|_| self.item.is_some()), false);
        }
        parts(item.end..self.parts.len()).for_each(|part| part.write(None, &mut out));
        out
    }

    fn fix(&mut self, json: &str) {
        // A part is never shared between an item and what is around it.
        let is_end = self.item.as_ref().is_some_and(|item| item.end == self.parts.len());
        match self.parts.last_mut() {
            Some(Part::Fixed(before)) if !is_end => before.push_str(json),
            _ => self.parts.push(Part::Fixed(json.to_owned())),
        }
    }

    fn add(&mut self, node: &Node<'_>, at: &mut String, plan: &mut Plan<'_, R>, unknown: &str) -> Result<(), String> {
        let is_items = self.item.is_none() && plan.items == Some(at.as_str());
        if let (true, Node::Array(items)) = (is_items, node) {
            let [record] = items.as_slice() else { return Err("needs one record in the list of items".to_owned()) };
            self.fix("[");
            let start = self.parts.len();
            self.parts.push(Part::Fixed(String::new()));
            // Only here are the values of the plan: the pointers start anew.
            self.item = Some(start..start);
            self.add(record, &mut String::new(), plan, unknown)?;
            self.item = Some(start..self.parts.len());
            self.fix("]");
            return Ok(());
        }
        let is_inside = plan.items.is_none() || self.item.as_ref().is_some_and(Range::is_empty);
        if let Some(Value { pieces, is_nullable }) = is_inside.then(|| plan.values.remove(at)).flatten() {
            if !pieces.iter().any(|piece| matches!(piece, Piece::Value(..))) {
                self.fix(&node.constant(&pieces));
                return Ok(());
            }
            let kind = node.kind();
            let unknown = if is_nullable { "null".to_owned() } else { node.unknown(unknown) };
            self.parts.push(Part::Slot { pieces, kind, unknown });
            return Ok(());
        }
        match node {
            Node::Leaf(json) if plan.is_own(at) => self.fix(json),
            Node::Leaf(_) => self.fix(&node.unknown(unknown)),
            Node::Object(entries) => {
                self.fix("{");
                for (index, (key, value)) in entries.iter().enumerate() {
                    self.fix(if index > 0 { "," } else { "" });
                    self.fix(&format!("{}:", text(key)));
                    below(at, key, |at| self.add(value, at, plan, unknown))?;
                }
                self.fix("}");
            }
            Node::Array(items) if plan.is_own(at) || plan.points_below(at) => {
                self.fix("[");
                for (index, item) in items.iter().enumerate() {
                    self.fix(if index > 0 { "," } else { "" });
                    below(at, &index.to_string(), |at| self.add(item, at, plan, unknown))?;
                }
                self.fix("]");
            }
            Node::Array(_) => self.fix(&node.unknown(unknown)),
        }
        Ok(())
    }
}

impl<R> Plan<'_, R> {
    fn is_own(&self, at: &str) -> bool {
        self.is_own || OWN.contains(&at) || self.own.iter().any(|own| own == at)
    }

    fn points_below(&self, at: &str) -> bool {
        let is_below = |pointer: &str| pointer.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'));
        self.values.keys().any(|pointer| is_below(pointer))
            || self.items.is_some_and(|items| items == at || is_below(items))
    }

    /// The ways in which the sample writes unknown values.
    fn marks<'m>(&self, node: &Node<'m>, at: &mut String, marks: &mut Vec<&'m str>) {
        match node {
            Node::Leaf(json @ ("null" | "\"\"" | "\"-\"")) if !self.is_own(at) => marks.push(json),
            Node::Leaf(_) => {}
            Node::Object(entries) => {
                entries.iter().for_each(|(key, value)| below(at, key, |at| self.marks(value, at, marks)));
            }
            Node::Array(items) => items.iter().for_each(|item| below(at, "0", |at| self.marks(item, at, marks))),
        }
    }
}

impl<R> Part<R> {
    fn write(&self, record: Option<&R>, out: &mut String) {
        let (pieces, kind, unknown) = match self {
            Self::Fixed(json) => return out.push_str(json),
            Self::Slot { pieces, kind, unknown } => (pieces, kind, unknown),
        };
        let json = record.and_then(|record| texts(pieces, record)).and_then(|texts| kind.json(&texts));
        out.push_str(json.as_deref().unwrap_or(unknown));
    }
}

/// The text of all pieces, or the texts of a list that is the only piece; `None` if one is not known.
fn texts<'a, R>(pieces: &'a [Piece<R>], record: &'a R) -> Option<Vec<Cow<'a, str>>> {
    let mut joined = Vec::new();
    for piece in pieces {
        let mut found = match piece {
            Piece::Literal(text) => vec![Cow::Borrowed(text.as_str())],
            Piece::Value(get, most) => get(record).into_iter().map(|text| cut(text, *most)).collect(),
        };
        found.retain(|text| !text.is_empty());
        if pieces.len() == 1 {
            return Some(found).filter(|found| !found.is_empty());
        }
        joined.push(found.into_iter().next()?);
    }
    Some(vec![joined.concat().into()])
}

fn cut(text: Cow<'_, str>, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => text.get(..end).unwrap_or_default().trim_end().to_owned().into(),
        None => text,
    }
}

impl Kind {
    /// `None` = no value of this type.
    fn json(&self, texts: &[Cow<'_, str>]) -> Option<String> {
        let first = &**texts.first()?;
        match self {
            Self::Text => Some(text(first)),
            Self::Day { is_day_first, time } => Some(match Date::parse(first) {
                Ok(day) if *is_day_first => text(&format!("{}{time}", day.dmy())),
                Ok(day) => text(&format!("{day}{time}")),
                Err(_) => text(first),
            }),
            Self::Number => {
                let digits = first.trim_start_matches('0');
                let number = if digits.starts_with(|c: char| c.is_ascii_digit()) { digits } else { first };
                serde_json::from_str::<serde_json::Number>(number).ok().map(|_| number.to_owned())
            }
            Self::Flag => ["SI", "NO"].iter().position(|word| *word == first).map(|at| (at == 0).to_string()),
            Self::Ubigeo => serde_json::to_string(&[first.get(..2)?, first.get(..4)?, first.get(..6)?]).ok(),
            Self::List => serde_json::to_string(texts).ok(),
        }
    }
}

/// A document whose keys keep their order.
enum Node<'n> {
    Leaf(&'n str),
    Object(Vec<(Cow<'n, str>, Self)>),
    Array(Vec<Self>),
}

impl<'n> Node<'n> {
    fn read(json: &'n str) -> serde_json::Result<Self> {
        let raw: &RawValue = serde_json::from_str(json)?;
        Ok(match raw.get().as_bytes().first() {
            Some(b'{') => {
                let Entries(entries) = serde_json::from_str(raw.get())?;
                let entry = |(key, value): (_, &'n RawValue)| Ok((key, Self::read(value.get())?));
                Self::Object(entries.into_iter().map(entry).collect::<serde_json::Result<_>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(raw.get())?;
                Self::Array(items.into_iter().map(|item| Self::read(item.get())).collect::<serde_json::Result<_>>()?)
            }
            _ => Self::Leaf(raw.get()),
        })
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Leaf("true" | "false") => Kind::Flag,
            Self::Leaf(json) if json.starts_with('"') => day(json.trim_matches('"')).unwrap_or(Kind::Text),
            Self::Leaf("null") | Self::Object(_) => Kind::Text,
            Self::Leaf(_) => Kind::Number,
            Self::Array(items) => match items.as_slice() {
                [Self::Leaf(_), Self::Leaf(_), Self::Leaf(district)] if is_ubigeo(district) => Kind::Ubigeo,
                _ => Kind::List,
            },
        }
    }

    /// The JSON in place of this value if it is not known. `text` stands for a text.
    fn unknown(&self, text: &str) -> String {
        match self {
            Self::Leaf(mark @ ("null" | "\"\"" | "\"-\"")) => (*mark).to_owned(),
            Self::Leaf(json) if json.starts_with('"') => text.to_owned(),
            Self::Leaf(_) | Self::Object(_) => "null".to_owned(),
            Self::Array(_) if matches!(self.kind(), Kind::Ubigeo) => "[null,null,null]".to_owned(),
            Self::Array(_) => "[]".to_owned(),
        }
    }

    fn constant<R>(&self, pieces: &[Piece<R>]) -> String {
        let literal = |piece: &Piece<R>| if let Piece::Literal(text) = piece { text.clone() } else { String::new() };
        let value: String = pieces.iter().map(literal).collect();
        let is_text = matches!(self, Self::Leaf(json) if json.starts_with('"'));
        if is_text || serde_json::from_str::<&RawValue>(&value).is_err() { text(&value) } else { value }
    }
}

fn is_ubigeo(json: &str) -> bool {
    json.len() == 8 && json.trim_matches('"').parse::<Ubigeo>().is_ok()
}

fn day(text: &str) -> Option<Kind> {
    let (day, time) = text.split_at_checked(10)?;
    let is_day_first = Date::parse_dmy(day).is_ok();
    // The time of day is not known.
    let time = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    (is_day_first || Date::parse(day).is_ok()).then_some(Kind::Day { is_day_first, time })
}

/// A JSON string.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Calls with the pointer to an entry.
fn below<T>(at: &mut String, key: &str, then: impl FnOnce(&mut String) -> T) -> T {
    let length = at.len();
    at.push('/');
    at.push_str(&key.replace('~', "~0").replace('/', "~1"));
    let result = then(at);
    at.truncate(length);
    result
}

/// The entries of an object, in their order.
struct Entries<'e>(Vec<(Cow<'e, str>, &'e RawValue)>);

impl<'de: 'e, 'e> Deserialize<'de> for Entries<'e> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    entries.push((Cow::Owned(key), value));
                }
                Ok(Entries(entries))
            }
        }

        from.deserialize_map(InOrder).map(|Entries(entries)| Entries(entries))
    }
}
