//! A listener's HTTP/1 service, with the stream below it and the observed application above it.

use std::fmt::Debug;
use std::future::ready;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{Extensions, HttpService, KeepAlive, Request, Response};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, apply_fn_factory, map_config};
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, Server, fn_service};
use socket2::{Domain, Protocol, Type};
use tokio::net::TcpStream;

use crate::limits::Limits;
use crate::observer::Observer;
use crate::service;
use crate::socket::{self, Socket};
use crate::stream::DeadlineStream;
use crate::table::Table;

/// How long the server reads on after answering a request with an unread body: a reset can destroy the response before
/// the client reads it.
const LINGER: Duration = Duration::from_secs(1);

/// Completed by the kernel, not yet accepted.
const BACKLOG: i32 = 2_048;

/// How a listener serves its connections.
pub struct Config {
    /// The name of the listener's threads.
    pub name: &'static str,
    /// Worker threads.
    pub workers: usize,
    /// How long a stopping listener waits for requests.
    pub drain_seconds: u64,
    /// Deadlines, sizes and numbers of its connections.
    pub limits: Limits,
    /// Notified of each connection.
    pub observer: Arc<dyn Observer>,
}

/// A bound address.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    config: Config,
}

impl Listener {
    /// Binds a listener; port 0 takes any free port.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub fn bind(address: SocketAddr, config: Config) -> io::Result<Self> {
        let socket = socket2::Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        // A restarted server need not wait until the kernel forgets the old connections.
        socket.set_reuse_address(true)?;
        socket::configure(&socket, &config.limits);
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        let socket = TcpListener::from(socket);
        let address = socket.local_addr()?;
        Ok(Self { socket, address, config })
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves the application that `app` makes for each worker thread.
    ///
    /// # Errors
    /// If the worker threads cannot be started.
    pub fn serve<F, I, S>(self, app: F) -> io::Result<Server>
    where
        F: Fn() -> I + Send + Clone + 'static,
        I: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig, Error = Error> + 'static,
        S::Response: Into<Response<BoxBody>>,
        S::InitError: Debug,
    {
        let Config { name, workers, drain_seconds, limits, observer } = self.config;
        let most = limits.max_connections;
        let table = Arc::new(Table::new(limits, observer));
        // Accepted connections outside of the table.
        let queued = (most / 8).max(16);
        let server = Server::build().workers(workers).shutdown_timeout(drain_seconds).disable_signals();
        let server = server.max_concurrent_connections((most + queued).div_ceil(workers));
        let stopping = server.graceful_shutdown_signal();
        let server = server.listen(name, self.socket, move || {
            let stopping = stopping.clone();
            let http = http(app(), move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            });
            let table = Arc::clone(&table);
            fn_service(move |socket: TcpStream| {
                let peer = socket.peer_addr().ok();
                let connection = table.open(peer.map(|peer| peer.ip()));
                let stream = connection.map(|connection| (DeadlineStream::new(socket, connection), peer));
                ready(stream.ok_or_else(|| DispatchError::Io(io::ErrorKind::ConnectionRefused.into())))
            })
            .and_then(http)
        })?;
        Ok(server.run())
    }
}

/// `stopping` makes futures that complete when the server stops.
pub(crate) fn http<C, I, S, F, W>(
    app: I,
    stopping: F,
) -> impl ServiceFactory<
    (DeadlineStream<C>, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
>
where
    C: Socket + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = Error> + 'static,
    S::Response: Into<Response<BoxBody>>,
    S::InitError: Debug,
    F: Fn() -> W + 'static,
    W: Future<Output = ()> + 'static,
{
    let app = map_config(app, |_| AppConfig::default());
    let app = apply_fn_factory(app, |mut request: Request, app: &S::Service| {
        let pending = service::begin(&mut request);
        let response = app.call(request);
        async move { Ok(service::respond(pending, response.await?.into())) }
    });
    HttpService::build()
        // The stream closes idle connections and slow first heads.
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(LINGER)
        .h1_allow_half_closed(true)
        .graceful_shutdown_signal(stopping)
        .on_connect_ext(|stream: &DeadlineStream<C>, data: &mut Extensions| {
            data.insert(stream.state());
        })
        .h1(app)
}
