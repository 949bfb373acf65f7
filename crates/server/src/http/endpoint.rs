//! An operation with its handler.

use actix_web::{Route, http};
use kuraka_api::{Method, Operation};

use super::call_terms::CallTerms;

/// The sources that an operation's calls wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcesOf {
    /// The official page and the providers.
    Details,
    /// The voucher service.
    Vouchers,
}

/// One row of the table of operations: a description, the bounds of its calls, and a handler.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// The description of the operation.
    pub operation: &'static Operation,
    /// The most calls in progress, unless the setting `calls.<operation>` says otherwise.
    pub calls: usize,
    /// The sources that a call waits for; `None` if it needs the store and the registry only.
    pub sources: Option<SourcesOf>,
    handler: fn(CallTerms) -> Route,
}

impl Endpoint {
    /// `handler` creates the route of `operation`, and `calls` bounds the calls in progress.
    pub(crate) const fn new(operation: &'static Operation, calls: usize, handler: fn(CallTerms) -> Route) -> Self {
        Self { operation, calls, sources: None, handler }
    }

    /// The same, for an operation whose calls wait for these sources.
    pub(crate) const fn asking(self, sources: SourcesOf) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// The route of the operation with this index in the table.
    pub(crate) fn route(&self, index: usize) -> Route {
        let method = match self.operation.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
        };
        (self.handler)(CallTerms::new(index, self.operation)).method(method)
    }
}
