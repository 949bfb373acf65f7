//! Rules of the repository, as tests. Each file has one rule: a function that finds breaches, a test that runs it on the
//! repository, and tests that run it on small made-up trees to show that it can fail.
//!
//! These tests only read files.
#![expect(clippy::expect_used, clippy::panic, reason = "a test stops at the first unexpected error")]

mod alarms;
mod commands_reference;
mod contract_suites;
mod dataset_names;
mod decisions;
mod dependency_comments;
mod dependency_edges;
mod doc_links;
mod error_reference;
mod file_sizes;
mod forbidden_text;
mod import_cycles;
mod jobs_reference;
mod log_texts;
mod markdown;
mod module_docs;
mod module_names;
mod module_tree;
mod operation_cost;
mod pinned_tools;
mod promises;
mod published_crates;
mod reliability_script;
mod rust_names;
mod skipped_tests;
mod tree;
