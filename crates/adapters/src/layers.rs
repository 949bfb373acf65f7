//! Behaviour in time, as decorators over [`TaxpayerSource`] and [`VoucherValidator`]: one layer, one file, one effect.
//! A layer keeps every promise of what it wraps and refuses to know what the source looks like.
//!
//! ```text
//! Metered → Coalesce → Cache → Fallback ┬ Breaker → Metered → Limit → Timeout → VerifyAbsence → official page
//!                                       ├ Breaker → Metered → Limit → Timeout → VerifyAbsence → provider
//!                                       └ …
//! Metered → Coalesce → Fallback ─ Breaker → Metered → Limit → Timeout → voucher service
//! ```
//!
//! Of vouchers nothing is kept: one that does not exist may be reported in a minute.
//!
//! The outer `Metered` sees what callers get, the inner ones what becomes of each question that a breaker lets pass.

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

use kuraka_ports::{Clock, TaxpayerSource, VoucherValidator};
use tokio::runtime::Handle;

pub use self::breaker::{Breaker, BreakerHandle, BreakerState};
pub use self::cache::Cache;
pub use self::coalesce::Coalesce;
pub use self::fallback::Fallback;
pub use self::jitter::Jitter;
pub use self::limit::Limit;
pub use self::metered::{Metered, Observation, Observer, Outcome};
pub use self::timeout::Timeout;

/// The times that the layers keep; the defaults are the house's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// For a call, all sources together.
    pub deadline: Duration,
    /// For one question to the official page, the wait of its paced queue included.
    pub page: Duration,
    /// For one question to one provider.
    pub provider: Duration,
    /// For a voucher, a token included.
    pub voucher: Duration,
    /// How long a record is kept.
    pub found_for: Duration,
    /// How long an absence is kept.
    pub not_found_for: Duration,
    /// How long a breaker stays open at first.
    pub breaker_open: Duration,
}

impl Times {
    /// Half of it may be the queue's, and the page itself takes a second or two.
    pub const PAGE: Duration = Duration::from_secs(6);
    /// Providers answer from their own copy, in well under a second.
    pub const PROVIDER: Duration = Duration::from_secs(3);
    /// A token takes 3 s at most, and the service is known to be slow before it is down.
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

/// What the layers need from the house.
#[derive(Clone)]
pub struct LayerContext {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub jitter: Arc<Jitter>,
    /// Whoever counts.
    pub observer: Arc<dyn Observer>,
    /// Where outbound calls run: they outlive the callers who asked for them.
    pub runtime: Handle,
}

/// All sources of one kind as one, with all layers on.
#[derive(Clone)]
pub struct Stack<S: ?Sized> {
    /// What the use case asks.
    pub source: Arc<S>,
    /// The sources' breakers in the order in which they are asked, for metrics.
    pub switches: Vec<Arc<BreakerHandle>>,
}

/// Questions under way to the page: at one a second, those that wait in its queue and those it is answering.
const PAGE_PLACES: usize = 10;
/// Questions under way to one provider: at half a second each, 60 a second, more than any plan of theirs sells.
const PROVIDER_PLACES: usize = 32;
/// Questions under way to the voucher service, whose clients leave a fifth of a second between two of theirs.
const VOUCHER_PLACES: usize = 32;

/// Puts all layers on the sources of details: the page first, if there is one, then the providers in their order.
#[must_use]
pub fn stack(
    page: Option<Arc<dyn TaxpayerSource>>,
    providers: Vec<Arc<dyn TaxpayerSource>>,
    times: Times,
    around: &LayerContext,
) -> Stack<dyn TaxpayerSource> {
    let LayerContext { clock, jitter, observer, runtime } = around.clone();
    let mut switches = Vec::new();
    let mut guarded = |source: Arc<dyn TaxpayerSource>, time: Duration, places: usize| {
        let switch = around.switch(source.name(), times.breaker_open);
        let source = Timeout::new(source, time);
        let source = Limit::new(Arc::new(source), places);
        let source = Metered::new(Arc::new(source), Arc::clone(&observer), Arc::clone(&clock));
        let source = Breaker::new(Arc::new(source), switch);
        switches.push(Arc::clone(source.switch()));
        Arc::new(source) as Arc<dyn TaxpayerSource>
    };
    let page = page.map(|page| guarded(page, times.page, PAGE_PLACES));
    let providers: Vec<_> =
        providers.into_iter().map(|provider| guarded(provider, times.provider, PROVIDER_PLACES)).collect();

    let source = Fallback::new(page.into_iter().chain(providers).collect(), times.deadline);
    let source = Cache::new(Arc::new(source), times.found_for, times.not_found_for, Arc::clone(&clock), jitter);
    let source = Coalesce::new(Arc::new(source), runtime);
    let source = Metered::new(Arc::new(source), observer, clock);
    Stack { source: Arc::new(source), switches }
}

/// Puts all layers on whoever validates vouchers, if there is anybody.
#[must_use]
pub fn voucher_stack(
    validator: Option<Arc<dyn VoucherValidator>>,
    times: Times,
    around: &LayerContext,
) -> Stack<dyn VoucherValidator> {
    let LayerContext { clock, observer, runtime, .. } = around.clone();
    let mut switches = Vec::new();
    let guarded = validator.map(|validator| {
        let switch = around.switch(validator.name(), times.breaker_open);
        let validator = Timeout::new(validator, times.voucher);
        let validator = Limit::new(Arc::new(validator), VOUCHER_PLACES);
        let validator = Metered::new(Arc::new(validator), Arc::clone(&observer), Arc::clone(&clock));
        let validator = Breaker::new(Arc::new(validator), switch);
        switches.push(Arc::clone(validator.switch()));
        Arc::new(validator) as Arc<dyn VoucherValidator>
    });
    // Longer than the one source has: a call that ends here says nothing to its breaker.
    let validator = Fallback::of_validators(guarded.into_iter().collect(), times.voucher + limit::WAIT);
    let validator = Coalesce::new(Arc::new(validator), runtime);
    let validator = Metered::new(Arc::new(validator), observer, clock);
    Stack { source: Arc::new(validator), switches }
}

impl LayerContext {
    fn switch(&self, source: &str, first_open: Duration) -> Arc<BreakerHandle> {
        Arc::new(BreakerHandle::new(source, first_open, Arc::clone(&self.clock), Arc::clone(&self.jitter)))
    }
}
