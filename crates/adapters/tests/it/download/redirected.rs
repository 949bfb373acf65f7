//! Redirects: which are followed, and what is told of the others.

use std::iter::once;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{Target, client_with, downloader, fetch, quick};
use crate::script::{Answer, Server, answer};

/// Every host is this machine.
struct Loopback;

impl Resolve for Loopback {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Ok(Box::new(once(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))) as Addrs) })
    }
}

/// A server with this scheme and host, and its address.
fn serving(host: &str, script: Vec<Answer>) -> (Server, String) {
    let server = if host.starts_with("https") { Server::start_unchecked(script) } else { Server::start(script) };
    let (_, port) = server.base.rsplit_once(':').unwrap();
    let address = format!("{host}:{port}");
    (server, address)
}

fn file() -> Answer {
    answer("200 OK", &["Content-Length: 4"], "file")
}

fn moved(to: &str) -> Answer {
    answer("302 Found", &[&format!("Location: {to}"), "Content-Length: 0"], "")
}

#[tokio::test]
async fn a_redirect_stays_on_its_host_or_on_https() {
    let limits = DownloadLimits { attempts: 1, total: Duration::from_secs(60), ..quick() };
    let downloader = Downloader::new(client_with(Loopback), limits);
    for (from, to, is_followed) in [
        ("https://a.pe", "https://b.pe", true),
        ("http://a.pe", "https://a.pe", true),
        ("http://a.pe", "https://b.pe", false),
        ("http://a.pe", "http://b.pe", false),
        // Another port.
        ("http://a.pe", "http://a.pe", false),
        ("https://a.pe", "http://a.pe", false),
        ("https://a.pe", "http://b.pe", false),
    ] {
        let (there, address) = serving(to, vec![file()]);
        let (_here, begun) = serving(from, vec![moved(&format!("{address}/y?sig=1"))]);
        let fetched = fetch(&downloader, &format!("{begun}/x"), &Target::new()).await;
        let asked = there.asked();
        if is_followed {
            fetched.unwrap();
            assert!(asked[0].starts_with("get /y?sig=1 http"), "{from} to {to}: {asked:?}");
        } else {
            let error = fetched.unwrap_err();
            let DownloadError::Redirect { location, .. } = &error else { panic!("{from} to {to}: {error:?}") };
            assert_eq!((location, asked.len()), (&format!("{address}/y"), 0), "{from} to {to}");
        }
    }
    for from in ["http://a.pe", "https://a.pe"] {
        let (here, begun) = serving(from, vec![moved("/y?sig=1"), file()]);
        fetch(&downloader, &format!("{begun}/x"), &Target::new()).await.unwrap();
        assert!(here.asked()[1].starts_with("get /y?sig=1 http"), "{from}: {:?}", here.asked());
        for nowhere in ["file:///etc/passwd", "http://["] {
            let (_here, begun) = serving(from, vec![moved(nowhere)]);
            let error = fetch(&downloader, &format!("{begun}/x"), &Target::new()).await.unwrap_err();
            assert!(matches!(error, DownloadError::Redirect { .. }), "{from} to {nowhere}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_shown_location_has_no_signature() {
    for (header, shown) in [
        ("Location: https://b.pe/y?sig=1#z", "https://b.pe/y"),
        ("Location: https://ana:s3cr3t@b.pe/y", "https://…@b.pe/y"),
    ] {
        let server = Server::start([answer("301 Moved Permanently", &[header, "Content-Length: 0"], "")]);
        let error = fetch(&downloader(3), &server.url, &Target::new()).await.unwrap_err();
        let DownloadError::Redirect { location, .. } = error else { panic!("{header}: {error:?}") };
        assert_eq!(location, shown);
    }
}
