//! HTTP clients.

use std::time::Duration;

use kuraka_adapters::http::{self, ClientError, ClientLimits};

/// Patience enough for a loaded machine.
pub(crate) fn limits() -> ClientLimits {
    let patience = Duration::from_secs(60);
    ClientLimits { connect: patience, read: patience, total: patience }
}

/// A client, in a process that has a TLS provider.
pub(crate) fn client(user_agent: &str) -> reqwest::Client {
    // Fails if another test was first, which is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    http::client(user_agent, limits()).unwrap()
}

#[test]
fn a_user_agent_that_cannot_be_sent_is_an_error() {
    client("Kuraka");
    let refusal = http::client("two\nlines", limits()).unwrap_err();
    assert!(matches!(refusal, ClientError::Build(_)), "{refusal:?}");
}
