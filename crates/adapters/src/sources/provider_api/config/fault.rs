//! What can be wrong with a provider's file.

use thiserror::Error;
use toml::Spanned;

use crate::sources::provider_api::field::Field;

/// A provider's file that cannot be used, and where.
#[derive(Debug, Error)]
#[error("{file}{}: {fault}", self.line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ConfigError {
    /// The file, or the preset's name.
    pub file: Box<str>,
    /// The line, counted from 1, if the fault has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: ConfigFault,
}

/// What is wrong, and what to do.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum ConfigFault {
    /// Not TOML, a key that does not exist, a value of the wrong type, a section that is missing.
    #[error("{0}")]
    Toml(Box<str>),
    /// The method is none that providers have.
    #[error("the method {0:?} is not one of GET and POST")]
    Method(Box<str>),
    /// The address cannot be asked.
    #[error("the address {url:?} {why}")]
    Url {
        /// The address as written.
        url: Box<str>,
        /// Why not.
        why: &'static str,
    },
    /// The RUC is in neither the address nor the body.
    #[error("nothing says which RUC is asked: write {{ruc}} in the address or in the body")]
    NoRuc,
    /// A GET with a body.
    #[error("a GET has no body: use POST, or put the values in the address")]
    BodyOfGet,
    /// A header that HTTP does not allow.
    #[error("the header {0:?} is not one that HTTP allows")]
    Header(Box<str>),
    /// A place for the token that does not exist.
    #[error("the token goes in \"header\", \"query\" or \"body\", not in {0:?}")]
    TokenPlace(Box<str>),
    /// A prefix where none can stand.
    #[error("only a token in a header has a prefix")]
    TokenPrefix,
    /// Not a pointer.
    #[error("{0:?} is not a JSON pointer: write /name, /outer/inner or /list/0")]
    Pointer(Box<str>),
    /// Not a field of the record.
    #[error("the record has no field {name:?}; it has {}", names(Field::ALL))]
    UnknownField {
        /// The name as written.
        name: Box<str>,
    },
    /// Placed both as always there and as optional.
    #[error("the field {0} is in both [fields] and [optional]: leave it in one")]
    Twice(Field),
    /// A field that every provider must have.
    #[error("[fields] lacks {0}: without it there is no record")]
    Missing(Field),
    /// Only a part of the address.
    #[error("[fields] has a part of the address but not {0}: place all of {all}, or none", all = names(&Field::ADDRESS))]
    HalfAddress(Field),
    /// A field entry of another form.
    #[error("{0} is placed by a pointer, a list of pointers, or {{ at = pointer, nullable = true }}")]
    Entry(Field),
    /// A field that cannot be null.
    #[error("{0} cannot be nullable")]
    Nullable(Field),
    /// A rule without anything in it.
    #[error("this rule would hold for every answer: give it a status or a value")]
    EmptyRule,
    /// A rule's status that is no status.
    #[error("a status is a number from 200 to 599")]
    Status,
    /// A rule's value that cannot be compared.
    #[error("a rule compares with true, false, a whole number, a text, or a list of those")]
    Scalar,
    /// A rule that no answer reaches.
    #[error("status {0} never reaches a rule: 401, 403, 429 and 500 to 599 mean the same for every provider")]
    Unreachable(u16),
    /// A not-found rule that a stray answer would meet.
    #[error("a status below 400 alone does not say that a RUC does not exist: add a value that does")]
    LooseNotFound,
    /// A sample that the file's own rules do not read.
    #[error("the sample {sample} is not read as {sample}: {why}")]
    Sample {
        /// Which sample.
        sample: &'static str,
        /// What it is read as.
        why: Box<str>,
    },
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name()).collect::<Vec<_>>().join(", ")
}

/// What is wrong, and the byte at which it stands.
pub(super) type Fault = (ConfigFault, Option<usize>);

/// A fault at a value of the file.
pub(super) fn at<T>(value: &Spanned<T>, fault: ConfigFault) -> Fault {
    (fault, Some(value.span().start))
}
