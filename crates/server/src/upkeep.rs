//! What the server does beside answering: watch the store for changes, tell the others that it lives, give back idle
//! leases, notice a published edition. Each is a loop of its own that ends when the server stops.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{RegistryUpdate, Updated};
use kuraka_adapters::store::Store;
use kuraka_app::{Authenticate, SignIn, Usage, calendar};
use kuraka_ports::{Clock, Pulse, ServerId, StoreError, TaxpayerRegistry};
use kuraka_registry::{Adoption, NoProgress, Outcome};
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::logs;
use crate::metrics::Metrics;

/// How often the store's revision is read: revocations and plan changes are in force within this and a query.
const WATCH_EVERY: Duration = Duration::from_millis(250);
/// How often servers that share a store tell each other that they live.
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// How often idle leases are looked for.
const SETTLE_EVERY: Duration = Duration::from_millis(250);
/// How often calls are written to the history: a panel shows one within this.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// Beats of that after which the latest uses of tokens are written, and days forgotten that are no longer kept.
const NOTE_USES_EACH: u64 = 5;
const FORGET_EACH: u64 = 3_600;
/// How often sessions that are over are forgotten: they are good for nothing before that already.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// How often the registry's folder is looked at: a published edition answers within this and its verification.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

/// Told once, when the server stops.
pub type Stopping = watch::Receiver<bool>;

/// Watches the store's revision.
pub async fn watch_store(authenticate: Arc<Authenticate>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut beat = Beat::every(WATCH_EVERY, stopping);
    let mut reachable = true;
    while beat.next().await {
        match authenticate.watch().await {
            Ok(()) => reachable = true,
            Err(error) => {
                metrics.store_failed();
                // Said once an outage, not four times a second.
                if std::mem::replace(&mut reachable, false) {
                    tracing::error!(cause = logs::chain(&error), "the store cannot be asked for changes");
                }
            }
        }
    }
}

/// A server among those that share its store.
pub struct Member {
    /// This run of the server.
    pub id: ServerId,
    /// Where they meet.
    pub fleet: Arc<dyn Store>,
    /// Follows the store's clock.
    pub clock: Arc<FollowingClock>,
    /// Divides the rates.
    pub authenticate: Arc<Authenticate>,
}

impl Member {
    /// Tells the others that this server lives, and learns how many they are and what time it is for all.
    ///
    /// # Errors
    /// Those of the store; what was learned before stays in force.
    pub async fn beat(&self) -> Result<(), StoreError> {
        let began = self.clock.monotonic();
        let pulse = self.fleet.beat(self.id).await;
        self.authenticate.note_write(pulse.is_ok());
        let Pulse { servers, now } = pulse?;
        self.authenticate.divide_rates_among(servers);
        if let Some(now) = now {
            self.clock.follow(now, self.clock.monotonic().saturating_sub(began));
        }
        Ok(())
    }
}

/// Beats, once a second.
pub async fn keep_beating(member: Member, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut beat = Beat::every(BEAT_EVERY, stopping);
    while beat.next().await {
        // That the store is out of reach is said by the loop that watches it.
        if member.beat().await.is_err() {
            metrics.store_failed();
        }
    }
}

/// Gives idle leases back.
pub async fn settle_idle(authenticate: Arc<Authenticate>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut beat = Beat::every(SETTLE_EVERY, stopping);
    while beat.next().await {
        if let Err(error) = authenticate.settle_idle().await {
            metrics.store_failed();
            tracing::error!(cause = logs::chain(&error), "an idle lease was lost to its account");
        }
    }
}

