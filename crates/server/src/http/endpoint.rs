//! An operation with its handler.

use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use kuraka_api::Operation;

use super::context::RequestContext;
use super::response::{ApiResponse, Failure};

/// The sources that an operation's calls wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcesOf {
    /// The official page and the providers.
    Details,
    /// The voucher service.
    Vouchers,
}

/// The code that answers the calls of an operation.
pub(crate) type Handler =
    for<'a> fn(&'a RequestContext<'a>, Payload) -> LocalBoxFuture<'a, Result<ApiResponse, Failure>>;

/// One row of the table of operations: a description, the bounds of its calls, and a handler.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// The description of the operation.
    pub operation: &'static Operation,
    /// The most calls in progress.
    pub calls: usize,
    /// The sources that a call waits for; `None` if it needs the store and the registry only.
    pub sources: Option<SourcesOf>,
    pub(crate) handler: Handler,
}

impl Endpoint {
    /// `handler` answers the calls of `operation`, and `calls` bounds the calls in progress.
    pub(crate) const fn new(operation: &'static Operation, calls: usize, handler: Handler) -> Self {
        Self { operation, calls, sources: None, handler }
    }

    /// The same, for an operation whose calls wait for these sources.
    pub(crate) const fn asking(self, sources: SourcesOf) -> Self {
        Self { sources: Some(sources), ..self }
    }
}
