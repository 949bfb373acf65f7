//! Fakes that keep the ports' promises in memory, and that a test can break, hang, suspend, publish to and advance.
//!
//! They pass the same contract suites as the real adapters, so that a test with a fake proves something. They cannot do
//! what no real adapter can.

mod clock;
mod registry;
mod script;
mod source;
mod store;
mod tokio_clock;
mod validator;

pub use clock::ManualClock;
pub use registry::ScriptedRegistry;
pub use script::Script;
pub use source::ScriptedSource;
pub use store::MemoryStore;
pub use tokio_clock::TokioClock;
pub use validator::ScriptedValidator;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, even after a test has panicked while it held the lock: that test's failure then shows what it left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
