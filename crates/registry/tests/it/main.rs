//! The registry through its public interface: files in, editions out, lookups.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "tests fail by panicking, and expect one variant of many"
)]

mod adopted;
mod bad_lines;
mod bad_sources;
mod changes;
mod damage;
mod dataset_damage;
mod dataset_editions;
mod dataset_failures;
mod dataset_files;
mod dataset_forms;
mod dataset_guards;
mod dataset_privacy;
mod dataset_refusals;
mod dataset_samples;
mod dataset_sandbox;
mod dataset_tenth;
mod dataset_zips;
mod density;
mod folder;
mod guards;
mod hostile_zips;
mod lists;
mod published_privacy;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod rows;
mod truncation;
mod version_1;
mod workspace;
