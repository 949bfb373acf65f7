//! Binds and starts the two listeners: the public one and the admin listener.

use std::error::Error;
use std::io;
use std::net::SocketAddr;

use actix_web::dev::ServerHandle;
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use kuraka_panel::Panel;
use tokio::task::JoinSet;

use crate::admin::{self, Admin};
use crate::http::{self, Api};
use crate::settings::Settings;

/// Seconds that a stopping server waits for calls in progress; more than the longest deadline of a source.
const DRAIN_SECONDS: u64 = 15;

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
        panel: Data<Panel>,
        admin: Data<Admin>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let public = HttpServer::new(move || {
            let app = App::new().app_data(panel.clone());
            app.configure(|service| http::configure(service, &api, kuraka_panel::configure))
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
