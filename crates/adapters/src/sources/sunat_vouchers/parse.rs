//! Parses status and body into what the service says. Strict and pure.
//!
//! A validation requires status 200, one JSON object that reports success, and a status of the voucher. The object does
//! not repeat the voucher: it is about the one requested on the same connection. Any other answer is unreadable, but for
//! known refusals and a missing status, which happens at times and is never read as "does not exist".

use std::time::Duration;

use kuraka_domain::{IssuerCondition, IssuerStatus, Voucher, VoucherStatus, VoucherValidation};
use reqwest::header::HeaderValue;
use serde_json::Value;

use super::error::{AnswerError, Side, UnreadableAnswerError};
use crate::sources::{json, text};

/// Recorded answers have a handful.
const MAX_OBSERVATIONS: usize = 100;
/// The tables have one or two digits, older answers four.
const MAX_CODE: usize = 4;
/// In characters.
const MAX_REASON_CHARS: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// `estadoCp`.
    pub status: VoucherStatus,
    /// `estadoRuc`, if stated.
    pub issuer_status: Option<IssuerStatus>,
    /// `condDomiRuc`, if stated.
    pub issuer_condition: Option<IssuerCondition>,
    /// `observaciones`, without the leading `- `.
    pub observations: Vec<String>,
}

impl Statement {
    /// The record about `voucher`.
    pub(super) fn about(self, voucher: &Voucher) -> VoucherValidation {
        let Self { status, issuer_status, issuer_condition, observations } = self;
        let Voucher { issuer, series, number, .. } = *voucher;
        VoucherValidation { issuer, series, number, status, issuer_status, issuer_condition, observations }
    }
}

pub(super) fn parse(status: u16, body: &[u8], retry_after: Option<Duration>) -> Result<Statement, AnswerError> {
    let side = Side::Api;
    match status {
        200 => statement(body).map_err(|why| side.unreadable(why)),
        400 | 422 => Err(match reason(body) {
            Some(reason) => AnswerError::Rejected { status, reason },
            // A system in between answered, which has no vouchers.
            None => side.unreadable(UnreadableAnswerError::Status { status }),
        }),
        403 if json::read(body).is_ok() => Err(AnswerError::Credentials { side, status }),
        _ => Err(refusal(side, status, retry_after)),
    }
}

/// The meaning of a status other than 200, whatever the body.
const fn refusal(side: Side, status: u16, retry_after: Option<Duration>) -> AnswerError {
    match status {
        401 => AnswerError::Credentials { side, status },
        403 => AnswerError::Refused { side, status },
        429 => AnswerError::Throttled { side, retry_after },
        408 | 500..=599 => AnswerError::Down { side, status },
        _ => AnswerError::Unreadable { side, source: UnreadableAnswerError::Status { status } },
    }
}

fn statement(body: &[u8]) -> Result<Statement, UnreadableAnswerError> {
    let document = json::read(body).map_err(UnreadableAnswerError::NotJson)?;
    if document.get("success") != Some(&Value::Bool(true)) {
        return Err(UnreadableAnswerError::NoSuccess);
    }
    let data = document.get("data").filter(|data| data.is_object()).ok_or(UnreadableAnswerError::Missing("data"))?;
    let status = code(data, "estadoCp")?.ok_or(UnreadableAnswerError::NoStatus)?;
    Ok(Statement {
        status: VoucherStatus::from_code(&status),
        issuer_status: code(data, "estadoRuc")?.map(|code| IssuerStatus::from_code(&code)),
        issuer_condition: code(data, "condDomiRuc")?.map(|code| IssuerCondition::from_code(&code)),
        observations: observations(data)?,
    })
}

/// A few digits, as text or number. Empty, `null` and absent mean none.
fn code(data: &Value, field: &'static str) -> Result<Option<String>, UnreadableAnswerError> {
    let digits = match data.get(field) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => return Err(UnreadableAnswerError::Form(field)),
    };
    if digits.is_empty() {
        return Ok(None);
    }
    let is_code = digits.len() <= MAX_CODE && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_code { Ok(Some(digits)) } else { Err(UnreadableAnswerError::Form(field)) }
}

fn observations(data: &Value) -> Result<Vec<String>, UnreadableAnswerError> {
    const FIELD: &str = "observaciones";
    let items = match data.get(FIELD) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) if items.len() <= MAX_OBSERVATIONS => items,
        Some(_) => return Err(UnreadableAnswerError::Form(FIELD)),
    };
    let mut observations = Vec::with_capacity(items.len());
    for item in items {
        let written = item.as_str().ok_or(UnreadableAnswerError::Form(FIELD))?.trim();
        let written = written.strip_prefix("- ").unwrap_or(written);
        let clean = text::clean(written).map_err(|fault| UnreadableAnswerError::Text { field: FIELD, fault })?;
        if !clean.is_empty() {
            observations.push(clean);
        }
    }
    Ok(observations)
}

fn reason(body: &[u8]) -> Option<Box<str>> {
    let document = json::read(body).ok()?;
    let said = ["message", "msg"].into_iter().find_map(|field| document.get(field)?.as_str())?;
    let clean = text::clean(said).ok().filter(|clean| !clean.is_empty() && !clean.contains(['<', '>']))?;
    Some(clean.chars().take(MAX_REASON_CHARS).collect())
}

#[derive(Debug)]
pub(super) struct Granted {
    /// The `Authorization` header, marked as sensitive.
    pub(super) header: HeaderValue,
    /// Its lifetime in seconds, if stated and positive.
    pub(super) seconds: Option<u64>,
}

pub(super) fn parse_token(status: u16, body: &[u8], retry_after: Option<Duration>) -> Result<Granted, AnswerError> {
    let side = Side::TokenEndpoint;
    let is_json = || json::read(body).is_ok_and(|document| document.is_object());
    match status {
        200 => granted(body).map_err(|why| side.unreadable(why)),
        400 | 403 if is_json() => Err(AnswerError::Credentials { side, status }),
        _ => Err(refusal(side, status, retry_after)),
    }
}

fn granted(body: &[u8]) -> Result<Granted, UnreadableAnswerError> {
    const FIELD: &str = "access_token";
    let document = json::read(body).map_err(UnreadableAnswerError::NotJson)?;
    let token = document
        .get(FIELD)
        .ok_or(UnreadableAnswerError::Missing(FIELD))?
        .as_str()
        .ok_or(UnreadableAnswerError::Form(FIELD))?;
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(UnreadableAnswerError::Form(FIELD));
    }
    let seconds = document.get("expires_in").and_then(|life| match life {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    });
    let mut header =
        HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| UnreadableAnswerError::Form(FIELD))?;
    header.set_sensitive(true);
    Ok(Granted { header, seconds: seconds.filter(|seconds| *seconds > 0) })
}
