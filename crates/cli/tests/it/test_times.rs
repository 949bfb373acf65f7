//! The server with other times than the product's constants, in a process of its own: this test program, which
//! `Home::test_times` starts for its only test.

use std::env::{current_exe, var_os};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::Timeouts;
use kuraka_sandbox::sample;
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::settings::{Settings, Values};
use kuraka_server::{logs, serve};

/// Tells this program that it is the server.
pub(crate) const VARIABLE: &str = "TEST_TIMES";

/// Short deadlines, no cache, and much time for the head of a request.
pub(crate) const SHORT: &str = "short";
/// The product's deadlines, and answers that are cached for a moment.
pub(crate) const BRIEF_CACHE: &str = "brief-cache";

/// The command line of the server.
pub(crate) fn server() -> Vec<String> {
    let program = current_exe().unwrap().to_str().unwrap().to_owned();
    [&program, "--exact", "test_times::the_server_runs_until_it_is_stopped", "--nocapture"].map(str::to_owned).to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_runs_until_it_is_stopped() {
    let Some(set) = var_os(VARIABLE) else { return };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let values = Values::load(None).unwrap();
    let mut settings = Settings::read(&values).unwrap();
    let set = set.to_str().unwrap_or_default();
    let usual = Timeouts { breaker_open: Duration::from_secs(1), ..settings.times };
    settings.times = if set == BRIEF_CACHE {
        Timeouts { found_for: Duration::from_millis(100), ..usual }
    } else {
        Timeouts {
            page: Duration::from_millis(200),
            provider: Duration::from_millis(200),
            voucher: Duration::from_secs(1),
            found_for: Duration::ZERO,
            ..usual
        }
    };
    if set != BRIEF_CACHE {
        settings.connections.head_timeout = Duration::from_secs(120);
    }
    logs::start_queued(&settings.log).unwrap();
    serve(settings, values, no_test_data()).await.unwrap();
    logs::flush();
}

/// For a server of this process, which has no test tokens.
pub(crate) fn no_test_data() -> TestData {
    let start: StartTestData = Arc::new(|| Box::pin(async { Err("there is no test data".into()) }));
    TestData { changing: sample::DESCRIBED.parse().unwrap(), start }
}
