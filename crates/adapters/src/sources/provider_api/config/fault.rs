//! What can be wrong with a provider's file.

use thiserror::Error;
use toml::Spanned;

use crate::sources::provider_api::field::Field;

/// A fault of a provider's file, and its place.
#[derive(Debug, Error)]
#[error("{file}{}: {fault}", self.line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ConfigError {
    /// The path of the file, or the preset's name.
    pub file: Box<str>,
    /// The line, counted from 1, if the fault has one.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub fault: ConfigFault,
}

/// What is wrong with a provider's file, and what to do.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum ConfigFault {
    /// Not TOML, a key that does not exist, a value of the wrong type, a section that is missing.
    #[error("{0}")]
    Toml(Box<str>),
    /// A method other than GET and POST.
    #[error("the method {0:?} is not one of GET and POST")]
    Method(Box<str>),
    /// An address to which no request can be sent.
    #[error("the address {url:?} {why}")]
    Url {
        /// The address as written.
        url: Box<str>,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Neither the address nor the body holds the RUC.
    #[error("the request does not contain the RUC: write {{ruc}} in the address or in the body")]
    NoRuc,
    /// A GET with a body.
    #[error("a GET has no body: use POST, or put the values in the address")]
    BodyOfGet,
    /// A header that HTTP does not allow.
    #[error("the header {0:?} is not one that HTTP allows")]
    Header(Box<str>),
    /// An unknown place for the token.
    #[error("the token goes in \"header\", \"query\" or \"body\", not in {0:?}")]
    TokenPlace(Box<str>),
    /// A prefix for a token that is not in a header.
    #[error("only a token in a header has a prefix")]
    TokenPrefix,
    /// A text that is no JSON pointer.
    #[error("{0:?} is not a JSON pointer: write /name, /outer/inner or /list/0")]
    Pointer(Box<str>),
    /// A name that is no field of the record.
    #[error("the record has no field {name:?}; it has {}", names(Field::ALL))]
    UnknownField {
        /// The name as written.
        name: Box<str>,
    },
    /// A field in both `[fields]` and `[optional]`.
    #[error("the field {0} is in both [fields] and [optional]: leave it in one")]
    Twice(Field),
    /// A mandatory field is missing.
    #[error("[fields] lacks {0}: without it there is no record")]
    Missing(Field),
    /// The file has some parts of the address, but not all.
    #[error("[fields] has a part of the address but not {0}: give all of {all}, or none", all = names(&Field::ADDRESS))]
    HalfAddress(Field),
    /// A field's entry has an unknown structure.
    #[error("{0} takes a pointer, a list of pointers, or {{ at = pointer, nullable = true }}")]
    Entry(Field),
    /// A field that cannot be null is marked as nullable.
    #[error("{0} cannot be nullable")]
    Nullable(Field),
    /// An empty rule.
    #[error("this rule would hold for every answer: give it a status or a value")]
    EmptyRule,
    /// A status outside of 200 to 599.
    #[error("a status is a number from 200 to 599")]
    Status,
    /// A value that no rule can compare.
    #[error("a rule compares with true, false, a whole number, a text, or a list of those")]
    Scalar,
    /// A rule for a status that has a fixed meaning.
    #[error("status {0} never reaches a rule: 401, 403, 429 and 500 to 599 mean the same for every provider")]
    Unreachable(u16),
    /// A not-found rule that other answers would match too.
    #[error("a status below 400 alone does not say that a RUC does not exist: add a value that does")]
    LooseNotFound,
    /// A sample that the file's own rules read as something else.
    #[error("the sample {sample} is not read as {sample}: {why}")]
    Sample {
        /// The sample's name in the file.
        sample: &'static str,
        /// What it is read as, or why it cannot be read.
        why: Box<str>,
    },
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name()).collect::<Vec<_>>().join(", ")
}

/// What is wrong, and the byte offset in the file.
pub(super) type Fault = (ConfigFault, Option<usize>);

/// A fault at a value of the file.
pub(super) fn at<T>(value: &Spanned<T>, fault: ConfigFault) -> Fault {
    (fault, Some(value.span().start))
}
