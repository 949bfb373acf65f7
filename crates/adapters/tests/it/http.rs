//! HTTP clients.

use std::time::Duration;

use kuraka_adapters::http::{self, ClientError, ClientLimits};

use crate::child_process::assert_passes;
use crate::own_process::is_one;

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

#[test]
fn without_a_tls_provider_there_is_an_error_and_no_panic() {
    if !is_one() {
        // Other tests install a provider for the whole process.
        return assert_passes("http::without_a_tls_provider_there_is_an_error_and_no_panic", &[]);
    }
    let made = http::client("Kuraka", limits());
    assert!(matches!(made, Err(ClientError::NoTlsProvider)), "{made:?}");
}
