//! The HTTP/1 service of a listener, with the stream below it and the observed application above it.

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
use ipnet::IpNet;
use socket2::{Domain, Protocol, Type};
use tokio::net::TcpStream;

use super::requests;
use super::socket;
use super::socket::Socket;
use super::stream::Guarded;
use super::table::Table;
use crate::metrics::ConnectionMetrics;
use crate::settings::ConnectionLimits;

/// How long the server reads what a client still sends after the answer to a request whose body was not read. It lets
/// the client read the answer before the connection is reset.
const LINGER: Duration = Duration::from_secs(1);

/// Connections that the kernel completes and keeps until the server accepts them.
const BACKLOG: i32 = 2_048;

/// How a listener serves its connections.
pub(crate) struct Listener {
    pub(crate) name: &'static str,
    pub(crate) socket: TcpListener,
    /// Worker threads.
    pub(crate) workers: usize,
    /// Seconds that a stopping listener waits for calls in progress.
    pub(crate) drain_seconds: u64,
    pub(crate) limits: Arc<ConnectionLimits>,
    pub(crate) metrics: ConnectionMetrics,
    /// Networks whose connections are not counted per client address; `None` if none are.
    pub(crate) trusted_proxies: Option<Vec<IpNet>>,
}

/// Binds a listener, and returns it with its address.
pub(crate) fn listen(address: SocketAddr, limits: &ConnectionLimits) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = socket2::Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A server that is started again need not wait until the connections of the one before are forgotten. Elsewhere than
    // on Unix this option would let two servers share an address.
    #[cfg(unix)]
    listener.set_reuse_address(true)?;
    socket::configure(&listener, limits);
    listener.bind(&address.into())?;
    listener.listen(BACKLOG)?;
    let listener = TcpListener::from(listener);
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves the application that `app` makes for each worker thread, on at most this many connections.
pub(crate) fn serve<F, I, S>(listener: Listener, connections: usize, app: F) -> io::Result<Server>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = Error> + 'static,
    S::Response: Into<Response<BoxBody>>,
    S::InitError: Debug,
{
    let Listener { name, socket, workers, drain_seconds, limits, metrics, trusted_proxies } = listener;
    let most = limits.max_connections.min(connections).max(1);
    let per_address = trusted_proxies.map(|trusted| (limits.max_connections_per_address, trusted));
    let table = Arc::new(Table::new(most, per_address, metrics));
    // Accepted connections that are not in the table yet.
    let queued = (most / 8).max(16);
    let server = Server::build().workers(workers).shutdown_timeout(drain_seconds).disable_signals();
    let server = server.max_concurrent_connections((most + queued).div_ceil(workers));
    let stopping = server.graceful_shutdown_signal();
    let server = server.listen(name, socket, move || {
        let stopping = stopping.clone();
        let http = http(app(), move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        });
        let (limits, table) = (Arc::clone(&limits), Arc::clone(&table));
        fn_service(move |socket: TcpStream| {
            let peer = socket.peer_addr().ok();
            let connection = table.open(peer.map(|peer| peer.ip()));
            let stream = connection.map(|connection| (Guarded::new(socket, Arc::clone(&limits), connection), peer));
            ready(stream.ok_or_else(|| DispatchError::Io(io::ErrorKind::ConnectionRefused.into())))
        })
        .and_then(http)
    })?;
    Ok(server.run())
}

/// The HTTP/1 service, with the observed application above it. `stopping` makes futures that complete when the server
/// stops.
pub(super) fn http<C, I, S, F, W>(
    app: I,
    stopping: F,
) -> impl ServiceFactory<(Guarded<C>, Option<SocketAddr>), Config = (), Response = (), Error = DispatchError, InitError = ()>
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
        let answering = requests::begin(&mut request);
        let response = app.call(request);
        async move { Ok(requests::answer(answering, response.await?.into())) }
    });
    HttpService::build()
        // The stream closes idle connections and slow first heads.
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(LINGER)
        .h1_allow_half_closed(true)
        .graceful_shutdown_signal(stopping)
        .on_connect_ext(|stream: &Guarded<C>, data: &mut Extensions| {
            data.insert(stream.exchange());
        })
        .h1(app)
}
