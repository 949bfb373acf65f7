//! Switches to a newly published edition, which this process or another one may have published, and away from an
//! edition whose file was damaged.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_app::calendar;
use kuraka_ports::{Clock, TaxpayerRegistry};
use kuraka_registry::{OpenError, SkippedEdition};

use super::Job;
use crate::datasets::ServedDatasets;
use crate::logs;
use crate::metrics::Metrics;

/// How often the registry's folder is read. A published edition is served after this time plus its verification.
const EVERY: Duration = Duration::from_secs(1);
/// Ticks until an unusable edition is tried again, because a read error may pass: about a minute.
const TICKS_TO_RETRY: u32 = 60;

/// The job that switches to a newly published edition, and away from a damaged one.
pub struct RefreshRegistry {
    /// Serves the editions.
    pub registry: Arc<EmbeddedRegistry>,
    /// Notices the attempts to update datasets that this process or another one recorded.
    pub datasets: Arc<ServedDatasets>,
    /// Reports the current edition.
    pub metrics: Arc<Metrics>,
    /// Today's date, for the age of the edition.
    pub clock: Arc<dyn Clock>,
    /// Ticks since unusable editions were tried again; 0 at first.
    pub ticks: u32,
}

impl RefreshRegistry {
    /// Replaces the edition that answers if its file was damaged; `false` = the attempt panicked.
    async fn replace_damaged(&self) -> bool {
        let replacing = Arc::clone(&self.registry);
        let replaced = tokio::task::spawn_blocking(move || replacing.replace_damaged()).await;
        let is_done = replaced.is_ok();
        match replaced {
            Ok(Ok(Some(replaced))) => {
                self.metrics.record_damaged_edition();
                report_skipped(&replaced.skipped);
                let answers = self.registry.edition().map(|edition| edition.label.to_string());
                let (edition, answers) = (&*replaced.label, answers.as_deref().unwrap_or("none"));
                tracing::error!(edition, answers, "the file of the edition that answered was damaged");
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::error!(cause = logs::chain(&error), "the damaged edition is not replaced"),
            // The panic hook has logged where; the message may quote a row.
            Err(_) => tracing::error!("replacing the damaged edition panicked"),
        }
        is_done
    }
}

impl Job for RefreshRegistry {
    const NAME: &'static str = "refresh_registry";
    // One tick verifies and reads a whole edition, which takes minutes on a slow disk.
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(600));

    fn period(&self) -> Duration {
        EVERY
    }

    async fn tick(&mut self) -> bool {
        let is_replaced = self.replace_damaged().await;
        self.ticks = (self.ticks + 1) % TICKS_TO_RETRY;
        let is_retry = self.ticks == 0;
        let (opening, datasets) = (Arc::clone(&self.registry), Arc::clone(&self.datasets));
        // Verifying and warming an edition reads the whole file, so it must not block an async thread.
        let refreshed = tokio::task::spawn_blocking(move || {
            datasets.read_attempts();
            let is_new = opening.refresh()?;
            Ok::<_, OpenError>(is_new || is_retry && opening.retry_unusable()?)
        })
        .await;
        match &refreshed {
            Ok(Ok(true)) => {
                if let Some(edition) = self.registry.edition() {
                    tracing::info!(edition = &*edition.label, rows = edition.rows, "serving a new edition");
                }
            }
            Ok(Ok(false)) => {}
            Ok(Err(error)) => tracing::error!(cause = logs::chain(error), "the published edition is not used"),
            // The panic hook has logged where; the message may quote a row.
            Err(_) => tracing::error!("refreshing the registry panicked"),
        }
        record_edition_metrics(&self.registry, &self.metrics, self.clock.as_ref());
        // A refused edition is a state of the registry, which `/readyz` reports; the job itself works.
        is_replaced && refreshed.is_ok()
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
