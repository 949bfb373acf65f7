//! Looks at the folders in which at most one dataset fails.

use std::fmt::Debug;

use kuraka_adapters::datasets::{EmbeddedRegistry, RefreshResults, Replaced};
use kuraka_registry::OpenError;

/// The methods of [`EmbeddedRegistry`], as results.
pub(crate) trait Looks {
    /// Whether a new edition answers.
    fn look(&self) -> Result<bool, OpenError>;
    /// Whether another edition answers.
    fn retry(&self) -> Result<bool, OpenError>;
    /// The edition that was replaced.
    fn replace(&self) -> Result<Option<Replaced>, OpenError>;
}

impl Looks for EmbeddedRegistry {
    fn look(&self) -> Result<bool, OpenError> {
        Ok(only(self.refresh(), |is_new| *is_new)?.is_some())
    }

    fn retry(&self) -> Result<bool, OpenError> {
        Ok(only(self.retry_unusable(), |is_other| *is_other)?.is_some())
    }

    fn replace(&self) -> Result<Option<Replaced>, OpenError> {
        Ok(only(self.replace_damaged(), Option::is_some)?.flatten())
    }
}

/// The change of the only dataset that has one; the failure of the only dataset that fails.
fn only<T: Debug>(looked: RefreshResults<T>, is_change: impl Fn(&T) -> bool) -> Result<Option<T>, OpenError> {
    let (mut failed, mut changed) = (Vec::new(), Vec::new());
    for (_, result) in looked {
        match result {
            Ok(result) => changed.extend(Some(result).filter(&is_change)),
            Err(error) => failed.push(error),
        }
    }
    assert!(failed.len() <= 1, "{failed:?}");
    failed.pop().map_or_else(|| Ok(changed.pop()), Err)
}
