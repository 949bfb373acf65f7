//! An error and its causes in one line; a JSON log would keep only the outermost error.

use std::error::Error;

/// The outermost error first, separated by `: `.
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
