//! Writes the daily usage of accounts, the last-used times of tokens, and the sums of refused log-ins and tokens to the
//! store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{CredentialCache, Refusals, SignIn, Usage};
use kuraka_ports::Audit;

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

/// 5 s.
const TICKS_PER_LAST_USED: u64 = 5;
/// A minute.
const TICKS_PER_BURST: u64 = 60;
/// Refused tokens of a network in a minute that are a burst.
const BURST: u64 = 10;

/// Also works when the server stops.
pub struct WriteUsage {
    pub usage: Arc<Usage>,
    pub credentials: Arc<CredentialCache>,
    pub sign_in: Arc<SignIn>,
    pub refused_tokens: Arc<Refusals>,
    pub audit: Arc<dyn Audit>,
    pub metrics: Arc<Metrics>,
}

impl WriteUsage {
    async fn write(&self, last_used: bool, burst: bool) -> bool {
        let mut done = vec![
            ("daily usage", self.usage.write().await),
            ("refused log-ins", self.sign_in.write_refusals(&*self.audit).await),
        ];
        if last_used {
            done.push(("last-used times", self.credentials.note_uses().await));
        }
        if burst {
            done.push(("refused tokens", self.refused_tokens.write(&*self.audit, "token.refuse", BURST).await));
        }
        have_succeeded(done, &self.metrics)
    }
}

impl Job for WriteUsage {
    const NAME: &'static str = "write_usage";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(60));
    /// The panel shows a call within this time.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self, number: u64) -> bool {
        let burst = (number + 1).is_multiple_of(TICKS_PER_BURST);
        self.write(number.is_multiple_of(TICKS_PER_LAST_USED), burst).await
    }

    async fn finish(&mut self) {
        self.write(true, true).await;
    }
}
