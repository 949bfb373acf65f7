//! Behaviour in time, as decorators over [`TaxpayerSource`]: one layer, one file, one effect. A layer keeps every
//! promise of what it wraps and refuses to know what the source looks like.
//!
//! ```text
//! Metered → Coalesce → Cache → Fallback ┬ Breaker → Metered → Limit → Timeout → Corroborate → official page
//!                                       ├ Breaker → Metered → Limit → Timeout → Corroborate → provider
//!                                       └ …
//! ```
//!
//! The outer `Metered` sees what callers get, the inner ones what becomes of each question that a breaker lets pass.

mod blameless;
pub mod breaker;
mod cache;
mod coalesce;
pub mod corroborate;
pub mod fallback;
mod jitter;
mod limit;
pub mod metered;
pub mod timeout;

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, TaxpayerRegistry, TaxpayerSource};
use tokio::runtime::Handle;

pub use self::blameless::Blameless;
pub use self::breaker::{Breaker, BreakerState};
pub use self::cache::Cache;
pub use self::coalesce::Coalesce;
pub use self::corroborate::Corroborate;
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
}

impl Default for Times {
    fn default() -> Self {
        Self {
            deadline: Fallback::DEADLINE,
            page: Self::PAGE,
            provider: Self::PROVIDER,
            found_for: Cache::FOUND_FOR,
            not_found_for: Cache::NOT_FOUND_FOR,
            breaker_open: breaker::Machine::FIRST_OPEN,
        }
    }
}

/// What the layers need from the house.
#[derive(Clone)]
pub struct Surroundings {
    /// Knows which RUCs exist.
    pub registry: Arc<dyn TaxpayerRegistry>,
    /// How old its edition may be for a RUC it misses to count as absent, in days; `None` = any age.
    pub max_age_days: Option<u32>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub jitter: Arc<Jitter>,
    /// Whoever counts.
    pub observer: Arc<dyn Observer>,
    /// Where outbound calls run: they outlive the callers who asked for them.
    pub runtime: Handle,
}

/// The sources as one, with all layers on.
#[derive(Clone)]
pub struct Stack {
    /// What the use case asks.
    pub source: Arc<dyn TaxpayerSource>,
    /// The sources' breakers in the order in which they are asked, for metrics.
    pub breakers: Vec<Arc<Breaker>>,
}

/// Questions under way to the page: at one a second, those that wait in its queue and those it is answering.
const PAGE_PLACES: usize = 10;
/// Questions under way to one provider: at half a second each, 60 a second, more than any plan of theirs sells.
const PROVIDER_PLACES: usize = 32;

/// Puts all layers on: the page first, if there is one, then the providers in their order.
#[must_use]
pub fn stack(
    page: Option<Arc<dyn TaxpayerSource>>,
    providers: Vec<Arc<dyn TaxpayerSource>>,
    times: Times,
    around: &Surroundings,
) -> Stack {
    let page = page.map(|page| guarded(page, times.page, PAGE_PLACES, times.breaker_open, around));
    let providers = providers
        .into_iter()
        .map(|provider| guarded(provider, times.provider, PROVIDER_PLACES, times.breaker_open, around));
    let breakers: Vec<Arc<Breaker>> = page.into_iter().chain(providers).collect();
    let sources = breakers.iter().map(|breaker| Arc::clone(breaker) as Arc<dyn TaxpayerSource>).collect();

    let Surroundings { clock, jitter, observer, runtime, .. } = around.clone();
    let source = Arc::new(Fallback::new(sources, times.deadline));
    let source = Arc::new(Cache::new(source, times.found_for, times.not_found_for, Arc::clone(&clock), jitter));
    let source = Arc::new(Coalesce::new(source, runtime));
    let source = Arc::new(Metered::new(source, observer, clock));
    Stack { source, breakers }
}

/// One source with the layers that are its own.
fn guarded(
    source: Arc<dyn TaxpayerSource>,
    time: Duration,
    places: usize,
    breaker_open: Duration,
    around: &Surroundings,
) -> Arc<Breaker> {
    let Surroundings { registry, max_age_days, clock, jitter, observer, .. } = around.clone();
    let source = Arc::new(Corroborate::new(source, registry, max_age_days, Arc::clone(&clock)));
    let source = Arc::new(Timeout::new(source, time));
    let source = Arc::new(Limit::new(source, places));
    let source = Arc::new(Metered::new(source, observer, Arc::clone(&clock)));
    Arc::new(Breaker::new(source, breaker_open, clock, jitter))
}
