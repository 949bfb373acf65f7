//! Classifies an answer. Strict and pure.
//!
//! A record requires a match with the file's rule, and the requested RUC. A "not found" requires a match with one of the
//! file's rules for it, and no record in the same answer. Any other answer is unreadable, never an absence.

use std::time::Duration;

use kuraka_domain::Ruc;
use serde_json::Value;

use super::error::{AnswerError, UnreadableAnswerError};
use super::field::Field;
use super::spec::{FieldPlace, ProviderSpec, Rule};
use crate::sources::json;

#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: &'a [u8],
    pub(super) ruc: Ruc,
}

/// The document with the taxpayer's record; `None` = there is no such taxpayer.
pub(super) fn parse(spec: &ProviderSpec, answer: Answer<'_>) -> Result<Option<Value>, AnswerError> {
    let Answer { status, retry_after, body, ruc } = answer;
    check_status(status, retry_after)?;
    let document = json::read(body).map_err(UnreadableAnswerError::NotJson)?;
    let any = |rules: &[Rule]| rules.iter().any(|rule| rule.holds(status, &document));
    let found = spec.found.holds(status, &document);
    if any(&spec.not_found) {
        return absent(spec, &document, found).map(|()| None).map_err(AnswerError::from);
    }
    if any(&spec.credentials) {
        return Err(AnswerError::Credentials { status });
    }
    if any(&spec.throttled) {
        return Err(AnswerError::Throttled { retry_after });
    }
    if !found {
        return Err(UnreadableAnswerError::UnknownAnswer { status }.into());
    }
    // First: another taxpayer's data must not be read.
    compare(spec, &document, ruc)?;
    Ok(Some(document))
}

/// Refuses a status that means a failure, whatever the body.
pub(super) const fn check_status(status: u16, retry_after: Option<Duration>) -> Result<(), AnswerError> {
    match status {
        401 | 403 => Err(AnswerError::Credentials { status }),
        429 => Err(AnswerError::Throttled { retry_after }),
        500..=599 => Err(AnswerError::Unavailable { status }),
        _ => Ok(()),
    }
}

/// An absence, unless the answer also holds a record.
fn absent(spec: &ProviderSpec, document: &Value, found: bool) -> Result<(), UnreadableAnswerError> {
    let is_there = |place: &FieldPlace| place.find(document).is_some_and(|(_, value)| !value.is_null());
    let contradicted = spec.place(Field::Name).is_some_and(is_there);
    if found && !spec.found.values.is_empty() || contradicted {
        Err(UnreadableAnswerError::Contradiction)
    } else {
        Ok(())
    }
}

fn compare(spec: &ProviderSpec, document: &Value, asked: Ruc) -> Result<(), UnreadableAnswerError> {
    match ruc_of(spec, document).and_then(|text| Ruc::parse(&text).ok()) {
        Some(said) if said == asked => Ok(()),
        Some(_) => Err(UnreadableAnswerError::OtherRuc),
        None => Err(UnreadableAnswerError::NoRuc),
    }
}

/// The RUC, as text or number.
pub(super) fn ruc_of(spec: &ProviderSpec, document: &Value) -> Option<String> {
    match spec.place(Field::Ruc)?.find(document)?.1 {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.as_u64()?.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
