//! Contract suites: one named test per promise, run against every implementation of a port, fakes included.
//!
//! A suite is a module with one function per promise, and a macro that makes each function a test:
//!
//! ```text
//! mod accounts {
//!     // The implementation's type, and an expression that gives a fresh `(Arc<store>, guard)`.
//!     // The guard lives as long as the test.
//!     kuraka_ports::accounts_contract!(MemoryStore, super::fresh().await);
//! }
//! ```
//!
//! `tests/tidy` checks that the suite runs for every type that implements a port, and the compiler checks that the
//! suite runs on the type it names. A suite uses only the port's methods.

#![expect(clippy::expect_used, clippy::panic, reason = "a suite is a test: a broken promise is a panic")]

pub mod accounts;
pub mod clock;
pub mod daily_usage;
pub mod ledger;
pub mod membership;
pub mod password;
pub mod registry;
pub mod samples;
pub mod sessions;
pub mod taxpayer_source;
pub mod tokens;
pub mod voucher_validator;
pub mod watch;
pub mod webhooks;

use std::pin::Pin;
use std::task::{Context, Waker};

/// Makes each promise of a suite a separate test; the suites' own macros call it with their list.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests {
    ($suite:ident, $subject:ty, $fresh:expr, [$($promise:ident,)+]) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $promise() {
            let (subject, _guard) = $fresh;
            $crate::contract::$suite::$promise::<$subject>(subject).await;
        }
    )+};
}

/// Polls a call once and drops it, as happens when a caller disconnects.
fn begin_and_drop<T>(mut call: Pin<Box<dyn Future<Output = T> + Send + '_>>) {
    let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

/// Whether logs and metrics can carry a name as it is.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}
