//! Decorators over [`TaxpayerSource`] and [`VoucherValidator`], called layers: one file each, one effect each.
//! A layer keeps every promise of the port. It does not know what the source looks like.
//!
//! ```text
//! Metered → Coalesce → Cache → Fallback ┬ Breaker → Metered → Limit → Timeout → VerifyAbsence → official page
//!                                       ├ Breaker → Metered → Limit → Timeout → VerifyAbsence → provider
//!                                       └ …
//! Metered → Coalesce → Fallback ─ Breaker → Metered → Limit → Timeout → voucher service
//! ```
//!
//! `VerifyAbsence` is the app's; the server puts it around each source of details before it calls [`stack`]. Answers
//! about vouchers are not cached: a voucher that does not exist may be reported a minute later.
//!
//! The outer `Metered` counts the answers to callers; the inner ones count the requests that a breaker allows.

pub mod breaker;
mod cache;
mod coalesce;
pub mod fallback;
mod jitter;
pub mod limit;
pub mod metered;
pub mod timeout;

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, SourceLoad, TaxpayerSource, VoucherValidator};
use tokio::runtime::Handle;
use tokio::sync::watch;

pub use self::breaker::{Breaker, BreakerHandle, BreakerState};
pub use self::cache::Cache;
pub use self::coalesce::Coalesce;
pub use self::fallback::Fallback;
pub use self::jitter::Jitter;
pub use self::limit::Limit;
pub use self::metered::{CallResult, Metered, Observation, Observer};
pub use self::timeout::Timeout;

/// The times of the layers; the defaults suit an interactive service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Deadline of a call, all sources together.
    pub deadline: Duration,
    /// Limit of one question to the official page, including the wait in its paced queue.
    pub page: Duration,
    /// Limit of one question to one provider.
    pub provider: Duration,
    /// Limit of one question about a voucher, including a new token.
    pub voucher: Duration,
    /// How long a record is cached.
    pub found_for: Duration,
    /// How long an absence is cached.
    pub not_found_for: Duration,
    /// How long a breaker stays open the first time.
    pub breaker_open: Duration,
}

impl Times {
    /// Half of it may be spent in the queue, and the page itself takes one or two seconds.
    pub const PAGE: Duration = Duration::from_secs(6);
    /// Providers answer from their own copy, in well under a second.
    pub const PROVIDER: Duration = Duration::from_secs(3);
    /// A token takes 3 s at most, and the service becomes slow before it fails.
    pub const VOUCHER: Duration = Duration::from_secs(8);
}

impl Default for Times {
    fn default() -> Self {
        Self {
            deadline: Fallback::DEADLINE,
            page: Self::PAGE,
            provider: Self::PROVIDER,
            voucher: Self::VOUCHER,
            found_for: Cache::FOUND_FOR,
            not_found_for: Cache::NOT_FOUND_FOR,
            breaker_open: breaker::Machine::FIRST_OPEN,
        }
    }
}

/// What the layers share.
#[derive(Clone)]
pub struct LayerContext {
    /// Times of the cache, the breakers and the metrics.
    pub clock: Arc<dyn Clock>,
    /// Spreads the times of the cache and the breakers.
    pub jitter: Arc<Jitter>,
    /// Counts the calls.
    pub observer: Arc<dyn Observer>,
    /// Runs the requests to sources, which continue after their callers disconnect.
    pub runtime: Handle,
}

/// All sources of one kind as one source, with every layer.
#[derive(Clone)]
pub struct Stack<S: ?Sized> {
    /// The outermost layer.
    pub source: Arc<S>,
    /// The breakers of the sources, in the order of the sources, for metrics.
    pub breakers: Vec<Arc<BreakerHandle>>,
    /// The callers and requests in progress.
    pub load: watch::Receiver<SourceLoad>,
    /// The bounds of the requests.
    pub bounds: RequestBounds,
}

/// How many requests a stack of sources can have in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestBounds {
    /// Requests that the sources serve at the same time, all together.
    pub at_once: usize,
    /// The same with those that wait for a place at a source: each of them usually gets one within [`limit::WAIT`].
    pub most: usize,
}

