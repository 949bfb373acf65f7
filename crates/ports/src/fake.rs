//! In-memory fakes of the ports, which tests can make fail, wait or hang. They pass the adapters' contract suites and
//! promise nothing more.

mod clock;
mod registry;
mod script;
pub mod search;
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

/// Locks even after a panic in a test.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
