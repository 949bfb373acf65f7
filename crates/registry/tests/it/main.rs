//! The registry through its public interface: files in, editions out, lookups.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "tests fail by panicking, and expect one variant of many"
)]

mod adopted;
mod bad_files;
mod bad_lines;
mod bad_sources;
mod changes;
mod damage;
mod dates;
mod density;
mod folder;
mod forgotten;
mod forms;
mod guards;
mod history;
mod hostile_zips;
mod months;
mod new_dataset;
#[path = "../../../../tests/own_process.rs"]
mod own_process;
mod privacy;
mod published;
mod reading;
mod refusals;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod requests;
mod rollbacks;
mod rows;
mod samples;
mod truncation;
mod workspace;

use kuraka_registry as registry;
