//! Sources that cannot even be connected to: names that nobody has, ports that nobody listens on, TLS that fails.

use std::net::SocketAddr;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::app::{Scene, scene};
use crate::reliability::{detail, figure};
use crate::stand_in::{PROVIDER, stand_in};

/// What a connection may take, and what it takes to notice.
const CONNECTION: Duration = Duration::from_millis(1_500 + 500);

/// Places that nobody can be connected to.
pub(crate) struct Nowhere {
    speaks_no_tls: SocketAddr,
    /// Takes connections into its queue and never says a word.
    silent: TcpListener,
    closed: SocketAddr,
}

impl Nowhere {
    /// With a server that speaks no TLS at this address.
    pub(crate) async fn beside(speaks_no_tls: SocketAddr) -> Self {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { speaks_no_tls, silent, closed: gone.local_addr().unwrap() }
    }

    /// Four addresses, each with what is wrong there.
    pub(crate) fn addresses(&self) -> [(&'static str, String); 4] {
        [
            ("a name that nobody has", "http://kuraka.invalid".to_owned()),
            ("a port that nobody listens on", format!("http://{}", self.closed)),
            ("no TLS where TLS is spoken to", format!("https://{}", self.speaks_no_tls)),
            ("a TLS handshake without an answer", format!("https://{}", self.silent.local_addr().unwrap())),
        ]
    }
}

/// Asks, and gives the code with who answered.
async fn answer(scene: Scene) -> (String, Option<String>, Duration) {
    let mut app = scene.start().await;
    let owner = app.owner().await;
    let begun = Instant::now();
    let answer = app.post("/ruc-official").token(&owner.token).ruc(sample::COMPANY).send().await;
    let took = begun.elapsed();
    app.stop().await;
    (answer.code(), answer.header("x-source").map(str::to_owned), took)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_that_cannot_be_connected_to_is_given_up_within_the_time_for_a_connection() {
    let upstream = stand_in().await;
    let known = scene().start().await;
    let nowhere = Nowhere::beside(upstream.address()).await;
    let mut longest = Duration::ZERO;
    for (what, address) in nowhere.addresses() {
        let (page, provider) = (format!("{address}/page"), format!("{address}/{{ruc}}"));
        let page = || scene().official_at(&page).with_editions_of(&known);
        let (code, source, took) = answer(page().provider(&upstream, PROVIDER)).await;
        assert_eq!((code.as_str(), source.as_deref()), ("found", Some("provider")), "{what}");
        assert!(took <= CONNECTION, "{what}: {took:?}");
        let (code, source, both_took) = answer(page().provider_at(PROVIDER, &provider)).await;
        assert_eq!((code.as_str(), source), ("upstream_unavailable", None), "{what}");
        assert!(both_took <= CONNECTION * 2, "{what}: {both_took:?}");
        detail(&format!("{what}: {took:.1?}, at both {both_took:.1?}"));
        longest = longest.max(took).max(both_took);
    }
    figure("U26, U27", "four ways not to be connected to, at the page and at both", &format!("longest {longest:.1?}"));
}
