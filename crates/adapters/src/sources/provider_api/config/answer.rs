//! `[answer]`: the rules that classify answers.

use serde_json::Value as Scalar;
use toml::Value;

use super::file::{Entries, Fault, Located, at, pointer, several};
use crate::sources::provider_api::spec::Rule;

/// The key of a rule that is not a pointer.
const STATUS: &str = "status";

/// The rule for a record; status 200 by default.
pub(super) fn found(entries: Option<&Located<Entries>>) -> Result<Rule, Fault> {
    let mut rule = entries.map(|entries| read(entries.get_ref())).transpose()?.unwrap_or_default();
    rule.status.get_or_insert(200);
    Ok(rule)
}

pub(super) fn not_found(rules: &[Located<Entries>]) -> Result<Vec<Rule>, Fault> {
    let strict = |entries: &Located<Entries>| {
        let rule = rule(entries)?;
        if rule.values.is_empty() && rule.status.is_some_and(|status| status < 400) {
            let what = "a status below 400 alone does not say that a RUC does not exist: add a value that does";
            return Err(at(entries, what));
        }
        Ok(rule)
    };
    rules.iter().map(strict).collect()
}

/// The rules for throttling and refused credentials.
pub(super) fn rules(rules: &[Located<Entries>]) -> Result<Vec<Rule>, Fault> {
    rules.iter().map(rule).collect()
}

fn rule(entries: &Located<Entries>) -> Result<Rule, Fault> {
    if entries.get_ref().is_empty() {
        return Err(at(entries, "this rule would hold for every answer: give it a status or a value"));
    }
    read(entries.get_ref())
}

fn read(entries: &Entries) -> Result<Rule, Fault> {
    let mut rule = Rule::default();
    for (key, value) in entries {
        if key.get_ref() == STATUS {
            rule.status = Some(status(value)?);
        } else {
            rule.values.push((pointer(key, key.get_ref())?, scalars(value)?));
        }
    }
    Ok(rule)
}

fn status(value: &Located<Value>) -> Result<u16, Fault> {
    let status = value.get_ref().as_integer().and_then(|status| u16::try_from(status).ok());
    match status {
        Some(status @ (401 | 403 | 429 | 500..=599)) => Err(at(
            value,
            format!(
                "status {status} never reaches a rule: 401, 403, 429 and 500 to 599 mean the same for every provider"
            ),
        )),
        Some(status @ 200..=499) => Ok(status),
        _ => Err(at(value, "a status is a number from 200 to 599")),
    }
}

fn scalars(value: &Located<Value>) -> Result<Vec<Scalar>, Fault> {
    let scalars: Option<Vec<_>> = several(value.get_ref()).iter().map(scalar).collect();
    let what = "a rule compares with true, false, a whole number, a text, or a list of those";
    scalars.filter(|scalars| !scalars.is_empty()).ok_or_else(|| at(value, what))
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Boolean(value) => Some((*value).into()),
        Value::Integer(value) => Some((*value).into()),
        Value::String(value) => Some(value.as_str().into()),
        Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}
