//! Builds the server's parts and chooses the concrete type for each port.

pub(crate) mod accounts;
pub(crate) mod background;
pub(crate) mod concurrency_limits;
pub mod datasets;
pub(crate) mod listeners;
pub(crate) mod panel;
pub mod sources;
pub mod test_instance;
mod webhooks;

use kuraka_ports::ServerId;

pub use datasets::{dataset_updates, max_age_days, rate_update, update_source, updated};
pub use webhooks::{feed, notifier};

/// # Errors
/// If the system provides no randomness.
pub fn server_id() -> Result<ServerId, getrandom::Error> {
    let mut id = [0; 16];
    getrandom::fill(&mut id)?;
    Ok(ServerId(id))
}