/// Writes down what calls were made with which tokens, the latest of them when the server stops.
pub async fn write_usage(
    usage: Arc<Usage>,
    authenticate: Arc<Authenticate>,
    metrics: Arc<Metrics>,
    stopping: Stopping,
) {
    let mut beat = Beat::every(WRITE_EVERY, stopping);
    let mut beats = 0_u64;
    loop {
        let goes_on = beat.next().await;
        let mut done = vec![("the history of calls", usage.write().await)];
        if !goes_on || beats.is_multiple_of(NOTE_USES_EACH) {
            done.push(("tokens' latest uses", authenticate.note_uses().await));
        }
        if beats.is_multiple_of(FORGET_EACH) {
            done.push(("forgotten days", usage.forget().await));
        }
        for (what, outcome) in done {
            if let Err(error) = outcome {
                metrics.store_failed();
                tracing::warn!(what, cause = logs::chain(&error), "the store could not be written to");
            }
        }
        if !goes_on {
            return;
        }
        beats += 1;
    }
}

/// Forgets sessions that are over.
pub async fn sweep_sessions(sign_in: Arc<SignIn>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut beat = Beat::every(SWEEP_EVERY, stopping);
    while beat.next().await {
        if let Err(error) = sign_in.sweep().await {
            metrics.store_failed();
            tracing::warn!(cause = logs::chain(&error), "sessions that are over could not be forgotten");
        }
    }
}

/// Serves what is published, whoever publishes it.
pub async fn refresh_registry(
    registry: Arc<EmbeddedRegistry>,
    metrics: Arc<Metrics>,
    clock: Arc<dyn Clock>,
    stopping: Stopping,
) {
    let mut beat = Beat::every(REFRESH_EVERY, stopping);
    while beat.next().await {
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

/// Brings the registry up to date at once, and then every so often. What it publishes is noticed like any edition.
pub async fn update_registry(update: RegistryUpdate, period: Duration, clock: Arc<dyn Clock>, mut stopping: Stopping) {
    let mut beat = Beat::every(period, stopping.clone());
    while beat.next().await {
        let outcome = tokio::select! {
            outcome = update.run(calendar::today(clock.now()), false, Arc::new(NoProgress)) => outcome,
            _ = stopping.changed() => return,
        };
        match outcome {
            Ok(Updated { imported, missing_lists }) => {
                for (list, error) in &missing_lists {
                    tracing::warn!(list, cause = logs::chain(error), "the list is carried over as it was");
                }
                match imported {
                    Some(report) => {
                        tracing::info!(edition = report.label, rows = report.rows, "the registry is updated")
                    }
                    None => tracing::info!("the registry is up to date"),
                }
            }
            Err(error) => tracing::error!(cause = logs::chain(&error), "the registry could not be updated"),
        }
    }
}

/// Fetches the edition that another machine has built, at once and then every so often. It is noticed like any other.
pub async fn fetch_registry(fetch: EditionFetch, url: String, period: Duration, mut stopping: Stopping) {
    let mut beat = Beat::every(period, stopping.clone());
    while beat.next().await {
        let outcome = tokio::select! {
            outcome = fetch.run(&url, None, false, &|_, _| {}) => outcome,
            _ = stopping.changed() => return,
        };
        match outcome {
            Ok(Some(Adoption { outcome: Outcome::Published, label, rows, .. })) => {
                tracing::info!(edition = label, rows, "an edition was fetched")
            }
            Ok(Some(_) | None) => tracing::info!("the registry is up to date"),
            Err(error) => tracing::error!(cause = logs::chain(&error), "the edition could not be fetched"),
        }
    }
}

/// Tells the metrics which edition answers.
pub fn tell(registry: &EmbeddedRegistry, metrics: &Metrics, clock: &dyn Clock) {
    if let Some(edition) = registry.edition() {
        let age_days = calendar::today(clock.now()).days_since_epoch() - edition.date.days_since_epoch();
        metrics.serving(&edition.label, edition.rows, age_days);
    }
}

/// The beat of a loop that ends when the server stops.
struct Beat {
    ticks: Interval,
    stopping: Stopping,
}

impl Beat {
    fn every(period: Duration, stopping: Stopping) -> Self {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { ticks, stopping }
    }

    /// Waits for the next beat; `false` = the server stops.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.ticks.tick() => true,
            _ = self.stopping.changed() => false,
        }
    }
}
