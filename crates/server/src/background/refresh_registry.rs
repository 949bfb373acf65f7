//! Serves a published edition, whichever process published it.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_app::calendar;
use kuraka_ports::{Clock, TaxpayerRegistry};

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often the registry's folder is read: a published edition answers after this time and its verification.
const EVERY: Duration = Duration::from_secs(1);

/// Serves what is published, by this process or another.
pub async fn refresh_registry(
    registry: Arc<EmbeddedRegistry>,
    metrics: Arc<Metrics>,
    clock: Arc<dyn Clock>,
    stopping: Stopping,
) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        let opening = Arc::clone(&registry);
        // Verifying and warming an edition reads it all once: not on a thread that answers.
        match tokio::task::spawn_blocking(move || opening.refresh()).await {
            Ok(Ok(true)) => {
                if let Some(edition) = registry.edition() {
                    tracing::info!(edition = &*edition.label, rows = edition.rows, "a new edition answers");
                }
            }
            Ok(Ok(false)) => {}
            Ok(Err(error)) => tracing::error!(cause = logs::chain(&error), "the published edition is not used"),
            Err(panic) => tracing::error!(cause = logs::chain(&panic), "refreshing the registry panicked"),
        }
        tell(&registry, &metrics, clock.as_ref());
    }
}

/// Tells the metrics which edition answers.
pub fn tell(registry: &EmbeddedRegistry, metrics: &Metrics, clock: &dyn Clock) {
    if let Some(edition) = registry.edition() {
        let age_days = calendar::today(clock.now()).days_since_epoch() - edition.date.days_since_epoch();
        metrics.serving(&edition.label, edition.rows, age_days);
    }
}
