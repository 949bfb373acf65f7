//! An error and all that lies behind it, in one line: a log as JSON would keep the first of them only.

use std::error::Error;

/// `error` and its causes, the outermost first.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}
