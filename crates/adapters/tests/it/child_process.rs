//! Tests that need a process of their own.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

/// Set in such a process.
const IN_CHILD: &str = "KURAKA_TEST_IN_A_PROCESS_OF_ITS_OWN";

/// Whether this process runs one test only, for [`assert_passes`].
pub(crate) fn is_child() -> bool {
    env::var_os(IN_CHILD).is_some()
}

/// Asserts that a test of this program passes in a process of its own, with these variables in its environment.
#[track_caller]
pub(crate) fn assert_passes(test: &str, variables: &[(&str, &OsStr)]) {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", test]).env(IN_CHILD, "1").envs(variables.iter().copied());
    let ended = child.output().unwrap();
    let told = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && told.contains(" 1 passed"), "{test}: {told}");
}
