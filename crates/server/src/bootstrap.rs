//! Which concrete type stands behind which port. Only this module and `application` know them all.

pub(crate) mod accounts;
pub(crate) mod background;
pub(crate) mod listeners;
pub(crate) mod panel;
pub mod registry;
pub mod sources;

use kuraka_ports::ServerId;

pub use registry::{edition_fetch, registry_update};

/// Draws the id of one run of a server.
///
/// # Errors
/// If the system gives no randomness.
pub fn server_id() -> Result<ServerId, getrandom::Error> {
    let mut id = [0; 16];
    getrandom::fill(&mut id)?;
    Ok(ServerId(id))
}
