//! The file's TOML structure, with byte offsets for errors.

use std::collections::BTreeMap;

use serde::Deserialize;
pub(super) use toml::Spanned as Located;
use toml::Value;

use crate::sources::provider_api::spec::Pointer;

/// Pointers or field names, with their values.
pub(super) type Entries = BTreeMap<Located<String>, Located<Value>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) request: Request,
    #[serde(default)]
    pub(super) answer: Answer,
    pub(super) fields: Located<Entries>,
    #[serde(default)]
    pub(super) optional: Entries,
    pub(super) sample: Option<Samples>,
    pub(super) dialect: Option<Dialect>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) method: Located<String>,
    pub(super) url: Located<String>,
    #[serde(default)]
    pub(super) headers: BTreeMap<Located<String>, Located<String>>,
    pub(super) body: Option<Located<BTreeMap<String, String>>>,
    pub(super) token: Option<Token>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    pub(super) r#in: Located<String>,
    pub(super) name: Located<String>,
    pub(super) prefix: Option<Located<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub(super) found: Option<Located<Entries>>,
    #[serde(default)]
    pub(super) not_found: Vec<Located<Entries>>,
    #[serde(default)]
    pub(super) throttled: Vec<Located<Entries>>,
    #[serde(default)]
    pub(super) credentials: Vec<Located<Entries>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Samples {
    pub(super) found: Sample,
    pub(super) not_found: Option<Sample>,
    pub(super) throttled: Option<Sample>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sample {
    pub(super) status: u16,
    pub(super) body: Located<String>,
}

/// Texts at pointers into a body.
pub(super) type Values = BTreeMap<Located<String>, Located<String>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dialect {
    #[serde(default)]
    pub(super) tokens: Vec<Token>,
    pub(super) cut_at: Option<usize>,
    pub(super) error: ErrorAnswer,
    pub(super) not_found: Option<Sample>,
    pub(super) forms: Vec<Form>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    #[serde(default)]
    pub(super) about: About,
    pub(super) paths: Located<Vec<String>>,
    #[serde(default)]
    pub(super) when: Vec<String>,
    pub(super) parameter: Option<String>,
    pub(super) list: Option<Located<String>>,
    pub(super) body: Option<Located<String>>,
    #[serde(default)]
    pub(super) values: Values,
    pub(super) not_found: Option<Sample>,
    pub(super) error: Option<ErrorAnswer>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum About {
    #[default]
    Taxpayer,
    ExchangeRate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ErrorAnswer {
    pub(super) body: Located<String>,
    pub(super) values: Values,
}

pub(super) struct Fault {
    /// What is wrong, and what to do.
    pub(super) what: String,
    /// The byte offset in the file.
    pub(super) at: Option<usize>,
}

pub(super) fn at<T>(value: &Located<T>, what: impl Into<String>) -> Fault {
    Fault { what: what.into(), at: Some(value.span().start) }
}

pub(super) fn read(text: &str) -> Result<File, Fault> {
    toml::from_str(text).map_err(|error: toml::de::Error| Fault {
        what: error.message().to_owned(),
        at: error.span().map(|span| span.start),
    })
}

/// The elements of an array, or the value itself.
pub(super) fn several(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

pub(super) fn pointer<T>(within: &Located<T>, text: &str) -> Result<Pointer, Fault> {
    Pointer::parse(text)
        .ok_or_else(|| at(within, format!("{text:?} is not a JSON pointer: write /name, /outer/inner or /list/0")))
}
