//! Which concrete thing stands behind which port: the one place that knows them all. Reads from outside in.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::web::Data;
use kuraka_adapters::clock::{FollowingClock, SystemClock};
use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_adapters::store::{Store, StoreLock};
use kuraka_app::{AbsenceRule, AccountMeters, Admission, LookupDetail, LookupSummary, OwnTokens, ValidateVoucher};
use kuraka_panel::Panel;
use kuraka_ports::{Clock, ServerId, TaxpayerRegistry};

use crate::admin::Admin;
use crate::bootstrap::accounts::AccountUseCases;
use crate::bootstrap::background::BackgroundJobs;
use crate::bootstrap::listeners::Listeners;
use crate::bootstrap::panel::{self, Watched};
use crate::bootstrap::registry::open_registry;
use crate::bootstrap::sources::Sources;
use crate::http::{Api, Documents, ENDPOINTS, Endpoint, code_descriptions};
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::{background, logs};

/// How long leases may take to go back: a store that is held locked must not hold up the stop account by account.
const SETTLE_WITHIN: Duration = Duration::from_secs(5);

/// A server that listens.
pub struct Application {
    /// Where the API answers.
    pub api_address: SocketAddr,
    /// Where the admin listener answers.
    pub admin_address: SocketAddr,
    /// The registry that answers.
    pub registry: Arc<EmbeddedRegistry>,
    listeners: Listeners,
    background: BackgroundJobs,
    draining: Arc<AtomicBool>,
    stop_delay: Duration,
    meters: Arc<AccountMeters>,
    store: Arc<dyn Store>,
    id: ServerId,
    _locks: Vec<StoreLock>,
}

impl Application {
    /// Opens what the settings name and listens. Must be called on the multi-thread runtime that outbound questions
    /// run on; the threads that answer have runtimes of their own.
    ///
    /// # Errors
    /// What could not be opened or bound, with its cause.
    pub async fn build(settings: Settings) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Self::build_with(Arc::new(SystemClock::start()), settings, &ENDPOINTS).await
    }

    /// As [`Application::build`], with a clock that need not be the machine's, and with these operations.
    ///
    /// # Errors
    /// As [`Application::build`].
    pub async fn build_with(
        clock: Arc<dyn Clock>,
        settings: Settings,
        endpoints: &[Endpoint],
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let locks = settings.store.lock(Some(&settings.data_dir))?;
        let following = Arc::new(FollowingClock::new(clock));
        let clock: Arc<dyn Clock> = following.clone();
        let operations: Vec<_> = endpoints.iter().map(|endpoint| endpoint.operation).collect();
        let metrics = Arc::new(Metrics::new(operations.iter().map(|operation| operation.name)));
        let store = settings.store.open().await?;
        let (registry, had_edition) = open_registry(&settings)?;
        background::tell(&registry, &metrics, clock.as_ref());

        let accounts = AccountUseCases::start(&settings, &store, following, &operations).await?;
        // The first log-in that is refused must not wait for this.
        tokio::spawn({
            let sign_in = Arc::clone(&accounts.sign_in);
            async move { sign_in.prepare().await }
        });
        let taxpayers: Arc<dyn TaxpayerRegistry> = registry.clone();
        let absence = AbsenceRule::new(Arc::clone(&clock), settings.registry.max_age_days);
        let Sources { details, vouchers } = Sources::new(&settings, &taxpayers, &absence, &metrics, &clock)?;
        let draining = Arc::new(AtomicBool::new(false));
        let api = Data::new(Api {
            endpoints: endpoints.to_vec(),
            documents: Data::new(Documents::new(operations.clone())),
            admission: Admission::new(Arc::clone(&accounts.credentials), Arc::clone(&clock)),
            lookup_summary: LookupSummary::new(Arc::clone(&taxpayers), absence),
            lookup_detail: LookupDetail::new(details.source),
            validate_voucher: ValidateVoucher::new(vouchers.source),
            usage: Arc::clone(&accounts.usage),
            metrics: Arc::clone(&metrics),
            clock: Arc::clone(&clock),
            trusted_proxies: settings.http.trusted_proxies.clone(),
            draining: Arc::clone(&draining),
        });
        let panel = Data::new(Panel {
            site: panel::site(&settings),
            sign_in: Arc::clone(&accounts.sign_in),
            own_tokens: OwnTokens::new(store.clone(), Arc::clone(&clock), getrandom::fill),
            usage: Arc::clone(&accounts.usage),
            plans: settings.plans.clone(),
            registry: Arc::clone(&taxpayers),
            max_age_days: settings.registry.max_age_days,
            sources: Arc::new(Watched::new(settings.official.is_some(), &details.breakers, &vouchers.breakers)),
            operations,
            codes: code_descriptions(),
            clock: Arc::clone(&clock),
        });
        let admin = Data::new(Admin {
            registry: taxpayers,
            registry_dir: settings.registry_dir(),
            breakers: [details.breakers, vouchers.breakers].concat(),
            store: store.clone(),
            meters: Arc::clone(&accounts.meters),
            draining: Arc::clone(&draining),
            had_edition,
            needs_edition: had_edition || settings.registry.edition_url.is_some(),
            metrics: Arc::clone(&metrics),
        });

        let listeners = Listeners::start(&settings, api, panel, admin)?;
        let (meters, id) = (Arc::clone(&accounts.meters), accounts.member.id);
        let background = BackgroundJobs::start(&settings, accounts, &registry, &metrics, &clock)?;
        let (api_address, admin_address) = (listeners.api_address, listeners.admin_address);
        tracing::info!(api = %api_address, admin = %admin_address, "listening");
        let stop_delay = settings.http.stop_delay;
        Ok(Self {
            api_address,
            admin_address,
            registry,
            listeners,
            background,
            draining,
            stop_delay,
            meters,
            store,
            id,
            _locks: locks,
        })
    }

    /// Serves until `stop` is done, then stops: not ready any more, calls under way finish, leases go back.
    ///
    /// # Errors
    /// If a listener dies by itself.
    pub async fn run_until(mut self, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error + Send + Sync>> {
        let died = tokio::select! {
            () = stop => None,
            ended = self.listeners.running.join_next() => ended,
        };
        self.draining.store(true, Ordering::Release);
        if died.is_none() && !self.stop_delay.is_zero() {
            let seconds = self.stop_delay.as_secs_f64();
            tracing::info!(seconds, "stopping soon: not ready any more, and still answering");
            tokio::time::sleep(self.stop_delay).await;
        }
        tracing::info!("stopping: calls under way are finished");
        self.listeners.public.stop(true).await;
        if tokio::time::timeout(SETTLE_WITHIN, self.background.stop()).await.is_err() {
            tracing::error!("the store is too slow: what was last counted is not written");
            self.background.running.abort_all();
        }
        match tokio::time::timeout(SETTLE_WITHIN, self.meters.settle_all()).await {
            Ok(errors) => {
                for error in errors {
                    tracing::error!(cause = logs::chain(&error), "a lease was lost to its account");
                }
            }
            Err(_) => tracing::error!("the store is too slow: leases were lost to their accounts"),
        }
        // The others divide the rates among one less at once; they would notice anyway.
        let _ = self.store.leave(self.id).await;
        self.store.close().await;
        self.listeners.private.stop(true).await;
        tracing::info!("stopped");
        match died {
            None => Ok(()),
            Some(ended) => {
                ended??;
                Err("a listener ended by itself".into())
            }
        }
    }
}
