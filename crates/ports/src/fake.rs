//! Fakes that keep the ports' promises in memory, with the levers a test needs: break, hang, suspend, publish, advance.
//!
//! They pass the same contract suites as the real adapters, so that a test that passes on a fake means something.
//! They refuse to do what no real adapter could.

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

/// Locks, also after a test has panicked with the lock held: what it left is then shown by that test's failure.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
