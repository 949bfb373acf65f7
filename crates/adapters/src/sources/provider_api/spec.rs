//! A provider as data: how to query it, how to classify its answers, and where they contain the record's fields.

use std::fmt;

use serde_json::Value;

use super::dialect::Dialect;
use super::error::UnreadableAnswerError;
use super::field::Field;
use super::request::Template;
use crate::sources::text::folded;

#[derive(Clone, Debug)]
pub struct ProviderSpec {
    pub(super) request: Template,
    pub(super) found: Rule,
    pub(super) not_found: Vec<Rule>,
    pub(super) throttled: Vec<Rule>,
    pub(super) credentials: Vec<Rule>,
    pub(super) places: Vec<FieldPlace>,
    pub(super) dialect: Option<Dialect>,
}

/// Classifies an answer by a status, values at pointers, or both. All parts must match. Values are compared whole, not
/// searched for words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    /// The HTTP status; `None` = any.
    pub(super) status: Option<u16>,
    /// The values required at these pointers: `true`, `false`, whole numbers and texts.
    pub(super) values: Vec<(Pointer, Vec<Value>)>,
}

#[derive(Clone, Debug)]
pub(super) struct FieldPlace {
    pub(super) field: Field,
    /// Alternatives; the first that exists in the answer counts.
    pub(super) at: Vec<Pointer>,
    /// Whether `null` means that the field is empty.
    pub(super) nullable: bool,
    /// An answer has all optional fields or none.
    pub(super) optional: bool,
}

/// A JSON pointer (RFC 6901) such as `/data/ruc` or `/ubigeo/2`; never to the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer(Box<str>);

impl ProviderSpec {
    pub(super) fn place(&self, field: Field) -> Option<&FieldPlace> {
        self.places.iter().find(|place| place.field == field)
    }
}

impl Rule {
    pub(super) fn holds(&self, status: u16, document: &Value) -> bool {
        let value_holds = |(at, wanted): &(Pointer, Vec<Value>)| {
            at.find(document).is_some_and(|value| wanted.iter().any(|wanted| equals(wanted, value)))
        };
        self.status.is_none_or(|wanted| wanted == status) && self.values.iter().all(value_holds)
    }
}

/// In texts, case, runs of blanks and a full stop at the end are ignored.
fn equals(wanted: &Value, value: &Value) -> bool {
    match (wanted, value) {
        (Value::String(wanted), Value::String(text)) => sentence(wanted) == sentence(text),
        _ => wanted == value,
    }
}

fn sentence(text: &str) -> String {
    let folded = folded(text).to_lowercase();
    folded.trim_end_matches(['.', ' ']).to_owned()
}

impl FieldPlace {
    /// The first pointer that exists in the document, with its value.
    pub(super) fn find<'a>(&'a self, document: &'a Value) -> Option<(&'a Pointer, &'a Value)> {
        self.at.iter().find_map(|pointer| Some((pointer, pointer.find(document)?)))
    }

    pub(super) fn missing(&self) -> UnreadableAnswerError {
        let at = self.at.iter().map(Pointer::to_string).collect::<Vec<_>>().join(" or ");
        UnreadableAnswerError::Missing { field: self.field, at: at.into() }
    }
}

impl Pointer {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let tilde_is_escape = |rest: &str| rest.starts_with(['0', '1']);
        (text.starts_with('/') && text.split('~').skip(1).all(tilde_is_escape)).then(|| Self(text.into()))
    }

    pub(super) fn find<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        document.pointer(&self.0)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
