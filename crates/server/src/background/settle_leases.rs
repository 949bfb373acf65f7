//! Returns the leases of idle accounts.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::AccountMeters;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

pub struct SettleLeases {
    pub meters: Arc<AccountMeters>,
    pub metrics: Arc<Metrics>,
}

impl Job for SettleLeases {
    const NAME: &'static str = "settle_leases";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(30));
    const EVERY: Duration = Duration::from_millis(250);

    async fn tick(&mut self, _: u64) -> bool {
        let settled = self.meters.settle_idle().await;
        if let Err(error) = &settled {
            self.metrics.store_errors.inc();
            tracing::error!(cause = logs::chain(error), "an idle lease was not returned: it counts as used");
        }
        settled.is_ok()
    }
}
