//! The context of one call: the head of the request, its route and terms, its start time and its charge.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::RequestHead;
use kuraka_app::{Caller, Charge};

use super::api::Api;
use super::call_terms::CallTerms;
use super::route::Route;

/// The context of one call.
pub(crate) struct RequestContext<'a> {
    pub(crate) api: &'a Api,
    pub(crate) request: &'a RequestHead,
    pub(crate) route: Route<'a>,
    pub(crate) terms: CallTerms,
    /// The monotonic time at which the request's headers were read.
    started: Duration,
    /// The caller; empty until the call is charged.
    pub(crate) caller: OnceCell<Arc<Caller>>,
    /// The charge; empty until the call is charged, and after a refund.
    pub(crate) charge: Cell<Option<Charge>>,
}

impl<'a> RequestContext<'a> {
    /// Creates the context; the call starts now.
    pub(crate) fn begin(api: &'a Api, request: &'a RequestHead, route: Route<'a>, terms: CallTerms) -> Self {
        let started = api.clock.monotonic();
        Self { api, request, route, terms, started, caller: OnceCell::new(), charge: Cell::default() }
    }

    /// The time since the request's headers were read.
    pub(crate) fn took(&self) -> Duration {
        self.api.clock.monotonic().saturating_sub(self.started)
    }
}
