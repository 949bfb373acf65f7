//! Runs a test of this program in a process of its own, which knows by a variable that it is one. Every test crate that
//! needs it includes this file.

use std::env::{current_exe, var_os};

/// Not named as the variable of a setting, which would be read.
pub(crate) const VARIABLE: &str = "TEST_IN_ITS_OWN_PROCESS";

/// Whether this process runs one test for another process.
pub(crate) fn is_one() -> bool {
    var_os(VARIABLE).is_some()
}

/// The command line that runs only this test, which needs [`VARIABLE`] too.
pub(crate) fn command_line(test: &str) -> [String; 4] {
    let program = current_exe().unwrap().to_str().unwrap().to_owned();
    [&program, "--exact", test, "--nocapture"].map(str::to_owned)
}
