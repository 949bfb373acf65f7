//! Work on the registry's files that gives way to calls.

use std::path::PathBuf;

use kuraka_registry::{OpenEdition, run_at_idle_priority};
use tokio::task::{JoinError, spawn_blocking};

/// Does blocking work at idle priority.
pub(super) async fn beside_calls<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    spawn_blocking(|| run_at_idle_priority(work)).await
}

/// Whether the edition file at `path` can be opened. Reads all of it.
pub(super) async fn is_intact(path: PathBuf) -> Result<bool, JoinError> {
    beside_calls(move || OpenEdition::open(&path).is_ok()).await
}
