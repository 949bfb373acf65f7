//! Looks at the folders in which at most one dataset fails.

use kuraka_adapters::datasets::{EmbeddedRegistry, Failed, Refreshed, Replaced};
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
        result(self.refresh())
    }

    fn retry(&self) -> Result<bool, OpenError> {
        result(self.retry_unusable())
    }

    fn replace(&self) -> Result<Option<Replaced>, OpenError> {
        let mut done = self.replace_damaged();
        assert!(done.replaced.len() + done.failed.len() <= 1, "{done:?}");
        done.failed.pop().map_or_else(|| Ok(done.replaced.pop()), |failed| Err(failed.error))
    }
}

fn result(Refreshed { served, mut failed }: Refreshed) -> Result<bool, OpenError> {
    assert!(failed.len() <= 1, "{failed:?}");
    match failed.pop() {
        Some(Failed { error, .. }) => Err(error),
        None => Ok(!served.is_empty()),
    }
}
