//! An error and its causes in one line, for logs. A JSON log would otherwise keep only the outermost error.

use std::error::Error;

/// `error` and its causes, the outermost first, separated by `: `.
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
