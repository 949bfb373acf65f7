//! Binds and starts the public and the admin listener.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::web::Data;
use kuraka_connections::{Config, Limits, Listener, TrustedProxies, connections_in_file_limit};
use kuraka_panel::Panel;
use tokio::task::JoinSet;

use crate::admin::{self, Admin};
use crate::http::{self, Api, Endpoint};
use crate::metrics::Metrics;
use crate::settings::Settings;

/// How long a stopping server waits for calls; longer than any source's deadline.
pub(crate) const DRAIN: Duration = Duration::from_secs(15);

type Failure = Box<dyn Error + Send + Sync>;

/// For a balancer, a metrics server and the operator's other machines.
const ADMIN_CONNECTIONS: usize = 256;

/// The running listeners: admin, later also public.
pub(crate) struct Listeners {
    /// A task that ends before its listener is stopped has failed.
    pub(crate) running: JoinSet<io::Result<()>>,
    connections: usize,
    admin_connections: usize,
}

impl Listeners {
    pub(crate) fn start(settings: &Settings, admin: Data<Admin>) -> Result<(Self, SocketAddr, ServerHandle), Failure> {
        let connections = connections_in_file_limit();
        let admin_connections = ADMIN_CONNECTIONS.min(connections / 4);
        let config = Config {
            name: "admin",
            workers: 1,
            drain_seconds: 1,
            limits: Limits {
                max_connections: admin_connections,
                max_connections_per_address: None,
                ..settings.connections.clone()
            },
            observer: Arc::new(admin.metrics.admin_connections.clone()),
        };
        let mut listeners = Self { running: JoinSet::new(), connections, admin_connections };
        let listener = bind("admin.bind", settings.admin_bind, config)?;
        let address = listener.address();
        let server = listener.serve(move || App::new().app_data(admin.clone()).configure(admin::routes))?;
        let handle = server.handle();
        listeners.running.spawn(server);
        Ok((listeners, address, handle))
    }

    pub(crate) fn start_public(
        &mut self,
        settings: &Settings,
        api: Data<Api>,
        endpoints: &[Endpoint],
        panel: Data<Panel>,
        trusted_proxies: TrustedProxies,
        metrics: &Metrics,
    ) -> Result<(SocketAddr, ServerHandle), Failure> {
        let (wanted, most) = (settings.connections.max_connections, self.connections - self.admin_connections);
        if wanted > most {
            tracing::warn!(wanted, most, "the limit of open files allows fewer connections than http.max_connections");
        }
        let processors = || thread::available_parallelism().map_or(2, NonZeroUsize::get);
        let http = &settings.http;
        let config = Config {
            name: "public",
            workers: http.workers.unwrap_or_else(processors),
            drain_seconds: DRAIN.as_secs(),
            limits: Limits { max_connections: wanted.min(most), trusted_proxies, ..settings.connections.clone() },
            observer: Arc::new(metrics.public_connections.clone()),
        };
        let listener = bind("http.bind", http.bind, config)?;
        let address = listener.address();
        let endpoints = endpoints.to_vec();
        let server = listener.serve(move || {
            let app = App::new().app_data(panel.clone());
            let app = app.configure(|service| http::configure(service, &api, kuraka_panel::configure));
            http::service(Data::clone(&api), endpoints.clone(), app)
        })?;
        let handle = server.handle();
        self.running.spawn(server);
        Ok((address, handle))
    }
}

fn bind(key: &str, address: SocketAddr, config: Config) -> Result<Listener, Failure> {
    let cannot = |cause: io::Error| format!("cannot listen on {address}: {cause}; set {key} to another address").into();
    Listener::bind(address, config).map_err(cannot)
}
