//! Tests of the server: the operations without a listener, background jobs, simulated time, and, in processes of their
//! own, the log and the usual settings files. `own_process`, `served` and `test_api` support the tests.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests and their support code fail by panicking"
)]

#[path = "../../../../tests/own_process.rs"]
mod own_process;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod served;
mod test_api;

mod accepted_tables;
mod dataset_addresses;
mod forms;
mod history_replay;
mod jobs;
mod large_answers;
mod list_deadlines;
mod log_queue;
mod metrics;
mod name_search;
mod overload;
mod page_calls;
mod panics;
mod rate_week;
mod send_mails;
mod settings;
mod sweep_changes;
mod tool_calls;
mod update_pauses;
