//! Shared by all commands: the error type, the async runtime and the time.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::clock::SystemClock;
use kuraka_app::calendar;
use kuraka_domain::Date;
use kuraka_ports::{Actor, Clock, Origin};

use super::user::user;

/// For blocking work at the end of a command.
const ABANDON_AFTER: Duration = Duration::from_millis(500);

/// The error of a command; `main` prints it with its causes.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Runs the asynchronous part of a command on a multi-thread runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    // A TLS client panics without a provider; a second installation is harmless.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let origin = Origin { actor: Actor::Command(user()), ..Origin::default() };
    let result = runtime.block_on(origin.scope(work));
    // Abandons an import; the next one removes its files.
    runtime.shutdown_timeout(ABANDON_AFTER);
    result
}

pub(crate) fn clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock::start())
}

pub(crate) fn now() -> Timestamp {
    clock().now()
}

/// Today's date in Peru.
pub(crate) fn today() -> Date {
    calendar::today(now())
}
