//! What every request goes through, routed or not: an id, the time it began, and after it a count and a line of log.
//! A panic inside becomes an answer like any other.

use std::any::Any;
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, web};
use futures_util::FutureExt;
use kuraka_domain::ResultCode;
use kuraka_ports::{AccountId, TokenId};
use uuid::Uuid;

use super::{Api, address, answer, body};
use crate::metrics::Operation;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One request and its answer, as the edge sees them.
#[derive(Clone)]
pub(crate) struct Exchange {
    /// Given by the caller if it is well-formed, else made here.
    pub(crate) id: HeaderValue,
    /// Monotonic time at which the request's head had been read.
    pub(crate) started: Duration,
}

/// What became of a request; travels with the response to the edge.
pub(crate) struct Outcome {
    pub(crate) operation: Operation,
    pub(crate) code: ResultCode,
    pub(crate) caller: Option<(AccountId, TokenId)>,
    /// What lies behind an error, for the log only.
    pub(crate) cause: Option<Cow<'static, str>>,
}

impl Exchange {
    /// The exchange this request belongs to.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let known = request.extensions().get::<Self>().cloned();
        known.unwrap_or_else(|| Self { id: new_id(), started: Duration::ZERO })
    }
}

/// The middleware.
///
/// # Errors
/// Only a panic inside, as an error that renders as `internal_error`.
pub async fn edge(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Result<ServiceResponse, Error> {
    let Some(api) = request.app_data::<web::Data<Api>>().cloned() else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    let given = request.headers().get(X_REQUEST_ID).filter(|id| is_well_formed(id.as_bytes())).cloned();
    let exchange = Exchange { id: given.unwrap_or_else(new_id), started: api.clock.monotonic() };
    let logged = tracing::enabled!(tracing::Level::INFO).then(|| Logged::of(&request, &api));
    request.extensions_mut().insert(exchange.clone());

    let result = match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => Err(answer::panicked(&exchange, panic_text(panic.as_ref())).into()),
    };
    let result = result.map(|response| match body::take_unread(response.request()) {
        None => response.map_into_boxed_body(),
        Some(unread) => response.map_body(|_, body| unread.held_by(body)),
    });
    let took = api.clock.monotonic().saturating_sub(exchange.started);
    match &result {
        Ok(response) => {
            let status = response.status().as_u16();
            let extensions = response.response().extensions();
            finish(&api, &exchange, logged, status, extensions.get::<Outcome>(), took);
        }
        Err(_) => {
            let outcome = Outcome {
                operation: Operation::Other,
                code: ResultCode::InternalError,
                caller: None,
                cause: Some("a handler panicked".into()),
            };
            finish(&api, &exchange, logged, 500, Some(&outcome), took);
        }
    }
    result
}

/// What the log says of a request; only gathered if it will be said.
struct Logged {
    method: String,
    path: String,
    client: Option<std::net::IpAddr>,
}

impl Logged {
    fn of(request: &ServiceRequest, api: &Api) -> Self {
        Self {
            method: request.method().as_str().chars().take(16).collect(),
            path: request.path().chars().take(100).collect(),
            client: address::client(request.request(), &api.trusted_proxies),
        }
    }
}

fn finish(
    api: &Api,
    exchange: &Exchange,
    logged: Option<Logged>,
    status: u16,
    outcome: Option<&Outcome>,
    took: Duration,
) {
    let (operation, code) = outcome.map_or((Operation::Other, None), |outcome| (outcome.operation, Some(outcome.code)));
    if let Some(code) = code {
        api.metrics.answered(operation, code, took);
    }
    let cause = outcome.and_then(|outcome| outcome.cause.as_deref());
    let id = exchange.id.to_str().unwrap_or_default();
    if let Some(cause) = cause {
        tracing::warn!(request_id = id, operation = operation.as_str(), status, cause, "a call could not be answered");
    }
    if let Some(Logged { method, path, client }) = logged {
        let (account, token) = outcome
            .and_then(|outcome| outcome.caller)
            .map_or((None, None), |(account, token)| (Some(account.0), Some(token.0)));
        tracing::info!(
            request_id = id,
            operation = operation.as_str(),
            code = code.map(ResultCode::as_str),
            status,
            account,
            token,
            client = client.map(tracing::field::display),
            method,
            path,
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

/// `^[A-Za-z0-9._-]{1,64}$`
fn is_well_formed(id: &[u8]) -> bool {
    (1..=64).contains(&id.len()) && id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a text")
}
