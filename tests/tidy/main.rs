//! Rules of the repository, as a test. Each file has one rule: a function that finds breaches, and tests that run it on
//! small made-up trees to show that it can fail.
//!
//! These tests only read files, and what cargo says of the dependencies (it downloads those that nothing has built yet).
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first unexpected error"
)]

mod alarms;
mod commands_reference;
mod contract_suites;
mod dataset_names;
mod decisions;
mod dependency_comments;
mod dependency_edges;
mod dependency_policy;
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

use crate::tree::{Finding, Tree, assert_none};

/// What finds the breaches of each rule.
const RULES: [fn(&Tree) -> Vec<Finding>; 30] = [
    alarms::findings,
    commands_reference::findings,
    contract_suites::findings,
    dataset_names::comparisons,
    dataset_names::costly,
    decisions::findings,
    dependency_comments::uncommented,
    dependency_comments::unused,
    dependency_edges::findings,
    dependency_policy::findings,
    doc_links::broken_links,
    doc_links::unlisted_pages,
    error_reference::findings,
    file_sizes::too_long,
    forbidden_text::findings,
    import_cycles::findings,
    import_cycles::folder_findings,
    jobs_reference::findings,
    log_texts::findings,
    module_docs::findings,
    module_names::findings,
    operation_cost::costly,
    operation_cost::findings,
    pinned_tools::findings,
    promises::findings,
    published_crates::findings,
    reliability_script::findings,
    rust_names::findings,
    skipped_tests::findings,
    skipped_tests::not_run,
];

#[test]
fn the_repository_keeps_every_rule() {
    let tree = Tree::repository();
    assert_none(&RULES.iter().flat_map(|rule| rule(&tree)).collect::<Vec<_>>());
}
