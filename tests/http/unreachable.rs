//! Sources that accept no connection: unknown names, closed ports, failing TLS.

use std::net::SocketAddr;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::app::{App, scene};
use crate::reliability::{detail, figure};
use crate::sandbox::{PROVIDER, sandbox};

/// The timeout of a connection.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(1_500);
/// The same, and the tolerance of the measurement, with which it is less than any other timeout of a request.
pub(crate) const CONNECTION: Duration = Duration::from_millis(1_500 + 1_400);
/// The only fault that lasts until the timeout.
pub(crate) const SILENT: &str = "a TLS handshake without an answer";

/// Addresses to which no connection succeeds.
pub(crate) struct Nowhere {
    speaks_no_tls: SocketAddr,
    /// Queues connections and never answers.
    silent: TcpListener,
    closed: SocketAddr,
}

impl Nowhere {
    /// Uses the server at this address as one that does not speak TLS.
    pub(crate) async fn beside(speaks_no_tls: SocketAddr) -> Self {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { speaks_no_tls, silent, closed: gone.local_addr().unwrap() }
    }

    /// Four addresses, each with the name of its fault.
    pub(crate) fn addresses(&self) -> [(&'static str, String); 4] {
        [
            ("a name that nobody has", "http://kuraka.invalid".to_owned()),
            ("a port that nobody listens on", format!("http://{}", self.closed)),
            ("no TLS where TLS is spoken to", format!("https://{}", self.speaks_no_tls)),
            (SILENT, format!("https://{}", self.silent.local_addr().unwrap())),
        ]
    }
}

/// Makes a call. Returns the code, the source of the answer, and the duration.
async fn answer(mut app: App) -> (String, Option<String>, Duration) {
    let owner = app.owner().await;
    let begun = Instant::now();
    let answer = app.post("/ruc-official").token(&owner.token).ruc(sample::COMPANY).send().await;
    let took = begun.elapsed();
    app.stop().await;
    (answer.code(), answer.header("x-source").map(str::to_owned), took)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreachable_source_fails_within_the_connect_timeout() {
    let upstream = sandbox().await;
    let known = scene().start().await;
    let nowhere = Nowhere::beside(upstream.address()).await;
    let mut servers = Vec::new();
    for (what, address) in nowhere.addresses() {
        let (page, provider) = (format!("{address}/page"), format!("{address}/{{ruc}}"));
        let page = || scene().official_at(&page).with_editions_of(&known);
        let one = page().provider(&upstream, PROVIDER).start().await;
        servers.push((what, one, page().provider_at(PROVIDER, &provider).start().await));
    }
    let mut rows = JoinSet::new();
    for (what, one, both) in servers {
        rows.spawn(async move {
            let (one, both) = tokio::join!(answer(one), answer(both));
            let (code, source, took) = one;
            assert_eq!((code.as_str(), source.as_deref()), ("found", Some("provider")), "{what}");
            assert!(took <= CONNECTION, "{what}: {took:?}");
            let (code, source, both_took) = both;
            assert_eq!((code.as_str(), source), ("upstream_unavailable", None), "{what}");
            assert!(both_took <= CONNECTION * 2, "{what}: {both_took:?}");
            let waits = if what == SILENT { TIMEOUT } else { Duration::ZERO };
            assert!(
                took >= waits && both_took >= waits * 2,
                "{what}: {took:?}, {both_took:?}: no wait for the handshake"
            );
            detail(&format!("{what}: {took:.1?}, at both {both_took:.1?}"));
            took.max(both_took)
        });
    }
    let longest = rows.join_all().await.into_iter().max().unwrap();
    figure("U26, U27", "four ways not to be connected to, at the page and at both", &format!("longest {longest:.1?}"));
}
