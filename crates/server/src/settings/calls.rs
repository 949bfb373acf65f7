//! Settings of the calls in progress: one number for each operation.

use std::collections::BTreeMap;

use super::{SettingsError, Values};

/// A call in progress holds some kilobytes and a connection.
const MOST: usize = 100_000;
const EXPECTED: &str = "a number of calls from 1 to 100000";

/// `calls`, by the names of the operations.
pub(super) fn calls(values: &Values) -> Result<BTreeMap<String, usize>, SettingsError> {
    let limit = |name: String| {
        let key = format!("calls.{name}");
        let limit = values.parsed(&key, EXPECTED)?;
        if !(1..=MOST).contains(&limit) {
            return Err(values.invalid(&key, EXPECTED));
        }
        // Names of environment variables have no dash.
        Ok((name.replace('_', "-"), limit))
    };
    values.names_under("calls").into_iter().map(limit).collect()
}
