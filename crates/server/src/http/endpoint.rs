//! An operation with its handler.

use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use kuraka_api::Operation;

use super::context::RequestContext;
use super::response::{ApiResponse, Failure};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcesOf {
    /// The official page and the providers.
    Details,
    Vouchers,
}

pub(crate) type Handler =
    for<'a> fn(&'a RequestContext<'a>, Payload) -> LocalBoxFuture<'a, Result<ApiResponse, Failure>>;

#[derive(Clone, Copy)]
pub struct Endpoint {
    pub operation: &'static Operation,
    pub calls: usize,
    pub sources: Option<SourcesOf>,
    pub(crate) handler: Handler,
}

impl Endpoint {
    /// `handler` answers the calls, `calls` bounds those in progress.
    pub(crate) const fn new(operation: &'static Operation, calls: usize, handler: Handler) -> Self {
        Self { operation, calls, sources: None, handler }
    }

    pub(crate) const fn asking(self, sources: SourcesOf) -> Self {
        Self { sources: Some(sources), ..self }
    }
}
