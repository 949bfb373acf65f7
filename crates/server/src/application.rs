//! Which concrete thing stands behind which port: the one place that knows them all. Reads from outside in.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer, web};
use kuraka_adapters::clock::{FollowingClock, SystemClock};
use kuraka_adapters::layers::{Jitter, LayerContext, stack, voucher_stack};
use kuraka_adapters::passwords::Passwords;
use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_adapters::store::{Store, StoreLock};
use kuraka_app::{
    AbsenceRule, Admit, Authenticate, LookupDetail, LookupSummary, OwnTokens, SignIn, Usage, ValidateVoucher,
};
use kuraka_panel::Panel;
use kuraka_ports::{Clock, ServerId, TaxpayerRegistry, Tokens, UsageLedger};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::admin::{self, Admin};
use crate::background::Member;
use crate::bootstrap::registry::{edition_fetch, open_registry, registry_update};
use crate::bootstrap::{server_id, sources};
use crate::http::{self, Api};
use crate::metrics::Metrics;
use crate::panel::Watched;
use crate::settings::Settings;
use crate::{background, logs, panel};

/// Seconds that calls under way are given when the server stops: more than the longest deadline.
const DRAIN_SECONDS: u64 = 15;
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
    servers: [ServerHandle; 2],
    serving: JoinSet<io::Result<()>>,
    background: JoinSet<()>,
    stopping: watch::Sender<bool>,
    draining: Arc<AtomicBool>,
    stop_delay: Duration,
    authenticate: Arc<Authenticate>,
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
        Self::build_by(Arc::new(SystemClock::start()), settings).await
    }

    /// As [`Application::build`], by a clock that need not be the machine's.
    ///
    /// # Errors
    /// As [`Application::build`].
    pub async fn build_by(own: Arc<dyn Clock>, settings: Settings) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let locks = settings.store.lock(Some(&settings.data_dir))?;
        let following = Arc::new(FollowingClock::new(own));
        let clock: Arc<dyn Clock> = following.clone();
        let metrics = Arc::new(Metrics::new());
        let store = settings.store.open().await?;
        let (registry, had_edition) = open_registry(&settings)?;
        background::tell(&registry, &metrics, clock.as_ref());

        let tokens: Arc<dyn Tokens> = store.clone();
        let ledger: Arc<dyn UsageLedger> = store.clone();
        let authenticate = Arc::new(Authenticate::new(
            Arc::clone(&tokens),
            Arc::clone(&ledger),
            Arc::clone(&clock),
            Handle::current(),
            settings.plans.clone(),
        ));
        let member = Member {
            id: server_id()?,
            membership: store.clone(),
            clock: following,
            authenticate: Arc::clone(&authenticate),
        };
        // Before the first call: how large this server's share of the rates is, and which month it is.
        member.beat().await?;
        let id = member.id;
        let usage = Arc::new(Usage::new(ledger, store.clone(), Arc::clone(&authenticate), Arc::clone(&clock)));
        let taxpayers: Arc<dyn TaxpayerRegistry> = registry.clone();
        let absence = AbsenceRule::new(Arc::clone(&clock), settings.registry.max_age_days);
        let around = LayerContext {
            clock: Arc::clone(&clock),
            jitter: Arc::new(Jitter::system()),
            observer: metrics.clone(),
            runtime: Handle::current(),
        };
        let (page, providers) = (sources::official(&settings, &clock)?, sources::providers(&settings, &clock)?);
        let verified = |source| sources::verified(source, &taxpayers, &absence);
        let page = page.map(verified);
        let sources = stack(page, providers.into_iter().map(verified).collect(), settings.times, &around);
        if sources.breakers.is_empty() {
            tracing::warn!("no source of details is set: /ruc-official cannot answer");
        }
        let vouchers = voucher_stack(sources::vouchers(&settings, &clock)?, settings.times, &around);
        if vouchers.breakers.is_empty() {
            tracing::warn!("no voucher credentials are set: /cpe cannot answer");
        }
        let draining = Arc::new(AtomicBool::new(false));
        let api = web::Data::new(Api {
            authenticate: Arc::clone(&authenticate),
            admit: Admit::new(Arc::clone(&clock)),
            lookup_summary: LookupSummary::new(Arc::clone(&taxpayers), absence),
            lookup_detail: LookupDetail::new(sources.source),
            validate_voucher: ValidateVoucher::new(vouchers.source),
            usage: Arc::clone(&usage),
            metrics: Arc::clone(&metrics),
            clock: Arc::clone(&clock),
            trusted_proxies: settings.http.trusted_proxies.clone(),
            draining: Arc::clone(&draining),
        });
        let sign_in = Arc::new(SignIn::new(
            store.clone(),
            store.clone(),
            Arc::new(Passwords::new()),
            Arc::clone(&clock),
            getrandom::fill,
        ));
        // Beside the start: the first to be refused must not wait for it.
        tokio::spawn({
            let sign_in = Arc::clone(&sign_in);
            async move { sign_in.prepare().await }
        });
        let pages = web::Data::new(Panel {
            site: panel::site(&settings),
            sign_in: Arc::clone(&sign_in),
            own_tokens: OwnTokens::new(Arc::clone(&tokens), Arc::clone(&clock), getrandom::fill),
            usage: Arc::clone(&usage),
            plans: settings.plans.clone(),
            registry: Arc::clone(&taxpayers),
            max_age_days: settings.registry.max_age_days,
            sources: Arc::new(Watched::new(settings.official.is_some(), &sources.breakers, &vouchers.breakers)),
            reference: http::reference(),
            clock: Arc::clone(&clock),
        });
        let admin = web::Data::new(Admin {
            registry: taxpayers,
            registry_dir: settings.registry_dir(),
            breakers: [sources.breakers, vouchers.breakers].concat(),
            store: tokens,
            authenticate: Arc::clone(&authenticate),
            draining: Arc::clone(&draining),
            had_edition,
            needs_edition: had_edition || settings.registry.edition_url.is_some(),
            metrics: Arc::clone(&metrics),
        });

        let public = HttpServer::new(move || {
            let app = App::new().app_data(api.clone()).app_data(pages.clone());
            app.configure(http::routes).configure(kuraka_panel::configure)
        });
        let public = match settings.http.workers {
            Some(workers) => public.workers(workers),
            None => public,
        };
        let public = public.disable_signals().shutdown_timeout(DRAIN_SECONDS);
        let public =
            public.bind(settings.http.bind).map_err(|cause| cannot_bind("http.bind", settings.http.bind, &cause))?;
        let private = HttpServer::new(move || App::new().app_data(admin.clone()).configure(admin::routes));
        let private = private.workers(1).disable_signals().shutdown_timeout(1);
        let private = private
            .bind(settings.admin_bind)
            .map_err(|cause| cannot_bind("admin.bind", settings.admin_bind, &cause))?;
        let api_address = public.addrs().first().copied().ok_or("the API has no address")?;
        let admin_address = private.addrs().first().copied().ok_or("the admin listener has no address")?;
        let (public, private) = (public.run(), private.run());
        let servers = [public.handle(), private.handle()];
        let mut serving = JoinSet::new();
        serving.spawn(public);
        serving.spawn(private);

        let (stopping, stopped) = watch::channel(false);
        let mut background = JoinSet::new();
        background.spawn(background::watch_store(Arc::clone(&authenticate), Arc::clone(&metrics), stopped.clone()));
        background.spawn(background::keep_beating(member, Arc::clone(&metrics), stopped.clone()));
        background.spawn(background::settle_idle(Arc::clone(&authenticate), Arc::clone(&metrics), stopped.clone()));
        background.spawn(background::write_usage(
            Arc::clone(&usage),
            Arc::clone(&authenticate),
            Arc::clone(&metrics),
            stopped.clone(),
        ));
        background.spawn(background::sweep_sessions(sign_in, Arc::clone(&metrics), stopped.clone()));
        match (settings.registry.update_every, &settings.registry.edition_url) {
            (None, _) => {}
            (Some(period), None) => {
                let update = registry_update(&settings)?;
                background.spawn(background::update_registry(update, period, Arc::clone(&clock), stopped.clone()));
            }
            (Some(period), Some(url)) => {
                let fetch = edition_fetch(&settings)?;
                background.spawn(background::fetch_registry(fetch, url.clone(), period, stopped.clone()));
            }
        }
        background.spawn(background::refresh_registry(Arc::clone(&registry), metrics, clock, stopped));

        tracing::info!(api = %api_address, admin = %admin_address, "listening");
        Ok(Self {
            api_address,
            admin_address,
            registry,
            servers,
            serving,
            background,
            stopping,
            draining,
            stop_delay: settings.http.stop_delay,
            authenticate,
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
            ended = self.serving.join_next() => ended,
        };
        self.draining.store(true, Ordering::Release);
        if died.is_none() && !self.stop_delay.is_zero() {
            let seconds = self.stop_delay.as_secs_f64();
            tracing::info!(seconds, "stopping soon: not ready any more, and still answering");
            tokio::time::sleep(self.stop_delay).await;
        }
        tracing::info!("stopping: calls under way are finished");
        let [public, private] = &self.servers;
        public.stop(true).await;
        let _ = self.stopping.send(true);
        let winding_up = async { while self.background.join_next().await.is_some() {} };
        if tokio::time::timeout(SETTLE_WITHIN, winding_up).await.is_err() {
            tracing::error!("the store is too slow: what was last counted is not written");
            self.background.abort_all();
        }
        match tokio::time::timeout(SETTLE_WITHIN, self.authenticate.settle_all()).await {
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
        private.stop(true).await;
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

fn cannot_bind(key: &str, address: SocketAddr, cause: &io::Error) -> Box<dyn Error + Send + Sync> {
    format!("cannot listen on {address}: {cause}; set {key} to another address").into()
}
