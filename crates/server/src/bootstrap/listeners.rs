//! Binds and starts the two listeners: the public one and the admin listener.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::web::Data;
use kuraka_panel::Panel;
use tokio::task::JoinSet;

use crate::admin::{self, Admin};
use crate::connections::{self, Listener};
use crate::http::{self, Api, Endpoint};
use crate::metrics::Metrics;
use crate::settings::{ConnectionLimits, Settings};

/// Seconds that a stopping server waits for calls in progress; more than the longest deadline of a source.
const DRAIN_SECONDS: u64 = 15;

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
        metrics: &Metrics,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let connections = connections::connections_within(connections::raise_file_limit());
        let admin_connections = ADMIN_CONNECTIONS.min(connections / 4);
        let limits = &settings.http.connections;
        let bind =
            |key, address| connections::listen(address, limits).map_err(|cause| cannot_bind(key, address, &cause));
        let (public, api_address) = bind("http.bind", settings.http.bind)?;
        let (private, admin_address) = bind("admin.bind", settings.admin_bind)?;
        let limits = Arc::new(settings.http.connections.clone());
        let processors = || thread::available_parallelism().map_or(2, NonZeroUsize::get);
        let public = Listener {
            name: "public",
            socket: public,
            workers: settings.http.workers.unwrap_or_else(processors),
            drain_seconds: DRAIN_SECONDS,
            limits: Arc::clone(&limits),
            metrics: metrics.public_connections.clone(),
            trusted_proxies: Some(settings.http.trusted_proxies.clone()),
        };
        let endpoints = endpoints.to_vec();
        let public = connections::serve(public, connections - admin_connections, move || {
            let app = App::new().app_data(panel.clone());
            let app = app.configure(|service| http::configure(service, &api, kuraka_panel::configure));
            http::service(Data::clone(&api), endpoints.clone(), app)
        })?;
        let private = Listener {
            name: "admin",
            socket: private,
            workers: 1,
            drain_seconds: 1,
            limits: Arc::new(ConnectionLimits {
                max_connections: ADMIN_CONNECTIONS,
                ..ConnectionLimits::clone(&limits)
            }),
            metrics: metrics.admin_connections.clone(),
            trusted_proxies: None,
        };
        let private = connections::serve(private, admin_connections, move || {
            App::new().app_data(admin.clone()).configure(admin::routes)
        })?;
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
