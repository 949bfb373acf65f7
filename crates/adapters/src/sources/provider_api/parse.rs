//! Classifies an answer and extracts its fields. Strict and pure.
//!
//! A record requires a match with the file's rule, the requested RUC, and the right type of every located field. A "not
//! found" requires a match with one of the file's rules for it, and no record in the same answer. Any other answer is
//! unreadable, never an absence.

use std::collections::BTreeMap;
use std::time::Duration;

use kuraka_domain::{Ruc, RucKind};
use serde_json::Value;

use super::error::{AnswerError, UnreadableAnswerError};
use super::field::{Field, Form};
use super::rule::Rule;
use super::spec::{FieldPlace, ProviderSpec};
use crate::sources::{json, text};

/// The longest lists have a few dozen texts.
const MAX_ITEMS: usize = 200;

/// The cleaned, uninterpreted fields of an answer.
#[derive(Debug, Default)]
pub(super) struct RawRecord {
    pub(super) texts: BTreeMap<Field, String>,
    pub(super) lists: BTreeMap<Field, Vec<String>>,
    pub(super) nulls: Vec<Field>,
}

#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: &'a [u8],
    pub(super) ruc: Ruc,
}

/// `None` = there is no such taxpayer.
pub(super) fn parse(spec: &ProviderSpec, answer: Answer<'_>) -> Result<Option<RawRecord>, AnswerError> {
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
    Ok(Some(gather(spec, &document, ruc)?))
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
    let contradicted = spec.places.iter().any(|place| place.field == Field::Name && is_there(place));
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
    let place = spec.places.iter().find(|place| place.field == Field::Ruc)?;
    match place.find(document)?.1 {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.as_u64()?.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn gather(spec: &ProviderSpec, document: &Value, ruc: Ruc) -> Result<RawRecord, UnreadableAnswerError> {
    let mut raw = RawRecord::default();
    let optional = || spec.places.iter().filter(|place| place.optional);
    // An answer has all optional fields or none.
    let fuller = optional().any(|place| place.find(document).is_some());
    // A natural person's address is never shown, and has many forms.
    let read_address = ruc.kind() == RucKind::LegalPerson;
    let is_read = |place: &&FieldPlace| {
        let wanted = if Field::ADDRESS.contains(&place.field) { read_address } else { fuller || !place.optional };
        wanted && place.field != Field::Ruc
    };
    for place in spec.places.iter().filter(is_read) {
        let (at, value) = place.find(document).ok_or_else(|| place.missing())?;
        let field = place.field;
        let wrong = || UnreadableAnswerError::Form { field, at: at.to_string().into() };
        let clean = |value: &str| text::clean(value).map_err(|fault| UnreadableAnswerError::Text { field, fault });
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

/// The non-empty texts; SUNAT writes `NINGUNO` for an empty list.
fn items(
    texts: impl IntoIterator<Item = Result<String, UnreadableAnswerError>>,
) -> Result<Vec<String>, UnreadableAnswerError> {
    texts.into_iter().filter(|text| text.as_ref().map_or(true, |text| !text.is_empty() && text != "NINGUNO")).collect()
}
