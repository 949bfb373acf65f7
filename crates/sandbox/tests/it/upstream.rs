//! The sandbox over loopback.

mod client;
mod delivery;
mod faults;
mod official;
mod outcomes;
mod providers;
mod running;
mod tokens;
mod vouchers;
