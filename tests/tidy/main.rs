//! The rules of the house, as tests. One file a rule: what it asks, what it finds in the repository, and small
//! made-up trees that prove it can fail.
//!
//! These tests read files and compile nothing; they refuse to know what the code does.
#![allow(clippy::expect_used, clippy::panic, reason = "a test's own machinery stops at the first surprise")]

mod commands_reference;
mod contract_suites;
mod decisions;
mod dependency_comments;
mod dependency_edges;
mod doc_links;
mod error_reference;
mod file_sizes;
mod forbidden_text;
mod glossary;
mod invariants;
mod markdown;
mod module_docs;
mod module_names;
mod settings_reference;
mod skipped_tests;
mod tree;
