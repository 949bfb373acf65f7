//! Builds the parts of the server and chooses the concrete type for each port. `application` assembles the parts.

pub(crate) mod accounts;
pub(crate) mod background;
pub(crate) mod listeners;
pub(crate) mod panel;
pub mod places;
pub mod registry;
pub mod sources;

use kuraka_ports::ServerId;

pub use registry::{dataset_updates, edition_fetch, in_order_of_update, updated};

/// Creates a random id for one run of a server.
///
/// # Errors
/// If the system cannot provide random bytes.
pub fn server_id() -> Result<ServerId, getrandom::Error> {
    let mut id = [0; 16];
    getrandom::fill(&mut id)?;
    Ok(ServerId(id))
}
