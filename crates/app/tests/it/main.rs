//! The use cases, on fakes and a clock that the tests advance.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test's helpers fail by panicking")]

mod abandoned;
mod absence;
mod admit;
mod authenticate;
mod batches;
mod calendar;
mod changes;
mod departures;
mod eviction;
mod fixture;
mod interrupted;
mod known_devices;
mod lookup_detail;
mod lookup_published;
mod lookup_summary;
mod own_tokens;
mod places;
mod plan;
mod quota;
mod rate;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod sign_in;
mod slow_tokens;
mod token;
mod unknown_tokens;
mod usage;
