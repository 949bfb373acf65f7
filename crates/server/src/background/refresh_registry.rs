//! Switches to a newly published edition, which this process or another one may have published.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_app::calendar;
use kuraka_ports::{Clock, TaxpayerRegistry};

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often the registry's folder is read. A published edition is served after this time plus its verification.
const EVERY: Duration = Duration::from_secs(1);

/// Checks for a new edition until the server stops.
pub async fn refresh_registry(
    registry: Arc<EmbeddedRegistry>,
    metrics: Arc<Metrics>,
    clock: Arc<dyn Clock>,
    stopping: Stopping,
) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        let opening = Arc::clone(&registry);
        // Verifying and warming an edition reads the whole file, so it must not block an async thread.
        match tokio::task::spawn_blocking(move || opening.refresh()).await {
            Ok(Ok(true)) => {
                if let Some(edition) = registry.edition() {
                    tracing::info!(edition = &*edition.label, rows = edition.rows, "serving a new edition");
                }
            }
            Ok(Ok(false)) => {}
            Ok(Err(error)) => tracing::error!(cause = logs::chain(&error), "the published edition is not used"),
            Err(panic) => tracing::error!(cause = logs::chain(&panic), "refreshing the registry panicked"),
        }
        record_edition_metrics(&registry, &metrics, clock.as_ref());
    }
}

/// Sets the metrics of the current edition.
pub fn record_edition_metrics(registry: &EmbeddedRegistry, metrics: &Metrics, clock: &dyn Clock) {
    if let Some(edition) = registry.edition() {
        let age_days = calendar::today(clock.now()).days_since_epoch() - edition.date.days_since_epoch();
        metrics.set_edition(&edition.label, edition.rows, age_days);
    }
}
