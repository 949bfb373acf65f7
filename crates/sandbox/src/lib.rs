//! A stand-in for the outside world: what the tax authority publishes, in its exact form, faults included.
//!
//! [`sample`] is the small padrón that demonstrations import; [`padron`] generates padrones of any size for tests and
//! measurements; [`upstream`] is a server that talks like the tax authority's page and like the providers.
//!
//! This crate must not depend on the code it stands in for (the adapters, the registry): a mistake shared by both
//! sides would go unseen. Of the workspace it knows the domain only.

pub mod padron;
pub mod sample;
pub mod upstream;
