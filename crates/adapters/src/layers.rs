//! Layers: decorators over [`TaxpayerSource`] and [`VoucherValidator`], one file and one effect each, which keep every
//! promise of the port. What happens around one request to one source is a [`Layer`]; the others implement the ports
//! themselves.
//!
//! `docs/topics/resilience.md` draws the stacks.
//!
//! The server puts the app's `VerifyAbsence` around each source of details before it calls [`stack`]. Answers about
//! vouchers are not cached: a voucher that does not exist may be reported a minute later. The outer `Metered` counts
//! the answers to callers, the inner ones the requests that a breaker allows.

pub mod breaker;
mod cache;
mod coalesce;
pub mod fallback;
mod jitter;
mod layer;
pub mod limit;
pub mod metered;
pub mod timeout;

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, SourceLoad, TaxpayerSource, VoucherValidator};
use tokio::runtime::Handle;
use tokio::sync::watch;

pub use self::breaker::{Breaker, BreakerState};
pub use self::cache::Cache;
pub use self::coalesce::Coalesce;
pub use self::fallback::Fallback;
pub use self::jitter::Jitter;
pub use self::layer::{Answer, Layer, Layered};
pub use self::limit::Limit;
pub use self::metered::{CallResult, Metered, Observer};
pub use self::timeout::Timeout;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Deadline of a call, all sources together.
    pub deadline: Duration,
    /// One request to the official page, its queue included.
    pub page: Duration,
    pub provider: Duration,
    /// One voucher, a new token included.
    pub voucher: Duration,
    pub found_for: Duration,
    pub not_found_for: Duration,
    /// First open time of a breaker.
    pub breaker_open: Duration,
}

impl Timeouts {
    /// Half of it may be spent in the queue; the page takes one or two seconds.
    pub const PAGE: Duration = Duration::from_secs(6);
    /// Providers answer from their own copy, in well under a second.
    pub const PROVIDER: Duration = Duration::from_secs(3);
    /// A token takes at most 3 s, and the service becomes slow before it fails.
    pub const VOUCHER: Duration = Duration::from_secs(8);
}

impl Default for Timeouts {
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

#[derive(Clone)]
pub struct LayerContext {
    /// For the cache, the breakers and the metrics.
    pub clock: Arc<dyn Clock>,
    /// Spreads times of the cache and the breakers.
    pub jitter: Arc<Jitter>,
    pub observer: Arc<dyn Observer>,
    /// For requests to sources, which continue after their callers disconnect.
    pub runtime: Handle,
}

/// All sources of one kind as one, with every layer.
#[derive(Clone)]
pub struct Stack<S: ?Sized> {
    pub source: Arc<S>,
    /// In the sources' order, for metrics.
    pub breakers: Vec<Arc<Breaker>>,
    pub load: watch::Receiver<SourceLoad>,
    pub bounds: RequestBounds,
}

/// How many requests a stack of sources can have in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestBounds {
    /// Requests that all sources together serve concurrently.
    pub at_once: usize,
    /// Requests served, and requests that wait for a permit.
    pub most: usize,
}

impl RequestBounds {
    /// `limits`: concurrent requests of each source, in query order.
    ///
    /// At 200 ms per answer each permit serves 1.25 requests during the wait, so that many wait at a full source. At
    /// the last source a quarter of all may wait: they get a permit when a quarter of the requests before them end.
    fn from_limits(limits: &[usize]) -> Self {
        let at_once: usize = limits.iter().sum();
        let passing: usize = (1..limits.len()).map(|from| limits.iter().skip(from).sum::<usize>() * 5 / 4).sum();
        Self { at_once, most: at_once + at_once / 4 + passing }
    }
}

/// The page answers about one request per second; its queue counts too.
const PAGE_LIMIT: usize = 10;
/// At 0.5 s each about 60 requests per second, more than any plan allows.
const PROVIDER_LIMIT: usize = 32;
/// The service's clients usually wait 200 ms between requests.
const VOUCHER_LIMIT: usize = 32;

