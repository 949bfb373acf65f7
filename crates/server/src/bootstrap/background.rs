//! Starts the background jobs.

use std::error::Error;
use std::sync::Arc;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_ports::Clock;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::accounts::AccountUseCases;
use super::registry::{edition_fetch, registry_update};
use crate::background::{self, Stopping};
use crate::metrics::Metrics;
use crate::settings::Settings;

/// The running background jobs.
pub(crate) struct BackgroundJobs {
    pub(crate) running: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl BackgroundJobs {
    /// Starts every job that the settings enable.
    pub(crate) fn start(
        settings: &Settings,
        accounts: AccountUseCases,
        registry: &Arc<EmbeddedRegistry>,
        metrics: &Arc<Metrics>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let AccountUseCases { credentials, meters, usage, sign_in, own_tokens, heartbeat } = accounts;
        let (stop, stopping) = watch::channel(false);
        let (metrics, stopping) = (|| Arc::clone(metrics), || -> Stopping { stopping.clone() });
        let mut running = JoinSet::new();
        running.spawn(background::watch_store(Arc::clone(&credentials), metrics(), stopping()));
        running.spawn(background::send_heartbeats(heartbeat, metrics(), stopping()));
        running.spawn(background::settle_leases(Arc::clone(&meters), metrics(), stopping()));
        running.spawn(background::write_usage(usage, Arc::clone(&credentials), metrics(), stopping()));
        running.spawn(background::evict_idle(credentials, meters, stopping()));
        running.spawn(background::sweep_sessions(sign_in, metrics(), stopping()));
        running.spawn(background::sweep_tokens(own_tokens, metrics(), stopping()));
        match (settings.registry.update_every, &settings.registry.edition_url) {
            (None, _) => {}
            (Some(period), None) => {
                let update = registry_update(settings)?;
                running.spawn(background::update_registry(update, period, Arc::clone(clock), stopping()));
            }
            (Some(period), Some(url)) => {
                let fetch = edition_fetch(settings)?;
                running.spawn(background::fetch_registry(fetch, url.clone(), period, stopping()));
            }
        }
        running.spawn(background::refresh_registry(Arc::clone(registry), metrics(), Arc::clone(clock), stopping()));
        Ok(Self { running, stop })
    }

    /// Stops every job and waits until all have ended.
    pub(crate) async fn stop(&mut self) {
        let _ = self.stop.send(true);
        while self.running.join_next().await.is_some() {}
    }
}
