//! An admitted call: everything between the route and the use case, in the contract's order.

use std::str;

use actix_web::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use actix_web::web::Payload;
use actix_web::{HttpRequest, web};
use kuraka_app::{Caller, Grant, NotAuthenticated, Refusal};
use kuraka_domain::ResultCode;
use std::sync::Arc;

use super::Api;
use super::answer::{Failure, Limits};
use super::bearer::{self, Presented};
use super::body::{self, Body};
use super::edge::Exchange;
use super::object::{Object, ObjectError};
use crate::metrics::Operation;

/// A call that was authenticated, admitted and charged, with its body.
pub(crate) struct Call {
    pub(crate) api: web::Data<Api>,
    pub(crate) exchange: Exchange,
    pub(crate) operation: Operation,
    pub(crate) grant: Grant,
    body: Vec<u8>,
}

impl Call {
    /// Goes through the checks.
    pub(crate) async fn admit(
        operation: Operation,
        api: web::Data<Api>,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<Self, Failure> {
        let exchange = Exchange::of(request);
        let body = body::read(request, payload).await;
        let gate = Gate { api: &api, request, exchange: &exchange, operation };
        let grant = gate.pass(&body).await?;
        let body = match body {
            Body::Whole(bytes) => bytes,
            Body::TooLarge | Body::Broken => Vec::new(),
        };
        Ok(Self { api, exchange, operation, grant, body })
    }

    /// The body's fields.
    pub(crate) fn fields(&self) -> Result<Object<'_>, Failure> {
        Object::parse(&self.body).map_err(|error| self.invalid(&error))
    }

    /// The refusal of a field.
    pub(crate) fn invalid(&self, error: &ObjectError) -> Failure {
        self.failed(ResultCode::InvalidInput).saying(error.to_string())
    }

    /// An error after the charge.
    pub(crate) fn failed(&self, code: ResultCode) -> Failure {
        Failure::new(&self.exchange, self.operation, code).granted(&self.grant)
    }
}

/// The checks before the charge.
struct Gate<'a> {
    api: &'a Api,
    request: &'a HttpRequest,
    exchange: &'a Exchange,
    operation: Operation,
}

impl Gate<'_> {
    async fn pass(&self, body: &Body) -> Result<Grant, Failure> {
        let caller = self.authenticate().await?;
        let known = |failure: Failure| failure.caller(caller.account, caller.token);
        if !is_json(self.request.headers().get(CONTENT_TYPE)) {
            return Err(known(self.failed(ResultCode::UnsupportedMediaType)));
        }
        match body {
            Body::Whole(_) => {}
            Body::TooLarge => return Err(known(self.failed(ResultCode::PayloadTooLarge))),
            Body::Broken => return Err(known(self.failed(ResultCode::InvalidInput))),
        }
        let refused = |code, standing| known(self.failed(code)).limits(Limits::new(&caller.plan, standing));
        self.api.admit.run(Arc::clone(&caller)).await.map_err(|refusal| match refusal {
            Refusal::TooFast { retry_after, standing } => {
                refused(ResultCode::RateLimited, standing).retry_after(retry_after)
            }
            Refusal::Exhausted { standing } => {
                refused(ResultCode::QuotaExceeded, standing).retry_after(standing.seconds_left)
            }
            Refusal::Store(error) => known(self.store(&error)),
        })
    }

    async fn authenticate(&self) -> Result<Arc<Caller>, Failure> {
        let refused = |challenge| self.failed(ResultCode::Unauthenticated).header(WWW_AUTHENTICATE, challenge);
        let token = match bearer::presented(self.request) {
            Presented::Token(token) => token,
            Presented::Nothing => return Err(refused(bearer::CHALLENGE)),
            Presented::Several => {
                let failure = self.failed(ResultCode::InvalidInput);
                return Err(failure.saying("El encabezado Authorization está repetido; envíelo una sola vez."));
            }
        };
        self.api.authenticate.run(token).await.map_err(|error| match error {
            NotAuthenticated::Unknown => refused(bearer::CHALLENGE_INVALID),
            NotAuthenticated::Suspended => self.failed(ResultCode::Forbidden),
            NotAuthenticated::NoSuchPlan(account) => self
                .failed(ResultCode::InternalError)
                .because(format!("the plan of account {account} is not in the settings")),
            NotAuthenticated::Store(error) => self.store(&error),
        })
    }

    fn store(&self, error: &kuraka_ports::StoreError) -> Failure {
        self.failed(ResultCode::ServiceUnavailable).retry_after(1).because(crate::logs::chain(error))
    }

    fn failed(&self, code: ResultCode) -> Failure {
        Failure::new(self.exchange, self.operation, code)
    }
}

/// `application/json`, with no parameter but `charset=utf-8`.
fn is_json(content_type: Option<&HeaderValue>) -> bool {
    let Some(text) = content_type.and_then(|value| str::from_utf8(value.as_bytes()).ok()) else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    is_json
        && parts.all(|parameter| {
            matches!(parameter.to_ascii_lowercase().as_str(), "charset=utf-8" | "charset=\"utf-8\"" | "")
        })
}