pub fn stack(
    page: Option<Arc<dyn TaxpayerSource>>,
    providers: Vec<Arc<dyn TaxpayerSource>>,
    times: Timeouts,
    context: &LayerContext,
) -> Stack<dyn TaxpayerSource> {
    let page = page.map(|page| (page, times.page, PAGE_LIMIT));
    let providers = providers.into_iter().map(|provider| (provider, times.provider, PROVIDER_LIMIT));
    let sources = page.into_iter().chain(providers).collect();
    let (sources, breakers, bounds) = context.guarded(sources, |source| source.name(), times);
    let sources = sources.into_iter().map(|source| Arc::new(source) as Arc<dyn TaxpayerSource>);
    let source = Fallback::new(sources.collect(), times.deadline);
    let (clock, jitter) = (Arc::clone(&context.clock), Arc::clone(&context.jitter));
    let source = Cache::new(Arc::new(source), times.found_for, times.not_found_for, clock, jitter);
    let source = Coalesce::new(Arc::new(source), context.runtime.clone());
    let load = source.load();
    let source = Layered::new(context.metered(), Arc::new(source));
    Stack { source: Arc::new(source), breakers, load, bounds }
}

/// All layers around the voucher validator.
pub fn voucher_stack(
    validator: Option<Arc<dyn VoucherValidator>>,
    times: Timeouts,
    context: &LayerContext,
) -> Stack<dyn VoucherValidator> {
    let validators = validator.into_iter().map(|validator| (validator, times.voucher, VOUCHER_LIMIT)).collect();
    let (validators, breakers, bounds) = context.guarded(validators, |validator| validator.name(), times);
    let validators = validators.into_iter().map(|validator| Arc::new(validator) as Arc<dyn VoucherValidator>);
    // Longer than the validator's own timeout, because the breaker does not count a call that this deadline ends.
    let validator = Fallback::for_validators(validators.collect(), times.voucher + limit::LAST_WAIT);
    let validator = Coalesce::new(Arc::new(validator), context.runtime.clone());
    let load = validator.load();
    let validator = Layered::new(context.metered(), Arc::new(validator));
    Stack { source: Arc::new(validator), breakers, load, bounds }
}

type Guarded<S> = Layered<Arc<Breaker>, Layered<Metered, Layered<Limit, Layered<Timeout, S>>>>;

impl LayerContext {
    fn metered(&self) -> Metered {
        Metered::new(Arc::clone(&self.observer), Arc::clone(&self.clock))
    }

    /// The layers around each of the sources, which come with their timeouts and limits.
    fn guarded<S: ?Sized>(
        &self,
        sources: Vec<(Arc<S>, Duration, usize)>,
        name: impl Fn(&S) -> &str,
        times: Timeouts,
    ) -> (Vec<Guarded<S>>, Vec<Arc<Breaker>>, RequestBounds) {
        let limits: Vec<usize> = sources.iter().map(|(.., limit)| *limit).collect();
        let guarded = sources.into_iter().enumerate().map(|(at, (source, time, limit))| {
            let limit = if at + 1 < limits.len() { Limit::new(limit) } else { Limit::for_last_source(limit) };
            let (clock, jitter) = (Arc::clone(&self.clock), Arc::clone(&self.jitter));
            let breaker = Arc::new(Breaker::new(name(&source), times.breaker_open, clock, jitter));
            let source = Layered::new(Timeout(time), source);
            let source = Layered::new(limit, Arc::new(source));
            let source = Layered::new(self.metered(), Arc::new(source));
            (Layered::new(Arc::clone(&breaker), Arc::new(source)), breaker)
        });
        let (guarded, breakers) = guarded.unzip();
        (guarded, breakers, RequestBounds::from_limits(&limits))
    }
}
