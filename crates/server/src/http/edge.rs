//! What every request goes through, routed or not: an id, the time it began, and after it a count and a line of log.
//! A panic inside becomes an answer like any other.
//!
//! It is a function that handlers call and not a middleware: a middleware would box the request's future and carry
//! what it knows through two maps of extensions, which costs more than a lookup.

use std::any::Any;
use std::cell::OnceCell;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use actix_web::http::ConnectionType;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::FutureExt;
use kuraka_app::{Caller, Charge, token};
use kuraka_domain::{ResultCode, Ruc};
use uuid::Uuid;

use super::answer::Answer;
use super::limits::Limits;
use super::{Api, address};
use crate::metrics::Operation;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One request on its way to an answer.
pub(crate) struct RequestContext {
    pub(crate) request: HttpRequest,
    pub(crate) api: Data<Api>,
    pub(crate) operation: Operation,
    /// Monotonic time at which the request's head had been read.
    pub(crate) started: Duration,
    /// Who was charged for it and what, once the call is admitted.
    pub(crate) charged: OnceCell<(Arc<Caller>, Charge)>,
}

impl RequestContext {
    /// Time since the request's head had been read.
    pub(crate) fn took(&self) -> Duration {
        self.api.clock.monotonic().saturating_sub(self.started)
    }
}

/// Lets `work` find the answer to a request, and sends, counts and logs it.
pub(crate) async fn exchange(
    request: HttpRequest,
    api: Data<Api>,
    operation: Operation,
    work: impl AsyncFnOnce(&RequestContext) -> Answer,
) -> HttpResponse {
    let started = api.clock.monotonic();
    let exchange = RequestContext { request, api, operation, started, charged: OnceCell::new() };
    let mut departure = DisconnectGuard { exchange: &exchange, answered: false };
    let answer = match AssertUnwindSafe(work(&exchange)).catch_unwind().await {
        Ok(answer) => answer,
        Err(panic) => refunded(&exchange).with_cause(panic_text(panic.as_ref()).to_owned()),
    };
    departure.answered = true;
    drop(departure);
    let took = answer.took.unwrap_or_else(|| exchange.took());
    exchange.api.metrics.answered(operation, answer.code, took);
    let given = exchange.request.headers().get(X_REQUEST_ID).filter(|id| may_be_kept(id.as_bytes())).cloned();
    let id = given.unwrap_or_else(new_id);
    if let (Some(caller), Some(operation)) = (&answer.caller, exchange.operation.in_daily_usage()) {
        caller.count(operation, answer.code);
    }
    log(&exchange, &answer, &id, took);
    let mut response = answer.into_response(id);
    if exchange.api.draining.load(Ordering::Relaxed) {
        // Whoever keeps connections takes the next call elsewhere before this one is closed under it.
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    response
}

/// A bug is answered for nothing.
fn refunded(exchange: &RequestContext) -> Answer {
    let answer = Answer::failed(ResultCode::InternalError);
    let Some((caller, charge)) = exchange.charged.get() else { return answer };
    exchange.api.admission.refund(caller, *charge);
    answer.caller(caller).limits(Limits::new(&caller.plan, exchange.api.admission.standing(caller)))
}

/// Notices that a caller goes away: the request's future is dropped, and nothing after it ever runs.
struct DisconnectGuard<'a> {
    exchange: &'a RequestContext,
    answered: bool,
}

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        let RequestContext { request, api, operation, .. } = self.exchange;
        api.metrics.left(*operation);
        let micros = u64::try_from(self.exchange.took().as_micros()).unwrap_or(u64::MAX);
        let client = address::client(request, &api.trusted_proxies).map(|ip: IpAddr| ip.to_string());
        tracing::info!(operation = operation.as_str(), client, micros, "the caller went away before the answer");
    }
}

fn log(exchange: &RequestContext, answer: &Answer, id: &HeaderValue, took: Duration) {
    let operation = exchange.operation.as_str();
    let (code, status) = (answer.code.as_str(), answer.status().as_u16());
    if let Some(cause) = answer.cause.as_deref() {
        let id = id.to_str().unwrap_or_default();
        tracing::warn!(request_id = id, operation, code, status, cause, "a call could not be answered");
    }
    if tracing::enabled!(tracing::Level::INFO) {
        let request = &exchange.request;
        tracing::info!(
            request_id = id.to_str().unwrap_or_default(),
            operation,
            code,
            status,
            account = answer.caller.as_ref().map(|caller| caller.account.0),
            token = answer.caller.as_ref().map(|caller| caller.token.0),
            client = address::client(request, &exchange.api.trusted_proxies).map(|ip: IpAddr| ip.to_string()),
            method = request.method().as_str().get(..16).unwrap_or(request.method().as_str()),
            // The route and not the path: a path can hold anything, a person's RUC included.
            route = request.match_pattern(),
            micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            "answered"
        );
    }
}

fn new_id() -> HeaderValue {
    let mut text = [0_u8; uuid::fmt::Hyphenated::LENGTH];
    let text = Uuid::now_v7().hyphenated().encode_lower(&mut text);
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("-"))
}

/// `^[A-Za-z0-9._-]{1,64}$`, and neither a token nor a RUC: the log would hold it.
fn may_be_kept(id: &[u8]) -> bool {
    let is_well_formed =
        (1..=64).contains(&id.len()) && id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    let is_ruc = str::from_utf8(id).is_ok_and(|text| Ruc::parse(text).is_ok());
    is_well_formed && !is_ruc && token::digest_of(id).is_err()
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a text")
}
