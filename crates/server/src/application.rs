//! Builds, runs and stops the server. `bootstrap` builds the parts and chooses the concrete type for each port.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::web::Data;
use kuraka_adapters::clock::{FollowingClock, SystemClock};
use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry, MinuteFeed};
use kuraka_adapters::store::{Store, StoreLock};
use kuraka_app::{
    AccountMeters, Admission, AgeLimits, FormRate, IssuedCertificates, Lists, LookupDetail, LookupTaxpayer,
    MailChanges, Places, RequestedMails, ServiceReport, ValidateVoucher, Watching,
};
use kuraka_connections::TrustedProxies;
use kuraka_panel::{Documentation, Panel, ServiceStatus};
use kuraka_ports::{Audit, Clock, ServerId, TaxpayerRegistry};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::admin::{Admin, ServerParts};
use crate::background::JobHealth;
use crate::bootstrap::accounts::{AccountUseCases, open_store};
use crate::bootstrap::background::BackgroundJobs;
use crate::bootstrap::concurrency_limits::{concurrency_limits, test_limits};
use crate::bootstrap::datasets::{max_age_days, open_registry};
use crate::bootstrap::feed;
use crate::bootstrap::listeners::{DRAIN, Listeners};
use crate::bootstrap::panel;
use crate::bootstrap::sources::{self, Sources};
use crate::bootstrap::test_instance::{self, TestData};
use crate::http::{Api, CallLimits, Documents, ENDPOINTS, Endpoint, Instance, Instances, code_descriptions};
use crate::logs;
use crate::metrics::{MCP, Metrics};
use crate::operator::ServerOperator;
use crate::reload::Reload;
use crate::settings::Settings;
use crate::systemd;

/// For the last writes and for returning leases, so that a locked store cannot delay the stop.
const SETTLE_WITHIN: Duration = Duration::from_secs(5);

/// Time before the end of the drain in which its calls are answered.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// Uploads and large answers of the panel at once, of an account and of all; each takes at most a few megabytes.
const PLACES: [usize; 2] = [2, 8];
/// Large answers of the API at once, of an account, and its calls of tools. An item of a batch costs a query, which bounds them for all accounts.
const API_PLACES: usize = 32;

pub struct Application {
    pub api_address: SocketAddr,
    /// The address of the admin listener.
    pub admin_address: SocketAddr,
    pub registry: Arc<EmbeddedRegistry>,
    pub(crate) reload: Arc<Reload>,
    listeners: Listeners,
    public: ServerHandle,
    private: ServerHandle,
    background: BackgroundJobs,
    draining: Arc<AtomicBool>,
    drain_ends: watch::Sender<Option<Instant>>,
    stop_delay: Duration,
    meters: Arc<AccountMeters>,
    store: Arc<dyn Store>,
    id: ServerId,
    _locks: Vec<StoreLock>,
}

impl Application {
    pub(crate) fn audit(&self) -> Arc<dyn Audit> {
        self.store.clone()
    }

