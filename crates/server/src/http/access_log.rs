//! Counts every request and writes its log line.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::dev::RequestHead;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use kuraka_domain::ResultCode;
use kuraka_ports::{AccountId, TokenId};

use super::address;
use super::api::Api;
use super::context::RequestContext;
use super::route::Route;
use crate::metrics::Kind;

pub(crate) struct Entry<'a> {
    pub(crate) is_test: bool,
    pub(crate) kind: Kind,
    pub(crate) id: &'a HeaderValue,
    pub(crate) code: ResultCode,
    pub(crate) status: StatusCode,
    pub(crate) account: Option<AccountId>,
    pub(crate) token: Option<TokenId>,
    /// The cause of an error, in a line of its own.
    pub(crate) cause: Option<&'a str>,
    pub(crate) took: Duration,
}

impl Entry<'_> {
    pub(crate) fn record(&self, api: &Api, request: &RequestHead, route: &Route<'_>) {
        api.metrics.record_answer(self.kind, self.code, self.took);
        if self.is_test {
            api.metrics.record_test_answer(self.code);
        }
        let test = self.is_test.then_some(true);
        let operation = self.kind.name();
        let (code, status) = (self.code.as_str(), self.status.as_u16());
        if let Some(cause) = self.cause {
            let id = self.id.to_str().unwrap_or_default();
            if self.code == ResultCode::Found {
                tracing::warn!(request_id = id, operation, test, cause, "items of a batch could not be answered");
            } else {
                tracing::warn!(request_id = id, operation, test, code, status, cause, "a call could not be answered");
            }
        }
        if tracing::enabled!(tracing::Level::INFO) {
            tracing::info!(
                request_id = self.id.to_str().unwrap_or_default(),
                operation,
                code,
                status,
                account = self.account.map(|account| account.0),
                token = self.token.map(|token| token.0),
                test,
                client = client(api, request),
                method = request.method.as_str().get(..16).unwrap_or(request.method.as_str()),
                // Not the path, which may contain anything, such as a person's RUC.
                route = route.pattern(),
                micros = micros(self.took),
                "answered"
            );
        }
    }
}

/// The client disconnected before the response.
pub(crate) fn record_disconnect(context: &RequestContext<'_>) {
    let kind = context.kind();
    context.api.metrics.record_disconnect(kind);
    let (operation, client) = (kind.name(), client(context.api, context.request));
    let (request_id, micros) = (context.id().to_str().unwrap_or_default(), micros(context.took()));
    let test = context.is_test().then_some(true);
    tracing::info!(request_id, operation, test, client, micros, "the client disconnected before the answer");
}

fn client(api: &Api, request: &RequestHead) -> Option<String> {
    address::client(request, &api.trusted_proxies).map(|ip: IpAddr| ip.to_string())
}

pub(super) fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}
