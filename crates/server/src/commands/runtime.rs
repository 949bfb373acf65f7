//! What commands run with: their error, the async runtime, today's date.

use std::error::Error;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_app::calendar;
use kuraka_domain::Date;
use kuraka_ports::Clock;

/// How long blocking work is waited for once a command is done.
const ABANDON_AFTER: Duration = Duration::from_millis(500);

/// What a command may fail with; `main` prints it with its causes.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Runs the command's asynchronous part on a multi-thread runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    // The first TLS client panics without a provider; a second installation is refused, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(work);
    // An import that is still building when the process must end is abandoned: what it wrote is removed by the next.
    runtime.shutdown_timeout(ABANDON_AFTER);
    outcome
}

/// Today's date in Peru, by this machine's clock.
pub(crate) fn today() -> Date {
    calendar::today(SystemClock::start().now())
}
