//! A server that answers like SUNAT's page, its voucher service, the providers and the sources of the exchange rate, faults
//! included.
//!
//! It has the taxpayers of [`sample`](crate::sample), one invented company for each [`FaultCase`], and the vouchers in
//! [`VOUCHERS`]. Providers are plain data ([`ProviderShape`], read from their files), each under its name:
//! `/migo/api/v1/ruc`. The requested RUC decides the fault ([`FaultCase::ALL`]), unless [`Upstream::fault`] has set one.
//! Every answer with headers has the header [`MARK`].
//!
//! It writes HTTP/1.1 without a library, so that it can reset, cut and slow down answers.
//!
//! ```
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! use kuraka_sandbox::upstream::{Delivery, Target, Upstream};
//!
//! let upstream = Upstream::start(([127, 0, 0, 1], 0).into(), Vec::new()).await?;
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
mod fault_case;
mod fault_control;
mod official;
mod official_rates;
mod page;
mod provider;
mod request;
mod shape;
mod taxpayer;
mod tokens;
mod voucher;
mod vouchers;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use kuraka_domain::{Date, Ruc};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

pub use delivery::MARK;
pub use fault::{Alteration, Coding, Delivery, Fault, Framing, Page, RedirectTo, Replacement};
pub use fault_case::{FaultCase, FaultTarget};
pub use fault_control::Target;
pub use shape::{ProviderShape, ShapeError};
pub use tokens::{CLIENT_ID, CLIENT_SECRET};
pub use voucher::{ISSUER, KnownVoucher, VOUCHERS};
pub use vouchers::REQUESTER_RUC;

use exchange::Simulation;
use official_rates::OfficialRates;
use taxpayer::Taxpayers;

/// The sandbox cannot listen on an address.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}; choose another address or end what listens there")]
pub struct StartError {
    address: SocketAddr,
    source: io::Error,
}

/// A running sandbox. Dropping it stops it.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    simulation: Arc<Simulation>,
    accepting: JoinHandle<()>,
}

impl Upstream {
    /// Starts the sandbox with these providers; port 0 takes a free port. Needs a tokio runtime with time and network.
    ///
    /// # Errors
    /// [`StartError`] if it cannot listen on the address.
    pub async fn start(address: SocketAddr, providers: Vec<ProviderShape>) -> Result<Self, StartError> {
        let listen = |source| StartError { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let simulation = Arc::new(Simulation {
            taxpayers: Taxpayers::known(),
            providers,
            tokens: Default::default(),
            rates: OfficialRates::sample(),
            fault_control: Default::default(),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&simulation)));
        Ok(Self { address, simulation, accepting })
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The full URL of the official page's POST.
    pub fn official_url(&self) -> String {
        format!("http://{}{}", self.address, official::PATH)
    }

    /// A provider's URL with `{ruc}` in place of the RUC; `None` if no provider has this name.
    pub fn provider_url(&self, name: &str) -> Option<String> {
        let provider = self.simulation.provider(name)?;
        Some(format!("http://{}{}", self.address, provider.target()))
    }

    /// The URL of the token endpoint, with `{client_id}` in place of the client's id.
    pub fn token_url(&self) -> String {
        format!("http://{}{}", self.address, tokens::PATH)
    }

    /// The URL of the voucher service, with `{ruc}` in place of the RUC.
    pub fn vouchers_url(&self) -> String {
        format!("http://{}{}", self.address, vouchers::PATH)
    }

    /// The URL of the tax authority's text of today's exchange rate.
    pub fn rate_text_url(&self) -> String {
        format!("http://{}{}", self.address, official_rates::TEXT_PATH)
    }

    /// The URL of the central bank's series of exchange rates, without the days.
    pub fn rate_series_url(&self) -> String {
        format!("http://{}{}", self.address, official_rates::SERIES_PATH)
    }

    /// Replaces the text.
    pub fn set_rate_text(&self, text: &str) {
        self.simulation.rates.set_text(text);
    }

    /// Publishes *compra* and *venta* of a day's close in the series. A weekday without a close is `n.d.`.
    pub fn set_close(&self, day: Date, close: [&str; 2]) {
        self.simulation.rates.set_close(day, close);
    }

    /// Removes every close from the series.
    pub fn remove_closes(&self) {
        self.simulation.rates.remove_closes();
    }

    /// Revokes every token issued so far.
    pub fn revoke_tokens(&self) {
        self.simulation.tokens.forget();
    }

    /// Sets a fault for the next `times` requests to `target` (`usize::MAX`: until [`Upstream::heal`]), after the
    /// faults already set.
    pub fn fault(&self, target: &Target, fault: impl Into<Fault>, times: usize) {
        self.simulation.fault_control.add(target.clone(), fault.into(), times);
    }

    /// Removes all faults set by [`Upstream::fault`].
    pub fn heal(&self) {
        self.simulation.fault_control.heal();
    }

    /// Requests for a RUC that `target` has received, with or without a fault.
    pub fn requests(&self, target: &Target, ruc: Ruc) -> u64 {
        self.simulation.fault_control.seen(target, ruc)
    }

    /// All requests that `target` has received.
    pub fn requests_in_all(&self, target: &Target) -> u64 {
        self.simulation.fault_control.seen_in_all(target)
    }

    /// Open connections.
    pub fn connections(&self) -> usize {
        // Each holds the simulation, as do the sandbox and the task that accepts them.
        Arc::strong_count(&self.simulation).saturating_sub(2)
    }

    /// Closes all connections and frees the address.
    pub async fn stop(mut self) {
        self.accepting.abort();
        // The task was aborted and has no other result.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, simulation: Arc<Simulation>) {
    let mut exchanges = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // Out of descriptors, or the client has disconnected: try the next connection.
                let Ok((stream, _)) = accepted else {
                    tokio::task::yield_now().await;
                    continue;
                };
                let simulation = Arc::clone(&simulation);
                exchanges.spawn(async move { simulation.serve(stream).await });
            }
            Some(_) = exchanges.join_next() => {}
        }
    }
}
