//! Answers: the envelope on the wire, its headers, and what the edge needs to know of the outcome.

use std::borrow::Cow;
use std::fmt::{self, Write};

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use kuraka_app::Grant;
use kuraka_app::admit::Standing;
use kuraka_domain::{Envelope, ResultCode};
use kuraka_ports::{AccountId, TokenId};
use serde::Serialize;

use super::edge::{Exchange, Outcome, X_REQUEST_ID};
use super::{Api, code};
use crate::metrics::Operation;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub(crate) const X_SOURCE: HeaderName = HeaderName::from_static("x-source");
pub(crate) const X_SOURCE_STATUS: HeaderName = HeaderName::from_static("x-source-status");
pub(crate) const X_REGISTRY_EDITION: HeaderName = HeaderName::from_static("x-registry-edition");

/// Where an answer comes from, for its headers.
#[derive(Clone, Debug)]
pub(crate) struct Provenance {
    pub(crate) source: &'static str,
    pub(crate) status: &'static str,
    pub(crate) edition: Option<HeaderValue>,
}

/// An answer that is an error, on its way to the caller. Boxed: it is rare, and a result that may hold it stays small.
#[derive(Debug)]
pub(crate) struct Failure(Box<Details>);

#[derive(Debug)]
struct Details {
    code: ResultCode,
    message: Option<Cow<'static, str>>,
    extra: Vec<(HeaderName, HeaderValue)>,
    provenance: Option<Provenance>,
    standing: Option<Limits>,
    caller: Option<(AccountId, TokenId)>,
    cause: Option<Cow<'static, str>>,
    operation: Operation,
    id: HeaderValue,
}

/// What the rate-limit headers tell, with the plan it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    rate: u32,
    burst: u32,
    queries: u64,
    standing: Standing,
}

impl Limits {
    pub(crate) fn new(plan: &kuraka_app::Plan, standing: Standing) -> Self {
        Self { rate: plan.rate.get(), burst: plan.burst.get(), queries: plan.queries, standing }
    }

    /// `RateLimit-Policy` and `RateLimit` of the IETF draft: the burst and its window, the month and what is left.
    fn write(&self, response: &mut HttpResponseBuilder) {
        let Standing { rate, left, period_seconds, seconds_left } = self.standing;
        let mut text = String::with_capacity(96);
        let window = self.burst.div_ceil(self.rate).max(1);
        let _ =
            write!(text, "\"burst\";q={};w={window}, \"monthly\";q={};w={period_seconds}", self.burst, self.queries);
        insert(response, RATE_LIMIT_POLICY, &text);
        text.clear();
        let _ = write!(text, "\"burst\";r={};t={}", rate.remaining, rate.full_in.max(1));
        if let Some(left) = left {
            let _ = write!(text, ", \"monthly\";r={left};t={seconds_left}");
        }
        insert(response, RATE_LIMIT, &text);
    }
}

fn insert(response: &mut HttpResponseBuilder, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        response.insert_header((name, value));
    }
}

/// A found record.
pub(crate) fn found<T: Serialize>(
    api: &Api,
    exchange: &Exchange,
    operation: Operation,
    grant: &Grant,
    provenance: Provenance,
    data: T,
) -> Result<HttpResponse, Failure> {
    let took = api.clock.monotonic().saturating_sub(exchange.started);
    // Microseconds are as fine as the figure is good for.
    let time = took.as_micros() as f64 / 1e6;
    let envelope = Envelope::Found { data, time };
    let mut bytes = Vec::with_capacity(512);
    if let Err(error) = serde_json::to_writer(&mut bytes, &envelope) {
        let failure = Failure::new(exchange, operation, ResultCode::InternalError);
        return Err(failure.granted(grant).because(error.to_string()));
    }
    let mut response = HttpResponse::Ok();
    usual_headers(&mut response, &exchange.id);
    Limits::new(&grant.caller.plan, grant.standing).write(&mut response);
    provenance.write(&mut response);
    let mut response = response.body(bytes);
    let caller = Some((grant.caller.account, grant.caller.token));
    response.extensions_mut().insert(Outcome { operation, code: ResultCode::Found, caller, cause: None });
    Ok(response)
}

/// The answer to a handler that panicked.
pub(crate) fn panicked(exchange: &Exchange, text: &str) -> Failure {
    Failure::new(exchange, Operation::Other, ResultCode::InternalError).because(text.to_owned())
}

impl Provenance {
    fn write(&self, response: &mut HttpResponseBuilder) {
        response.insert_header((X_SOURCE, HeaderValue::from_static(self.source)));
        response.insert_header((X_SOURCE_STATUS, HeaderValue::from_static(self.status)));
        if let Some(edition) = &self.edition {
            response.insert_header((X_REGISTRY_EDITION, edition.clone()));
        }
    }
}

impl Failure {
    pub(crate) fn new(exchange: &Exchange, operation: Operation, code: ResultCode) -> Self {
        Self(Box::new(Details {
            code,
            message: None,
            extra: Vec::new(),
            provenance: None,
            standing: None,
            caller: None,
            cause: None,
            operation,
            id: exchange.id.clone(),
        }))
    }

    /// A message more exact than the code's usual one.
    pub(crate) fn saying(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.0.message = Some(message.into());
        self
    }

    /// What lies behind it, for the log only.
    pub(crate) fn because(mut self, cause: impl Into<Cow<'static, str>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.extra.push((name, value));
        self
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub(crate) fn limits(mut self, limits: Limits) -> Self {
        self.0.standing = Some(limits);
        self
    }

    pub(crate) fn caller(mut self, account: AccountId, token: TokenId) -> Self {
        self.0.caller = Some((account, token));
        self
    }

    /// The call was admitted and charged.
    pub(crate) fn granted(self, grant: &Grant) -> Self {
        let limits = Limits::new(&grant.caller.plan, grant.standing);
        self.limits(limits).caller(grant.caller.account, grant.caller.token)
    }

    pub(crate) fn told_by(mut self, provenance: Provenance) -> Self {
        self.0.provenance = Some(provenance);
        self
    }

    pub(crate) fn into_response(self) -> HttpResponse {
        self.render()
    }

    fn render(&self) -> HttpResponse {
        let Details { code, message, extra, provenance, standing, caller, cause, operation, id } = &*self.0;
        let message = message.clone().unwrap_or(Cow::Borrowed(code::message(*code)));
        let envelope: Envelope<()> = Envelope::Failed { code: *code, message };
        let mut response = HttpResponse::build(code::status(*code));
        usual_headers(&mut response, id);
        for (name, value) in extra {
            response.insert_header((name.clone(), value.clone()));
        }
        if let Some(limits) = standing {
            limits.write(&mut response);
        }
        if let Some(provenance) = provenance {
            provenance.write(&mut response);
        }
        // An envelope of texts always serialises; an empty body would be the lesser evil if it did not.
        let mut response = response.body(serde_json::to_vec(&envelope).unwrap_or_default());
        let outcome = Outcome { operation: *operation, code: *code, caller: *caller, cause: cause.clone() };
        response.extensions_mut().insert(outcome);
        response
    }
}

fn usual_headers(response: &mut HttpResponseBuilder, id: &HeaderValue) {
    response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static("application/json")));
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")));
    response.insert_header((header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")));
    response.insert_header((X_REQUEST_ID, id.clone()));
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.code.fmt(f)
    }
}

impl ResponseError for Failure {
    fn error_response(&self) -> HttpResponse {
        self.render()
    }
}
