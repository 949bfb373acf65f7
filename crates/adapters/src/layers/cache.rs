//! Cache: keeps answers for a short time, failures never.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{Clock, DetailAnswer, Freshness, SourceError, TaxpayerSource};

use super::Jitter;

/// Cancellation: a dropped call caches nothing.
pub struct Cache {
    inner: Arc<dyn TaxpayerSource>,
    kept: moka::sync::Cache<Ruc, CachedAnswer>,
    found_for: Duration,
    not_found_for: Duration,
    clock: Arc<dyn Clock>,
    jitter: Arc<Jitter>,
}

#[derive(Clone)]
struct CachedAnswer {
    answer: DetailAnswer,
    /// In monotonic time.
    until: Duration,
}

impl Cache {
    /// Records change a few times a year, but a corrected one should soon be seen.
    pub const FOUND_FOR: Duration = Duration::from_secs(600);
    /// A RUC may be registered at any moment, and its owner then looks it up.
    pub const NOT_FOUND_FOR: Duration = Duration::from_secs(60);
    /// About 30 MiB at 2 to 4 KiB each, more than one answer a second can fill.
    const CAPACITY: u64 = 10_000;
    const MAX_AGE: Duration = Duration::from_secs(86_400);

    /// Caches records for `found_for` and absences for `not_found_for`, each ± 10 %.
    pub fn new(
        inner: Arc<dyn TaxpayerSource>,
        found_for: Duration,
        not_found_for: Duration,
        clock: Arc<dyn Clock>,
        jitter: Arc<Jitter>,
    ) -> Self {
        // The clock decides when an answer expires; moka's expiry only frees the memory, which holds personal data.
        // Jitter adds at most a tenth.
        let longest = found_for.max(not_found_for).saturating_mul(11) / 10;
        let forgotten = longest.clamp(Duration::from_secs(1), Self::MAX_AGE);
        let kept = moka::sync::Cache::builder().max_capacity(Self::CAPACITY).time_to_live(forgotten).build();
        Self { inner, kept, found_for, not_found_for, clock, jitter }
    }

    fn kept(&self, ruc: Ruc) -> Option<DetailAnswer> {
        let kept = self.kept.get(&ruc).filter(|kept| self.clock.monotonic() < kept.until)?;
        let freshness = match kept.answer.freshness {
            Freshness::Live | Freshness::Cached => Freshness::Cached,
            // The origin matters more than the age.
            Freshness::Sandbox => Freshness::Sandbox,
        };
        Some(DetailAnswer { freshness, ..kept.answer })
    }

    fn keep(&self, ruc: Ruc, answer: DetailAnswer) {
        let time = if answer.taxpayer.is_some() { self.found_for } else { self.not_found_for };
        let time = self.jitter.around(time).min(Self::MAX_AGE);
        self.kept.insert(ruc, CachedAnswer { answer, until: self.clock.monotonic().saturating_add(time) });
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Cache {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        if let Some(answer) = self.kept(ruc) {
            return Ok(answer);
        }
        let answer = self.inner.detail(ruc).await?;
        self.keep(ruc, answer.clone());
        Ok(answer)
    }
}
