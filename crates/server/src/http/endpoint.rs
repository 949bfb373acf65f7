//! An operation with its handler.

use actix_web::{Route, http};
use kuraka_api::{Method, Operation};

use super::call_terms::CallTerms;

/// One row of the table of operations: a description and a handler.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// The description of the operation.
    pub operation: &'static Operation,
    handler: fn(CallTerms) -> Route,
}

impl Endpoint {
    /// `handler` creates the route of `operation`.
    pub(crate) const fn new(operation: &'static Operation, handler: fn(CallTerms) -> Route) -> Self {
        Self { operation, handler }
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
