//! Switches to a newly published edition, which this process or another one may have published, and away from an
//! edition whose file was damaged.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_app::calendar;
use kuraka_ports::{Clock, TaxpayerRegistry};
use kuraka_registry::SkippedEdition;

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
        let replacing = Arc::clone(&registry);
        match tokio::task::spawn_blocking(move || replacing.replace_damaged()).await {
            Ok(Ok(Some(replaced))) => {
                metrics.record_damaged_edition();
                report_skipped(&replaced.skipped);
                let answers = registry.edition().map(|edition| edition.label.to_string());
                let (edition, answers) = (&*replaced.label, answers.as_deref().unwrap_or("none"));
                tracing::error!(edition, answers, "the file of the edition that answered was damaged");
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::error!(cause = logs::chain(&error), "the damaged edition is not replaced"),
            Err(panic) => tracing::error!(cause = logs::chain(&panic), "refreshing the registry panicked"),
        }
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

/// Logs the unusable editions that come before the one that answers.
pub(crate) fn report_skipped(skipped: &[SkippedEdition]) {
    for skipped in skipped {
        let (file, cause) = (skipped.path.display(), logs::chain(&skipped.error));
        tracing::error!(%file, cause, "an edition was passed over");
    }
}

/// Sets the metrics of the current edition.
pub fn record_edition_metrics(registry: &EmbeddedRegistry, metrics: &Metrics, clock: &dyn Clock) {
    match registry.edition() {
        Some(edition) => {
            let age_days = calendar::today(clock.now()).days_since_epoch() - edition.date.days_since_epoch();
            metrics.set_edition(&edition.label, edition.rows, age_days);
        }
        None => metrics.clear_edition(),
    }
    let is_current = matches!(registry.state(), RegistryState::Loaded | RegistryState::NeverImported);
    metrics.set_edition_fallback(!is_current);
}
