//! The embedded registry: lookups behind their port, and the two ways to bring it up to date.

mod attempt;
mod beside_calls;
mod downloads;
mod embedded;
pub mod fetch;
mod state;
pub mod update;

pub use attempt::{AttemptOutcome, DatasetAttempt, last_attempt, record_attempt};
pub use downloads::FolderError;
pub use embedded::{EmbeddedRegistry, Replaced};
pub use state::{DatasetState, RegistryState, ServedEdition};
