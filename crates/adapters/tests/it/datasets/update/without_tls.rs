//! Addresses under https to which no TLS connection can be made.

use std::net::TcpListener;
use std::thread;

use kuraka_adapters::datasets::update::{UpdateError, UpdateSource};
use kuraka_adapters::download::DownloadError;

use super::super::CASES;
use super::{Home, missing, published, tag, unchanged};
use crate::script::Server;

/// A server that ends every connection before the handshake.
fn closing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/padron.zip", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().for_each(drop));
    url
}

/// An address without a server.
fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("https://{}/padron.zip", listener.local_addr().unwrap())
}

#[tokio::test]
async fn a_built_in_address_without_tls_is_fetched_over_http() {
    for (dataset, https) in CASES.into_iter().flat_map(|dataset| [closing(), refusing()].map(|https| (dataset, https)))
    {
        let home = Home::new(dataset);
        let server = Server::start([published("a", home.file(3)), unchanged()]);
        let source = || UpdateSource { plain_address: Some(server.url.clone()), ..home.source(&https) };
        let report = home.run(source(), false).await.unwrap().unwrap();
        assert_eq!((report.rows, report.without_tls), (3, true));
        assert!(home.run(source(), false).await.unwrap().is_none());
        assert_eq!(super::conditions(&server), [None, tag("a")]);
    }
}

#[tokio::test]
async fn an_address_of_an_operator_is_not_fetched_over_http() {
    let home = Home::new(CASES[0]);
    for https in [closing(), refusing()] {
        let error = home.update(&https).await.unwrap_err();
        assert!(matches!(error, UpdateError::Download { source: DownloadError::Transfer { .. }, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_answers_is_not_asked_over_http() {
    let home = Home::new(CASES[0]);
    let (server, plain) = (Server::start([missing(), published("a", home.file(3))]), Server::start([]));
    let source = || UpdateSource { plain_address: Some(plain.url.clone()), ..home.source(&server.url) };
    let error = home.run(source(), false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Download { source: DownloadError::Status { .. }, .. }), "{error:?}");
    assert!(!home.run(source(), false).await.unwrap().unwrap().without_tls);
    assert_eq!(plain.asked(), [""; 0]);
}
