//! Tests of the server in this process: the operations without a listener, background jobs, simulated time. `served`
//! supports the tests.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests and their support code fail by panicking"
)]

#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod served;

mod history_replay;
mod jobs;
mod list_deadlines;
mod name_search;
mod overload;
mod page_calls;
mod panics;
mod rate_week;
mod send_mails;
