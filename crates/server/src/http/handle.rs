//! Handles every call, also to unknown paths: gives it an id, counts and logs it, and turns a panic into an error.
//! Pages have a middleware, see `pages`.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;

use actix_web::body::BoxBody;
use actix_web::dev::{Response, ResponseHead};
use actix_web::http::ConnectionType;
use actix_web::http::header::{HeaderName, HeaderValue};
use futures_util::FutureExt;
use kuraka_app::{Caller, Place};
use kuraka_domain::ResultCode;

use super::access_log::{self, Entry};
use super::api::Api;
use super::context::RequestContext;
use super::cors;
use super::request_id::X_REQUEST_ID;
use super::response::{ApiResponse, Failure, X_SOURCE_STATUS};
use super::route::Route;
use crate::panics;

/// On an answer to a token outside the headers (RFC 9745).
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SINCE: HeaderValue = HeaderValue::from_static("@1795478400");

const UNREAD: &str = "Su cuenta tiene demasiadas respuestas grandes sin leer. Lea las que pidió y repita la consulta.";

/// Waits for the call's `answer`, then counts and logs the response. A panic of `answer` or of writing becomes an
/// uncharged error; one of counting or logging changes nothing for the caller.
pub(crate) async fn handle(
    context: &RequestContext<'_>,
    answer: impl Future<Output = Result<ApiResponse, Failure>>,
) -> Response<BoxBody> {
    let mut guard = DisconnectGuard { context, answered: false };
    let response = match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(response) => response.unwrap_or_else(|failure| *failure),
        Err(panic) => panicked(panics::message(panic.as_ref())),
    };
    guard.answered = true;
    drop(guard);
    finish(context, response)
}

fn finish(context: &RequestContext<'_>, mut response: ApiResponse) -> Response<BoxBody> {
    let id = context.id().clone();
    let mut written = panics::contain(|| write(context, &mut response)).unwrap_or_else(|| {
        response = panicked("a panic while the response was written");
        panics::contain(|| write(context, &mut response))
            .unwrap_or_else(|| ApiResponse::new(ResultCode::InternalError).write())
    });
    if context.is_counted.get() {
        panics::contain(|| record(context, &id, &response));
    }
    written.headers_mut().insert(X_REQUEST_ID, id);
    if context.is_test() {
        written.headers_mut().insert(X_SOURCE_STATUS, HeaderValue::from_static("sandbox"));
    }
    if context.has_sent_token.get() {
        written.headers_mut().insert(DEPRECATION, SINCE);
    }
    if context.route.is_for_pages() {
        cors::write(context.request, &context.route, written.headers_mut());
    }
    close_if_due(context.api, context.request.upgrade(), written.head_mut());
    written
}

/// A place for a large answer. A call that changes something takes it before the change, others when their answer is
/// large.
pub(super) fn place(api: &Api, caller: &Caller) -> Result<Place, Failure> {
    let refusal = || ApiResponse::new(ResultCode::RateLimited).with_message(UNREAD).retry_after(1);
    api.limits(caller.kind).places.take(caller.account).ok_or_else(|| Box::new(refusal()))
}

/// Ends a charged call, and writes its response.
fn write(context: &RequestContext<'_>, response: &mut ApiResponse) -> Response<BoxBody> {
    if let Some(call) = context.call.get() {
        if response.is_large() && response.place.is_none() {
            match place(context.api, &call.caller) {
                Ok(place) => response.place = Some(place),
                Err(refusal) => *response = *refusal,
            }
        }
        call.end(response.code, None);
        response.complete(call);
    }
    if let Route::Dialect(route) = &context.route {
        route.shape(response);
    }
    response.write()
}

fn record(context: &RequestContext<'_>, id: &HeaderValue, response: &ApiResponse) {
    let caller = response.caller.as_deref();
    let entry = Entry {
        is_test: context.is_test(),
        kind: context.kind(),
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

fn panicked(cause: &str) -> ApiResponse {
    ApiResponse::new(ResultCode::InternalError).with_cause(cause.to_owned())
}

/// Closes the connection of a stopping server, so that clients go to another one. Also after an upgrade request: actix
/// would repeat `Connection: Upgrade` and close it unannounced.
pub(crate) fn close_if_due(api: &Api, is_upgrade: bool, response: &mut ResponseHead) {
    if is_upgrade || api.draining.load(Ordering::Relaxed) {
        response.set_connection_type(ConnectionType::Close);
    }
}

/// Records a client that disconnects: actix drops the call's future, and no later code runs.
struct DisconnectGuard<'a> {
    context: &'a RequestContext<'a>,
    answered: bool,
}

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        if !self.answered && self.context.is_counted.get() {
            // A panic while unwinding would end the process.
            panics::contain(|| access_log::record_disconnect(self.context));
        }
    }
}
