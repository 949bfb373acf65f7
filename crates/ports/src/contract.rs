//! Contract suites: one named test per promise, run against every implementation of a port, fakes included.
//!
//! A suite is a module of functions, one per promise, and a macro of the same name that makes each of them a test:
//!
//! ```text
//! mod accounts {
//!     // The implementation's type, and an expression that gives a fresh `(Arc<store>, guard)`.
//!     // The guard lives as long as the test.
//!     kuraka_ports::accounts_contract!(MemoryStore, super::fresh().await);
//! }
//! ```
//!
//! A test of the repository looks for this macro for every type that implements a port. The compiler checks that the
//! suite runs on the type it names. A suite sees the port and nothing else of the implementation.

#![allow(clippy::expect_used, clippy::panic, reason = "a suite is a test: a broken promise is a panic")]

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

/// Makes each promise of a suite a test of its own; the suites' own macros call it with their list.
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