    /// Opens the store and the registry, and starts listening. Requires a multi-thread runtime, on which outbound
    /// requests run; each API worker thread has its own. `test_data` starts at the first call with a test token.
    ///
    /// # Errors
    /// If something cannot be opened or an address cannot be bound.
    pub async fn build(settings: Settings, test_data: TestData) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Self::build_with(Arc::new(SystemClock::start()), settings, &ENDPOINTS, test_data).await
    }

    /// [`Application::build`] with this clock and these operations.
    ///
    /// # Errors
    /// See [`Application::build`].
    pub async fn build_with(
        clock: Arc<dyn Clock>,
        settings: Settings,
        endpoints: &[Endpoint],
        test_data: TestData,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let locks = settings.store.lock(Some(&settings.data_dir))?;
        let following = Arc::new(FollowingClock::new(clock));
        let clock: Arc<dyn Clock> = following.clone();
        let operations: Vec<_> = endpoints.iter().map(|endpoint| endpoint.operation).collect();
        let metrics = Arc::new(Metrics::new(operations.iter().map(|operation| operation.name).chain([MCP])));
        let admin =
            Admin { metrics: Arc::clone(&metrics), datasets_dir: settings.datasets_dir(), server: OnceLock::new() };
        let admin = Data::new(admin);
        let (mut listeners, admin_address, private) = Listeners::start(&settings, admin.clone())?;
        let store = open_store(&settings).await?;
        if store.is_new() {
            tracing::warn!(store = settings.store_in_words(), "created a new, empty store");
        }
        let registry = open_registry(&settings)?;

        let feed = feed(&settings);
        let accounts = AccountUseCases::start(&settings, &store, following, &feed, test_data.changing).await?;
        let taxpayers: Arc<dyn TaxpayerRegistry> = registry.clone();
        let max_age_days = max_age_days(&settings);
        let ages = AgeLimits::new(Arc::clone(&clock), max_age_days.clone());
        let sources = Sources::new(&settings, &taxpayers, &ages, &metrics, &clock)?;
        let concurrency: Arc<[_]> = concurrency_limits(endpoints, &sources).into();
        let Sources { details, vouchers, providers } = sources;
        let draining = Arc::new(AtomicBool::new(false));
        let (drain_ends, drained) = watch::channel(None);
        let jobs = Arc::new(JobHealth::default());
        let (folder, time) = (settings.datasets_dir(), Arc::clone(&clock));
        let statuses = Arc::new(DatasetStatuses::new(Arc::clone(&registry), folder, time, max_age_days));
        let admission = Arc::new(Admission::new(Arc::clone(&accounts.credentials), Arc::clone(&clock)));
        let mail_changes = settings.mail.is_some().then(|| {
            Arc::new(MailChanges {
                digests: store.clone(),
                lists: store.clone(),
                feed: Arc::clone(&feed),
                registry: Arc::clone(&taxpayers),
                datasets: statuses.clone(),
                clock: Arc::clone(&clock),
                random: getrandom::fill,
                in_words: kuraka_panel::change_text,
            })
        });
        let lookup_taxpayer = Arc::new(LookupTaxpayer::new(taxpayers, ages));
        let open_data = settings.open_data.then(|| Arc::clone(&lookup_taxpayer));
        let validate_voucher = Arc::new(ValidateVoucher::new(vouchers.source, vouchers.bounds.at_once));
        let watching = Arc::new(Watching::new(store.clone(), feed, Arc::clone(&admission)));
        let trusted_proxies = TrustedProxies::from(settings.http.trusted_proxies.clone());
        let reload = Arc::new(Reload {
            credentials: Arc::clone(&accounts.credentials),
            trusted_proxies: trusted_proxies.clone(),
            providers,
        });
        let live = Instance {
            datasets: statuses.clone(),
            lookup_taxpayer: Arc::clone(&lookup_taxpayer),
            lookup_detail: LookupDetail::new(details.source, open_data),
            validate_voucher: Arc::clone(&validate_voucher),
            watching: Arc::clone(&watching),
        };
        let test_feed = Arc::new(MinuteFeed::new(test_data.changing, Arc::clone(&clock)));
        let test_watching = Arc::new(Watching::new(store.clone(), test_feed, Arc::clone(&admission)));
        let make_test = test_instance::maker(test_data.start, Arc::clone(&clock), test_watching);
        let api = Data::new(Api {
            documents: Data::new(Documents::new(operations.clone())),
            admission: Arc::clone(&admission),
            live: CallLimits { concurrency: Arc::clone(&concurrency), places: Places::new(API_PLACES, 0) },
            test: test_limits(endpoints),
            instances: Instances::new(live, make_test, Handle::current()),
            usage: Arc::clone(&accounts.usage),
            refusals: Arc::clone(&accounts.refused_tokens),
            dialects: sources::dialects(&settings)?,
            tokens_in_query: settings.compat.tokens_in_query,
            public_url: settings.http.public_url.clone(),
            metrics: Arc::clone(&metrics),
            clock: Arc::clone(&clock),
            trusted_proxies: trusted_proxies.clone(),
            draining: Arc::clone(&draining),
            drain_ends: drained,
        });
        let breakers = [details.breakers.clone(), vouchers.breakers.clone()].concat();
        let operator = Arc::new(ServerOperator {
            statuses: Arc::clone(&statuses),
            folder: settings.datasets_dir(),
            store: Arc::clone(&store),
            meters: Arc::clone(&accounts.meters),
            jobs: Arc::clone(&jobs),
            metrics: Arc::clone(&metrics),
            breakers: breakers.clone(),
        });
        let panel = Arc::new(Panel {
            site: panel::site(&settings, trusted_proxies.clone()),
            sign_in: Arc::clone(&accounts.sign_in),
            mails: settings
                .mail
                .is_some()
                .then(|| Arc::new(RequestedMails::new(store.clone(), store.clone(), Arc::clone(&clock)))),
            mail_changes,
            form_rate: FormRate::new(Arc::clone(&clock)),
            places: Places::new(PLACES[0], PLACES[1]),
            admission,
            concurrency: Arc::clone(&concurrency),
            lookup_taxpayer,
            validate_voucher,
            own_tokens: Arc::clone(&accounts.own_tokens),
            watching,
            lists: Arc::new(Lists::new(store.clone(), Arc::clone(&clock), getrandom::fill, settings.lists_kept_days)),
            certificates: Arc::new(IssuedCertificates::new(store.clone(), Arc::clone(&clock), getrandom::fill)),
            notifier: accounts.notifier.clone(),
            usage: Arc::clone(&accounts.usage),
            audit: store.clone(),
            accounts: store.clone(),
            operator,
            plans: settings.plans.clone(),
            datasets: statuses.clone(),
            sources: panel::sources(settings.official.is_some(), &details.breakers, &vouchers.breakers),
            service: ServiceStatus::new(settings.status_public),
            operations,
            codes: code_descriptions(),
            documentation: Documentation::default(),
            clock: Arc::clone(&clock),
        });
        panel.show_service(&ServiceReport::default(), &[]);
        let parts = ServerParts {
            datasets: statuses.clone(),
            breakers,
            store: store.clone(),
            meters: Arc::clone(&accounts.meters),
            draining: Arc::clone(&draining),
            concurrency,
            jobs: Arc::clone(&jobs),
        };

        let (api_address, public) = listeners.start_public(
            &settings,
            api,
            endpoints,
            Data::from(Arc::clone(&panel)),
            trusted_proxies,
            &metrics,
        )?;
        let (meters, id) = (Arc::clone(&accounts.meters), accounts.heartbeat.server);
        let background = BackgroundJobs::start(&settings, accounts, &panel, &registry, &statuses, &metrics, &parts)?;
        let _ = admin.server.set(parts);
        tracing::info!(api = %api_address, admin = %admin_address, "listening");
        let stop_delay = settings.http.stop_delay;
        Ok(Self {
            api_address,
            admin_address,
            registry,
            reload,
            listeners,
            public,
            private,
            background,
            draining,
            drain_ends,
            stop_delay,
            meters,
            store,
            id,
            _locks: locks,
        })
    }

    /// Serves until `stop` completes. Then reports not ready, finishes the calls in progress, and returns leases.
    ///
    /// # Errors
    /// If a listener or a job ends before.
    pub async fn run_until(mut self, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error + Send + Sync>> {
        let died: Option<Box<dyn Error + Send + Sync>> = tokio::select! {
            () = stop => None,
            ended = self.listeners.running.join_next() => Some(match ended {
                Some(Err(panic)) => panic.into(),
                Some(Ok(Err(error))) => error.into(),
                Some(Ok(Ok(()))) | None => "a listener stopped unexpectedly".into(),
            }),
            _ = self.background.running.join_next() => Some("a background job ended unexpectedly".into()),
        };
        self.draining.store(true, Ordering::Release);
        systemd::notify("STOPPING=1");
        if died.is_none() && !self.stop_delay.is_zero() {
            let seconds = self.stop_delay.as_secs_f64();
            tracing::info!(seconds, "stopping soon: reporting not ready, still answering");
            tokio::time::sleep(self.stop_delay).await;
        }
        tracing::info!("stopping: finishing the calls in progress");
        self.drain_ends.send_replace(Some(Instant::now() + DRAIN - ANSWER_WITHIN));
        self.public.stop(true).await;
        if tokio::time::timeout(SETTLE_WITHIN, self.background.stop()).await.is_err() {
            tracing::error!("the store is too slow: the last usage counts are not written");
            self.background.running.abort_all();
        }
        match tokio::time::timeout(SETTLE_WITHIN, self.meters.settle_all()).await {
            Ok(errors) => {
                for error in errors {
                    tracing::error!(cause = logs::chain(&error), "a lease was not returned: it counts as used");
                }
            }
            Err(_) => tracing::error!("the store is too slow: leases were not returned, they count as used"),
        }
        // The other servers divide the rates again before this server's heartbeat expires.
        let _ = self.store.leave(self.id).await;
        self.store.close().await;
        self.private.stop(true).await;
        tracing::info!("stopped");
        died.map_or(Ok(()), Err)
    }
}
