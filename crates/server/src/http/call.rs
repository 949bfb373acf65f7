//! An admitted call: everything between the route and the use case, in the contract's order.

use std::str;
use std::sync::Arc;

use actix_web::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use actix_web::web::Payload;
use kuraka_app::{AdmitError, AuthenticateError, Caller, Grant};
use kuraka_domain::ResultCode;
use kuraka_ports::StoreError;

use super::address;
use super::answer::{Answer, Failure};
use super::bearer::{self, Presented};
use super::body::{self, Body};
use super::edge::RequestContext;
use super::limits::Limits;
use super::object::{Object, ObjectError};
use crate::logs;

/// What a call costs.
const QUERIES: u64 = 1;

/// A call that was authenticated, admitted and charged, with its body.
pub(crate) struct Call {
    pub(crate) grant: Grant,
    body: Vec<u8>,
}

impl Call {
    /// Goes through the checks.
    pub(crate) async fn admit(exchange: &RequestContext, payload: Payload) -> Result<Self, Failure> {
        let body = body::read(&exchange.request, payload).await;
        match admit(exchange, &body).await {
            Ok(grant) => {
                // Set once: a request is admitted once.
                drop(exchange.charged.set((Arc::clone(&grant.caller), grant.charge)));
                Ok(Self { grant, body: body.into_bytes() })
            }
            Err(answer) => Err(Box::new(answer.with_unread_body(body.into_unread()))),
        }
    }

    /// The body's fields.
    pub(crate) fn fields(&self) -> Result<Object<'_>, Failure> {
        Object::parse(&self.body).map_err(|error| self.invalid(&error))
    }

    /// The refusal of a field.
    pub(crate) fn invalid(&self, error: &ObjectError) -> Failure {
        Box::new(self.failed(ResultCode::InvalidInput).with_message(error.to_string()))
    }

    /// An error after the charge.
    pub(crate) fn failed(&self, code: ResultCode) -> Answer {
        Answer::failed(code).granted(&self.grant)
    }
}

/// The checks before the charge, and the charge.
async fn admit(exchange: &RequestContext, body: &Body) -> Result<Grant, Answer> {
    let caller = authenticate(exchange).await?;
    let told = |answer: Answer, standing| answer.caller(&caller).limits(Limits::new(&caller.plan, standing));
    let refused = |code| told(Answer::failed(code), exchange.api.admission.standing(&caller));
    if !is_json(exchange.request.headers().get(CONTENT_TYPE)) {
        return Err(refused(ResultCode::UnsupportedMediaType));
    }
    match body {
        Body::Whole(_) => {}
        Body::TooLarge(_) => return Err(refused(ResultCode::PayloadTooLarge)),
        Body::Broken(_) => return Err(refused(ResultCode::InvalidInput)),
    }
    exchange.api.admission.admit(Arc::clone(&caller), QUERIES).await.map_err(|refusal| match refusal {
        AdmitError::TooFast { retry_after, standing } => {
            told(Answer::failed(ResultCode::RateLimited), standing).retry_after(retry_after)
        }
        AdmitError::Exhausted { standing, .. } => {
            told(Answer::failed(ResultCode::QuotaExceeded), standing).retry_after(standing.seconds_left)
        }
        AdmitError::Store { error, standing } => told(out_of_reach(&error), standing),
    })
}

/// Who calls.
pub(crate) async fn authenticate(exchange: &RequestContext) -> Result<Arc<Caller>, Answer> {
    let refused = |challenge| Answer::failed(ResultCode::Unauthenticated).header(WWW_AUTHENTICATE, challenge);
    let token = match bearer::presented(&exchange.request) {
        Presented::Token(token) => token,
        Presented::Nothing => return Err(refused(bearer::CHALLENGE)),
        Presented::Several => {
            let message = "El encabezado Authorization está repetido; envíelo una sola vez.";
            return Err(Answer::failed(ResultCode::InvalidInput).with_message(message));
        }
    };
    let from = || address::client(&exchange.request, &exchange.api.trusted_proxies);
    exchange.api.admission.authenticate(token, from).await.map_err(|error| match error {
        AuthenticateError::Unknown => refused(bearer::CHALLENGE_INVALID),
        AuthenticateError::Suspended => Answer::failed(ResultCode::Forbidden),
        AuthenticateError::Elsewhere(account) => Answer::failed(ResultCode::Forbidden)
            .with_message("El token no se puede usar desde esta dirección.")
            .with_cause(format!("a token of account {account} was used from an address that is not on its list")),
        AuthenticateError::NoSuchPlan(account) => Answer::failed(ResultCode::InternalError)
            .with_cause(format!("the plan of account {account} is not in the settings")),
        AuthenticateError::Store(error) => out_of_reach(&error),
    })
}

/// The store cannot be asked.
pub(crate) fn out_of_reach(error: &StoreError) -> Answer {
    Answer::failed(ResultCode::ServiceUnavailable).retry_after(1).with_cause(logs::chain(error))
}

/// `application/json`, with no parameter but `charset=utf-8`.
fn is_json(content_type: Option<&HeaderValue>) -> bool {
    let Some(text) = content_type.and_then(|value| str::from_utf8(value.as_bytes()).ok()) else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    let is_utf8 = |parameter: &str| {
        ["", "charset=utf-8", "charset=\"utf-8\""].iter().any(|known| parameter.eq_ignore_ascii_case(known))
    };
    is_json && parts.all(is_utf8)
}
