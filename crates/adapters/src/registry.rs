//! The embedded registry: lookups behind their port, and the two ways to bring it up to date.

mod answers;
mod attempt;
mod beside_calls;
mod downloads;
mod embedded;
pub mod fetch;
mod list_flags;
mod profile;
mod served;
mod snapshot;
mod state;
pub mod update;

pub use attempt::{AttemptOutcome, DatasetAttempt, last_attempt, record_attempt};
pub use downloads::FolderError;
pub use embedded::EmbeddedRegistry;
pub use state::{DatasetState, Failed, Refreshed, RegistryState, Replaced, Replacements, ServedEdition};

/// The source's name in logs and metrics.
const SOURCE: &str = "registry";
