//! The use cases, on fakes and a clock that the tests advance.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test's helpers fail by panicking")]

mod admit;
mod authenticate;
mod batches;
mod calendar;
mod changes;
mod charged_call;
mod concurrency_limit;
mod eviction;
mod fixture;
mod interrupted;
mod known_devices;
mod lookup;
mod mails;
mod measuring;
mod own_tokens;
mod owner;
mod plan;
mod quota;
mod rate;
mod refused_tokens;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod sign_in;
mod throttle;
mod token;
mod usage;
mod vouchers;
mod webhooks;
