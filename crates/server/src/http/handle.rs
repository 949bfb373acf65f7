//! Handles every call, even to a path that does not exist: gives it a start time and an id, and counts and logs it. A
//! panic becomes an error response.
//!
//! [`handle`] is a function and not a middleware: a middleware boxes the request's future and passes data through two
//! maps of extensions, which costs more than a lookup. Pages use a middleware, see `pages`.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;

use actix_web::http::ConnectionType;
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Route};
use futures_util::FutureExt;

use super::access_log::{self, Entry};
use super::api::Api;
use super::call_terms::CallTerms;
use super::context::RequestContext;
use super::response::{ApiResponse, Failure};
use super::{admission, request_id};

/// A route whose calls are handled by `answer`.
pub(crate) fn route<F>(terms: CallTerms, answer: F) -> Route
where
    F: AsyncFn(&RequestContext, Payload) -> Result<ApiResponse, Failure> + Copy + 'static,
{
    web::to(move |request: HttpRequest, api: Data<Api>, payload: Payload| {
        handle(request, api, terms, async move |context| {
            answer(context, payload).await.unwrap_or_else(|failure| *failure)
        })
    })
}

/// Runs `work` for a request, then counts and logs the response.
pub(crate) async fn handle(
    request: HttpRequest,
    api: Data<Api>,
    terms: CallTerms,
    work: impl AsyncFnOnce(&RequestContext) -> ApiResponse,
) -> HttpResponse {
    let context = RequestContext::begin(request, api, terms);
    let mut guard = DisconnectGuard { context: &context, answered: false };
    let response = match AssertUnwindSafe(work(&context)).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => admission::refund(&context).with_cause(panic_text(panic.as_ref()).to_owned()),
    };
    guard.answered = true;
    drop(guard);
    finish(&context, response)
}

fn finish(context: &RequestContext, response: ApiResponse) -> HttpResponse {
    let id = request_id::of(context.request.headers());
    let caller = response.caller.as_deref();
    if let Some(caller) = caller.filter(|_| context.terms.cost > 0) {
        caller.count(context.terms.index, response.code);
    }
    let entry = Entry {
        kind: context.terms.kind,
        id: &id,
        code: response.code,
        status: response.status(),
        account: caller.map(|caller| caller.account),
        token: caller.map(|caller| caller.token),
        cause: response.cause.as_deref(),
        took: response.took.unwrap_or_else(|| context.took()),
    };
    entry.record(&context.api, &context.request);
    let mut response = response.into_http(id);
    close_if_draining(&context.api, &mut response);
    response
}

/// Closes the connection if the server is stopping, so that clients open their next one to another server.
pub(crate) fn close_if_draining<B>(api: &Api, response: &mut HttpResponse<B>) {
    if api.draining.load(Ordering::Relaxed) {
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
}

/// Records a client that disconnects: actix then drops the call's future, and no code after it runs.
struct DisconnectGuard<'a> {
    context: &'a RequestContext,
    answered: bool,
}

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        if !self.answered {
            let RequestContext { request, api, terms, .. } = self.context;
            access_log::record_disconnect(api, request, terms.kind, self.context.took());
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}
