//! Asserts that a test passes in a process of its own.

use std::ffi::OsStr;
use std::process::Command;

use crate::own_process::{VARIABLE, command_line};

/// Asserts that a test of this program passes in a process of its own, with these variables in its environment.
#[track_caller]
pub(crate) fn assert_passes(test: &str, variables: &[(&str, &OsStr)]) {
    let [program, arguments @ ..] = command_line(test);
    let mut child = Command::new(program);
    child.args(arguments).env(VARIABLE, "1").envs(variables.iter().copied());
    let ended = child.output().unwrap();
    let told = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && told.contains(" 1 passed"), "{test}: {told}");
}
