//! Handles every call, even to a path that does not exist: gives it an id, and counts and logs it. A panic becomes an
//! error response. Pages have a middleware instead, see `pages`.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;

use actix_web::body::BoxBody;
use actix_web::dev::{Response, ResponseHead};
use actix_web::http::ConnectionType;
use actix_web::http::header::HeaderValue;
use futures_util::FutureExt;
use kuraka_domain::ResultCode;

use super::access_log::{self, Entry};
use super::admission;
use super::api::Api;
use super::context::RequestContext;
use super::request_id::{self, X_REQUEST_ID};
use super::response::{ApiResponse, Failure};
use crate::panics;

#[cfg(test)]
mod tests;

/// Waits for the `answer` to a call, then counts and logs the response. A panic of `answer`, or while the response is
/// written, is answered with an error and not charged. A panic while the call is counted or logged changes nothing for
/// the caller.
pub(crate) async fn handle(
    context: &RequestContext<'_>,
    answer: impl Future<Output = Result<ApiResponse, Failure>>,
) -> Response<BoxBody> {
    let mut guard = DisconnectGuard { context, answered: false };
    let response = match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(response) => response.unwrap_or_else(|failure| *failure),
        Err(panic) => after_panic(context, panics::message(panic.as_ref())),
    };
    guard.answered = true;
    drop(guard);
    finish(context, response)
}

fn finish(context: &RequestContext<'_>, mut response: ApiResponse) -> Response<BoxBody> {
    let id = request_id::of(&context.request.headers);
    let mut written = panics::contain(|| response.write()).unwrap_or_else(|| {
        response = after_panic(context, "a panic while the response was written");
        panics::contain(|| response.write()).unwrap_or_else(|| ApiResponse::failed(ResultCode::InternalError).write())
    });
    panics::contain(|| record(context, &id, &response));
    written.headers_mut().insert(X_REQUEST_ID, id);
    close_if_due(context.api, context.request.upgrade(), written.head_mut());
    written
}

/// Counts and logs the call.
fn record(context: &RequestContext<'_>, id: &HeaderValue, response: &ApiResponse) {
    let caller = response.caller.as_deref();
    if let Some(caller) = caller.filter(|_| context.terms.cost > 0) {
        caller.count(context.terms.index, response.code);
    }
    let entry = Entry {
        kind: context.terms.kind,
        id,
        code: response.code,
        status: response.status(),
        account: caller.map(|caller| caller.account),
        token: caller.and_then(|caller| caller.token),
        cause: response.cause.as_deref(),
        took: response.took.unwrap_or_else(|| context.took()),
    };
    entry.record(context.api, context.request, &context.route);
}

/// Refunds the call and returns the error response. If even that panics, the call stays charged.
fn after_panic(context: &RequestContext<'_>, cause: &str) -> ApiResponse {
    let response = panics::contain(|| admission::refund(context, ResultCode::InternalError));
    response.unwrap_or_else(|| ApiResponse::failed(ResultCode::InternalError)).with_cause(cause.to_owned())
}

/// Closes the connection if the server is stopping, so that clients open their next one to another server. Also after a
/// request for an upgrade: actix would repeat the header `Connection: Upgrade` and close the connection unannounced.
pub(crate) fn close_if_due(api: &Api, is_upgrade: bool, response: &mut ResponseHead) {
    if is_upgrade || api.draining.load(Ordering::Relaxed) {
        response.set_connection_type(ConnectionType::Close);
    }
}

/// Records a client that disconnects: actix then drops the call's future, and no code after it runs.
struct DisconnectGuard<'a> {
    context: &'a RequestContext<'a>,
    answered: bool,
}

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        if !self.answered {
            let RequestContext { request, api, terms, .. } = self.context;
            // A panic while the connection's task unwinds would end the process.
            panics::contain(|| access_log::record_disconnect(api, request, terms.kind, self.context.took()));
        }
    }
}
