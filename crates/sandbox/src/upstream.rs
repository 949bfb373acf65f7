//! A server that talks like the tax authority's page, like its voucher service and like the providers, faults included.
//!
//! It knows the taxpayers of [`sample`](crate::sample) and one invented company for each [`Outcome`]; nobody else
//! exists. Of vouchers it knows [`VOUCHERS`]. Providers are plain data ([`ProviderShape`], read from their files), each
//! under its name: `/migo/api/v1/ruc`. What goes wrong is decided by the RUC asked ([`Outcome::ALL`]) or, for the next
//! requests, by [`Upstream::fault`], which comes first.
//! Every answer with a head carries [`MARK`].
//!
//! HTTP/1.1 is written by hand, one exchange a connection, so that resets, cuts and drips are possible. This module
//! refuses to know any client.
//!
//! ```
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! use kuraka_sandbox::upstream::{Config, Delivery, Target, Upstream};
//!
//! let upstream = Upstream::start(([127, 0, 0, 1], 0).into(), Config::default()).await?;
//! assert!(upstream.official_url().ends_with("/cl-ti-itmrconsruc/jcrS00Alias"));
//! upstream.fault(&Target::Official, Delivery::Hang, 1);
//! upstream.stop().await;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod delivery;
mod details;
mod exchange;
mod fault;
mod gate;
mod official;
mod outcome;
mod page;
mod provider;
mod request;
mod shape;
mod switchboard;
mod taxpayer;
mod tokens;
mod voucher;
mod vouchers;

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use kuraka_domain::Ruc;
use tokio::{
    net::TcpListener,
    task::{JoinHandle, JoinSet},
};

pub use delivery::MARK;
pub use fault::{Alteration, Coding, Delivery, Fault, Framing, Instead, Page, RedirectTo, RetryAfter};
pub use gate::Pace;
pub use outcome::{Outcome, Sufferer};
pub use shape::{ProviderShape, ShapeError, TokenPlace};
pub use switchboard::Target;
pub use tokens::{CLIENT_ID, CLIENT_SECRET};
pub use voucher::{ISSUER, KnownVoucher, VOUCHERS};
pub use vouchers::CONSULTANT;

use exchange::World;
use provider::Provider;
use taxpayer::Taxpayers;

/// Who is stood in for, besides the official page and the voucher service.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The providers.
    pub providers: Vec<ProviderShape>,
    /// How fast the official page may be asked; `None` = as fast as anybody likes.
    pub pace: Option<Pace>,
}

/// Why the stand-in does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}; choose another address or end what listens there")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A provider cannot be rendered.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// A running stand-in. Dropping it stops it.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    world: Arc<World>,
    connections: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Upstream {
    /// Starts it on an address; port 0 takes a free one. Needs a tokio runtime with its clock and its network.
    ///
    /// # Errors
    /// [`StartError`] if the address cannot be listened on, or a provider cannot be rendered.
    pub async fn start(address: SocketAddr, config: Config) -> Result<Self, StartError> {
        let listen = |source| StartError::Listen { address, source };
        let providers = config.providers.into_iter().map(Provider::new).collect::<Result<_, _>>()?;
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let world = Arc::new(World {
            taxpayers: Taxpayers::known(),
            providers,
            pace: config.pace,
            gate: Default::default(),
            tokens: Default::default(),
            switchboard: Default::default(),
        });
        let connections = Arc::new(AtomicUsize::new(0));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&world), Arc::clone(&connections)));
        Ok(Self { address, world, connections, accepting })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the official page's POST.
    #[must_use]
    pub fn official_url(&self) -> String {
        format!("http://{}{}", self.address, official::PATH)
    }

    /// A provider's address with `{ruc}` where it belongs; `None` if nobody has this name.
    #[must_use]
    pub fn provider_url(&self, name: &str) -> Option<String> {
        let provider = self.world.providers.iter().find(|provider| provider.name() == name)?;
        Some(format!("http://{}{}", self.address, provider.target()))
    }

    /// The address of the token endpoint, with `{client_id}` where it belongs.
    #[must_use]
    pub fn token_url(&self) -> String {
        format!("http://{}{}", self.address, tokens::PATH)
    }

    /// The address of the voucher service, with `{ruc}` where it belongs.
    #[must_use]
    pub fn vouchers_url(&self) -> String {
        format!("http://{}{}", self.address, vouchers::PATH)
    }

    /// Takes back every token given out so far, whatever was said of its life.
    pub fn revoke_tokens(&self) {
        self.world.tokens.forget();
    }

    /// Lets the next requests to `target` meet a fault, so many `times` (`usize::MAX`: until [`Upstream::heal`]).
    /// Faults queue: the next begins when the one before is used up.
    pub fn fault(&self, target: &Target, fault: impl Into<Fault>, times: usize) {
        self.world.switchboard.add(target.clone(), fault.into(), times);
    }

    /// Forgets all faults set by [`Upstream::fault`]. Those of the RUCs remain.
    pub fn heal(&self) {
        self.world.switchboard.heal();
    }

    /// Requests for a RUC that `target` has seen, those that met a fault included.
    #[must_use]
    pub fn requests(&self, target: &Target, ruc: Ruc) -> u64 {
        self.world.switchboard.seen(target, ruc)
    }

    /// All requests that `target` has seen.
    #[must_use]
    pub fn requests_in_all(&self, target: &Target) -> u64 {
        self.world.switchboard.seen_in_all(target)
    }

    /// Connections that are open now.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Acquire)
    }

    /// Stops it: open connections are closed, the address is free.
    pub async fn stop(mut self) {
        self.accepting.abort();
        // Aborted: there is no other result.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Accepts until aborted, and then takes all connections along.
async fn accept(listener: TcpListener, world: Arc<World>, connections: Arc<AtomicUsize>) {
    let mut exchanges = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // Out of descriptors, or a client already gone: the next one may fare better.
                let Ok((stream, _)) = accepted else {
                    tokio::task::yield_now().await;
                    continue;
                };
                let (world, open) = (Arc::clone(&world), Open::one_more(&connections));
                exchanges.spawn(async move {
                    // A client that goes away is no concern of a stand-in.
                    let _ = world.serve(stream).await;
                    drop(open);
                });
            }
            Some(_) = exchanges.join_next() => {}
        }
    }
}

/// Counts a connection for as long as it lives.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn one_more(connections: &Arc<AtomicUsize>) -> Self {
        connections.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(connections))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
