//! The context of one call: the request, its terms, its start time and its charge.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::web::Data;
use kuraka_app::{Caller, Charge};

use super::api::Api;
use super::call_terms::CallTerms;

/// The context of one call.
pub(crate) struct RequestContext {
    pub(crate) request: HttpRequest,
    pub(crate) api: Data<Api>,
    pub(crate) terms: CallTerms,
    /// The monotonic time at which the request's headers were read.
    started: Duration,
    /// The caller; empty until the call is charged.
    pub(crate) caller: OnceCell<Arc<Caller>>,
    /// The charge; empty until the call is charged, and after a refund.
    pub(crate) charge: Cell<Option<Charge>>,
}

impl RequestContext {
    /// Creates the context; the call starts now.
    pub(crate) fn begin(request: HttpRequest, api: Data<Api>, terms: CallTerms) -> Self {
        let started = api.clock.monotonic();
        Self { request, api, terms, started, caller: OnceCell::new(), charge: Cell::default() }
    }

    /// The time since the request's headers were read.
    pub(crate) fn took(&self) -> Duration {
        self.api.clock.monotonic().saturating_sub(self.started)
    }
}
