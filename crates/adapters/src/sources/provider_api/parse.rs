//! Classifies an answer by its status and body. Strict; does no I/O.
//!
//! A record requires a match with the file's rule for records, the requested RUC, and the right type for every field in
//! the file. A "not found" requires a match with one of the file's rules for it, and no record in the same answer. Any
//! other answer is unreadable; it is never read as an absence.

use std::time::Duration;

use kuraka_domain::{Ruc, RucKind, TaxpayerDetail};
use kuraka_ports::SourceErrorKind;
use serde_json::Value;
use thiserror::Error;

use super::error::Unreadable;
use super::field::{Field, Form};
use super::map;
use super::raw::RawRecord;
use super::rule::Rule;
use super::spec::{Place, ProviderSpec};
use crate::sources::{MAX_BODY, json, text};

/// Most texts in one list. The longest lists, of padrones and electronic systems, have a few dozen.
const MAX_ITEMS: usize = 200;

/// An answer that holds neither a record nor an absence.
#[derive(Debug, Error)]
pub enum Failure {
    /// The provider refuses our token, or our IP address.
    #[error("the provider refuses our credentials (status {status}): check the token and the plan behind it")]
    Credentials {
        /// The HTTP status.
        status: u16,
    },
    /// The provider asks clients to wait.
    #[error("the provider asks for patience")]
    Throttled,
    /// The provider has an internal fault.
    #[error("the provider answers with status {status}")]
    Unavailable {
        /// The HTTP status.
        status: u16,
    },
    /// The answer is refused.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

impl Failure {
    /// The port's kind of failure; `patience` is how long the provider asks us to wait.
    #[must_use]
    pub const fn kind(&self, patience: Option<Duration>) -> SourceErrorKind {
        match self {
            Self::Credentials { .. } => SourceErrorKind::Credentials,
            Self::Throttled => SourceErrorKind::Throttled { retry_after: patience },
            Self::Unavailable { .. } => SourceErrorKind::Unavailable,
            Self::Unreadable(_) => SourceErrorKind::Unreadable,
        }
    }
}

/// Reads an answer about `ruc`; `None` = there is no such taxpayer.
pub(super) fn read(spec: &ProviderSpec, status: u16, body: &[u8], ruc: Ruc) -> Result<Option<TaxpayerDetail>, Failure> {
    if let Some(failure) = of_status(status) {
        return Err(failure);
    }
    if body.len() > MAX_BODY {
        return Err(Unreadable::TooLong.into());
    }
    let document = json::read(body).map_err(Unreadable::NotJson)?;
    let any = |rules: &[Rule]| rules.iter().any(|rule| rule.holds(status, &document));
    let found = spec.found.holds(status, &document);
    if any(&spec.not_found) {
        return absent(spec, &document, found).map_err(Failure::from);
    }
    if any(&spec.credentials) {
        return Err(Failure::Credentials { status });
    }
    if any(&spec.throttled) {
        return Err(Failure::Throttled);
    }
    if !found {
        return Err(Unreadable::UnknownAnswer { status }.into());
    }
    // Checked first: the data of another taxpayer must not be read.
    compare(spec, &document, ruc)?;
    Ok(Some(map::detail(&gather(spec, &document, ruc)?, ruc)?))
}

/// The failure that a status means, regardless of the body.
pub(super) const fn of_status(status: u16) -> Option<Failure> {
    match status {
        401 | 403 => Some(Failure::Credentials { status }),
        429 => Some(Failure::Throttled),
        500..=599 => Some(Failure::Unavailable { status }),
        _ => None,
    }
}

/// An absence, unless the answer also holds a record.
fn absent(spec: &ProviderSpec, document: &Value, found: bool) -> Result<Option<TaxpayerDetail>, Unreadable> {
    let is_there = |place: &Place| place.find(document).is_some_and(|(_, value)| !value.is_null());
    let contradicted = spec.places.iter().any(|place| place.field == Field::Name && is_there(place));
    if found && !spec.found.values.is_empty() || contradicted { Err(Unreadable::Contradiction) } else { Ok(None) }
}

/// Checks that the answer is about the requested taxpayer.
fn compare(spec: &ProviderSpec, document: &Value, asked: Ruc) -> Result<(), Unreadable> {
    let place = spec.places.iter().find(|place| place.field == Field::Ruc).ok_or(Unreadable::NoRuc)?;
    let (_, value) = place.find(document).ok_or(Unreadable::NoRuc)?;
    let said = match value {
        Value::String(text) => Ruc::parse(text.trim()).ok(),
        Value::Number(number) => number.as_u64().and_then(|number| Ruc::try_from(number).ok()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    match said {
        Some(said) if said == asked => Ok(()),
        Some(_) => Err(Unreadable::OtherRuc),
        None => Err(Unreadable::NoRuc),
    }
}

fn gather(spec: &ProviderSpec, document: &Value, ruc: Ruc) -> Result<RawRecord, Unreadable> {
    let mut raw = RawRecord::default();
    let optional = || spec.places.iter().filter(|place| place.optional);
    // If an answer has one of the optional fields, it must have all of them.
    let fuller = optional().any(|place| place.find(document).is_some());
    // A natural person's address is never shown, and providers write it in many ways.
    let read_address = ruc.kind() == RucKind::LegalPerson;
    let is_read = |place: &&Place| {
        let wanted = if Field::ADDRESS.contains(&place.field) { read_address } else { fuller || !place.optional };
        wanted && place.field != Field::Ruc
    };
    for place in spec.places.iter().filter(is_read) {
        let (at, value) = place.find(document).ok_or_else(|| place.missing())?;
        let field = place.field;
        let wrong = || Unreadable::Form { field, at: at.to_string().into() };
        let clean = |value: &str| text::clean(value).map_err(|fault| Unreadable::Text { field, fault });
        match (value, field.form()) {
            (Value::Null, _) if place.nullable || Field::ADDRESS.contains(&field) => raw.nulls.push(field),
            (Value::String(value), Form::Text | Form::Date) => {
                raw.texts.insert(field, clean(value)?);
            }
            (Value::String(value), Form::Texts) => {
                raw.lists.insert(field, items([clean(value)])?);
            }
            (Value::Array(values), Form::Texts) if values.len() <= MAX_ITEMS => {
                let texts = values.iter().map(|value| clean(value.as_str().ok_or_else(wrong)?));
                raw.lists.insert(field, items(texts)?);
            }
            _ => return Err(wrong()),
        }
    }
    Ok(raw)
}

/// The texts that are not empty; SUNAT writes `NINGUNO` for an empty list.
fn items(texts: impl IntoIterator<Item = Result<String, Unreadable>>) -> Result<Vec<String>, Unreadable> {
    texts.into_iter().filter(|text| text.as_ref().map_or(true, |text| !text.is_empty() && text != "NINGUNO")).collect()
}
