//! One call on its way to a response: the request, and what was learnt of it so far.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::web::Data;
use kuraka_app::{Caller, Charge};

use super::api::Api;
use super::call_terms::CallTerms;

/// A call.
pub(crate) struct RequestContext {
    pub(crate) request: HttpRequest,
    pub(crate) api: Data<Api>,
    pub(crate) terms: CallTerms,
    /// The monotonic time at which the request's head had been read.
    started: Duration,
    /// The charged caller and the charge; empty until then.
    pub(crate) charge: OnceCell<(Arc<Caller>, Charge)>,
}

impl RequestContext {
    /// A call that begins now.
    pub(crate) fn begin(request: HttpRequest, api: Data<Api>, terms: CallTerms) -> Self {
        let started = api.clock.monotonic();
        Self { request, api, terms, started, charge: OnceCell::new() }
    }

    /// Time since the request's head had been read.
    pub(crate) fn took(&self) -> Duration {
        self.api.clock.monotonic().saturating_sub(self.started)
    }
}
