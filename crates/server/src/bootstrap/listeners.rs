//! Binds and starts the two listeners: the public one and the admin listener.

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

/// How long a stopping server waits for calls in progress; more than the longest deadline of a source.
pub(crate) const DRAIN: Duration = Duration::from_secs(15);

/// Connections of the admin listener. Its clients are a balancer, a metrics server and other machines of the operator.
const ADMIN_CONNECTIONS: usize = 256;

/// The two running listeners.
pub(crate) struct Listeners {
    pub(crate) api_address: SocketAddr,
    pub(crate) admin_address: SocketAddr,
    pub(crate) public: ServerHandle,
    pub(crate) private: ServerHandle,
    /// The tasks of both listeners. A task that ends before its listener is stopped has failed.
    pub(crate) running: JoinSet<io::Result<()>>,
}

impl Listeners {
    /// Starts listening on the addresses in the settings.
    pub(crate) fn start(
        settings: &Settings,
        api: Data<Api>,
        endpoints: &[Endpoint],
        panel: Data<Panel>,
        admin: Data<Admin>,
        trusted_proxies: TrustedProxies,
        metrics: &Metrics,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let connections = connections_in_file_limit();
        let admin_connections = ADMIN_CONNECTIONS.min(connections / 4);
        let processors = || thread::available_parallelism().map_or(2, NonZeroUsize::get);
        let http = &settings.http;
        let public = Config {
            name: "public",
            workers: http.workers.unwrap_or_else(processors),
            drain_seconds: DRAIN.as_secs(),
            limits: Limits {
                max_connections: settings.connections.max_connections.min(connections - admin_connections),
                trusted_proxies,
                ..settings.connections.clone()
            },
            observer: Arc::new(metrics.public_connections.clone()),
        };
        let private = Config {
            name: "admin",
            workers: 1,
            drain_seconds: 1,
            limits: Limits {
                max_connections: admin_connections,
                max_connections_per_address: None,
                ..settings.connections.clone()
            },
            observer: Arc::new(metrics.admin_connections.clone()),
        };
        let bind =
            |key, address, config| Listener::bind(address, config).map_err(|cause| cannot_bind(key, address, &cause));
        let public = bind("http.bind", http.bind, public)?;
        let private = bind("admin.bind", settings.admin_bind, private)?;
        let (api_address, admin_address) = (public.address(), private.address());
        let endpoints = endpoints.to_vec();
        let public = public.serve(move || {
            let app = App::new().app_data(panel.clone());
            let app = app.configure(|service| http::configure(service, &api, kuraka_panel::configure));
            http::service(Data::clone(&api), endpoints.clone(), app)
        })?;
        let private = private.serve(move || App::new().app_data(admin.clone()).configure(admin::routes))?;
        let (public_handle, private_handle) = (public.handle(), private.handle());
        let mut running = JoinSet::new();
        running.spawn(public);
        running.spawn(private);
        Ok(Self { api_address, admin_address, public: public_handle, private: private_handle, running })
    }
}

fn cannot_bind(key: &str, address: SocketAddr, cause: &io::Error) -> Box<dyn Error + Send + Sync> {
    format!("cannot listen on {address}: {cause}; set {key} to another address").into()
}
