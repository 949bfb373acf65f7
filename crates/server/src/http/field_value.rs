//! The value of a field, and the JSON type of an unparsed value with its Spanish name.

use std::borrow::Cow;

use serde_json::value::RawValue;

pub(super) enum Value<'a> {
    /// A JSON value as written.
    Json(&'a RawValue),
    /// Of a form, the query string or the path.
    Text(Cow<'a, str>),
    /// Of a form, or the lines of a text.
    List(Vec<FormItem<'a>>),
}

#[derive(Clone)]
pub(super) enum FormItem<'a> {
    Text(Cow<'a, str>),
    Fields(Vec<(Cow<'a, str>, Cow<'a, str>)>),
}

/// Detected from the first character.
pub(super) enum Kind {
    Text,
    Number,
    Other(&'static str),
}

pub(super) const A_LIST: &str = "una lista";
pub(super) const A_TEXT: &str = "un texto entre comillas";
pub(super) const AN_OBJECT: &str = "un objeto";

impl Kind {
    pub(super) const fn in_spanish(self) -> &'static str {
        match self {
            Self::Text => "un texto",
            Self::Number => "un número",
            Self::Other(name) => name,
        }
    }
}

pub(super) fn kind_of(raw: &str) -> Kind {
    match raw.as_bytes().first() {
        Some(b'"') => Kind::Text,
        Some(b'{') => Kind::Other(AN_OBJECT),
        Some(b'[') => Kind::Other(A_LIST),
        Some(b't' | b'f') => Kind::Other("un valor lógico"),
        Some(b'n') => Kind::Other("null"),
        Some(_) | None => Kind::Number,
    }
}
