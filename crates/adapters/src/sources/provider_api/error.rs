//! Why an answer cannot be believed, and why a provider cannot be asked.
//!
//! Evidence names fields and pointers, never what stands there: it may be a person's.

use kuraka_domain::DateError;
use thiserror::Error;

use super::field::Field;
use crate::sources::text::TextFault;

/// Why an answer cannot be believed.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// Longer than an answer can be.
    #[error("the answer is longer than 2 MiB")]
    TooLong,
    /// Not JSON, or JSON that says one thing twice.
    #[error("the answer is not one JSON document: {0}")]
    NotJson(serde_json::Error),
    /// Compressed, although that was not asked for.
    #[error("the answer is encoded although it was asked for as it is")]
    Encoded,
    /// No rule of the provider's file holds.
    #[error("no rule of the provider's file holds for this answer (status {status})")]
    UnknownAnswer {
        /// The HTTP status.
        status: u16,
    },
    /// Says both that there is a taxpayer and that there is none.
    #[error("the answer says that there is no such taxpayer and shows one")]
    Contradiction,
    /// About nobody.
    #[error("the answer does not say which RUC it is about")]
    NoRuc,
    /// About somebody else.
    #[error("the answer is about another RUC")]
    OtherRuc,
    /// A field is not where it should be.
    #[error("the field {field} is not at {at}")]
    Missing {
        /// The field.
        field: Field,
        /// Where the provider's file says it is.
        at: Box<str>,
    },
    /// A field is not of the form it should have.
    #[error("the field {field} at {at} has another form than it should")]
    Form {
        /// The field.
        field: Field,
        /// Where it stands.
        at: Box<str>,
    },
    /// A text cannot be believed.
    #[error("the field {field} {fault}")]
    Text {
        /// The field.
        field: Field,
        /// Why not.
        fault: TextFault,
    },
    /// A field without which there is no record says nothing.
    #[error("the field {0} is empty or masked")]
    Empty(Field),
    /// A date is none.
    #[error("the field {field} is no date: {fault}")]
    Date {
        /// The field.
        field: Field,
        /// Why not.
        fault: DateError,
    },
    /// A department that Peru does not have.
    #[error("the field department names none of the 25 departments")]
    Department,
    /// An activity without its code.
    #[error("the field activities has an entry that is not \"rank - code - description\"")]
    Activity,
}

/// Why a provider cannot be made ready.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// It needs a token and there is none.
    #[error("the provider {0} needs a token: set one, or take the provider out of the chain")]
    NoToken(Box<str>),
    /// The token cannot be sent.
    #[error("the token of the provider {0} has characters that a header cannot carry: look for a line end or a quote")]
    Token(Box<str>),
    /// The address that replaces the provider's own cannot be asked.
    #[error("the address of the provider {provider} {why}")]
    Address {
        /// The provider.
        provider: Box<str>,
        /// Why not.
        why: &'static str,
    },
}