impl RequestBounds {
    /// For sources with these places, in the order in which they are asked.
    ///
    /// If a source answers in 200 ms, the places serve a request and a quarter within the wait. That many wait at a full
    /// source before they go on to the next one. At the last source a quarter of all may wait: even if it takes a second
    /// to answer, they get a place in time.
    fn of(places: &[usize]) -> Self {
        let at_once: usize = places.iter().sum();
        let passing: usize = (1..places.len()).map(|from| places.iter().skip(from).sum::<usize>() * 5 / 4).sum();
        Self { at_once, most: at_once + at_once / 4 + passing }
    }
}

/// Concurrent requests to the page, including those in its queue; the page answers about one per second.
const PAGE_PLACES: usize = 10;
/// Concurrent requests to one provider: at 0.5 s each this is about 60 per second, more than any plan allows.
const PROVIDER_PLACES: usize = 32;
/// Concurrent requests to the voucher service; its clients usually wait 200 ms between two requests.
const VOUCHER_PLACES: usize = 32;

/// Puts every layer around the sources of details: the page first, if there is one, then the providers in their order.
#[must_use]
pub fn stack(
    page: Option<Arc<dyn TaxpayerSource>>,
    providers: Vec<Arc<dyn TaxpayerSource>>,
    times: Times,
    around: &LayerContext,
) -> Stack<dyn TaxpayerSource> {
    let LayerContext { clock, jitter, observer, runtime } = around.clone();
    let places = page.iter().map(|_| PAGE_PLACES).chain(providers.iter().map(|_| PROVIDER_PLACES));
    let bounds = RequestBounds::of(&places.collect::<Vec<_>>());
    let mut breakers = Vec::new();
    let mut guarded = |source: Arc<dyn TaxpayerSource>, time: Duration, places: usize| {
        let handle = around.breaker(source.name(), times.breaker_open);
        let source = Timeout::new(source, time);
        let source = Limit::new(Arc::new(source), places);
        let source = Metered::new(Arc::new(source), Arc::clone(&observer), Arc::clone(&clock));
        let source = Breaker::new(Arc::new(source), handle);
        breakers.push(Arc::clone(source.handle()));
        Arc::new(source) as Arc<dyn TaxpayerSource>
    };
    let page = page.map(|page| guarded(page, times.page, PAGE_PLACES));
    let providers: Vec<_> =
        providers.into_iter().map(|provider| guarded(provider, times.provider, PROVIDER_PLACES)).collect();

    let source = Fallback::new(page.into_iter().chain(providers).collect(), times.deadline);
    let source = Cache::new(Arc::new(source), times.found_for, times.not_found_for, Arc::clone(&clock), jitter);
    let source = Coalesce::new(Arc::new(source), runtime);
    let load = source.load();
    let source = Metered::new(Arc::new(source), observer, clock);
    Stack { source: Arc::new(source), breakers, load, bounds }
}

/// Puts every layer around the voucher validator, if there is one.
#[must_use]
pub fn voucher_stack(
    validator: Option<Arc<dyn VoucherValidator>>,
    times: Times,
    around: &LayerContext,
) -> Stack<dyn VoucherValidator> {
    let LayerContext { clock, observer, runtime, .. } = around.clone();
    let bounds = validator.as_ref().map(|_| RequestBounds::of(&[VOUCHER_PLACES])).unwrap_or_default();
    let mut breakers = Vec::new();
    let guarded = validator.map(|validator| {
        let handle = around.breaker(validator.name(), times.breaker_open);
        let validator = Timeout::new(validator, times.voucher);
        let validator = Limit::new(Arc::new(validator), VOUCHER_PLACES);
        let validator = Metered::new(Arc::new(validator), Arc::clone(&observer), Arc::clone(&clock));
        let validator = Breaker::new(Arc::new(validator), handle);
        breakers.push(Arc::clone(validator.handle()));
        Arc::new(validator) as Arc<dyn VoucherValidator>
    });
    // Longer than the validator's own timeout: the breaker does not count a call that this deadline ends.
    let validator = Fallback::of_validators(guarded.into_iter().collect(), times.voucher + limit::WAIT);
    let validator = Coalesce::new(Arc::new(validator), runtime);
    let load = validator.load();
    let validator = Metered::new(Arc::new(validator), observer, clock);
    Stack { source: Arc::new(validator), breakers, load, bounds }
}

impl LayerContext {
    fn breaker(&self, source: &str, first_open: Duration) -> Arc<BreakerHandle> {
        Arc::new(BreakerHandle::new(source, first_open, Arc::clone(&self.clock), Arc::clone(&self.jitter)))
    }
}
