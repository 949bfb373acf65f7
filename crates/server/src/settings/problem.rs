//! What can be wrong with the settings. Each problem is one line: the key, where it came from, what was expected.

use std::path::PathBuf;

use thiserror::Error;

use super::Origin;

/// Why the settings were refused.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A key that no setting has.
    #[error("there is no setting {key} ({origin}); {hint}")]
    Unknown {
        /// The key, dotted.
        key: String,
        /// Where it came from.
        origin: Origin,
        /// The setting that was probably meant, or where to read the list.
        hint: String,
    },
    /// A value that does not fit its key.
    #[error("setting {key} ({origin}) must be {expected}")]
    Value {
        /// The key, dotted.
        key: String,
        /// Where it came from.
        origin: Origin,
        /// What would fit. The value itself is not repeated: it may be a secret.
        expected: String,
    },
    /// A key that has no value in any layer.
    #[error("setting {key} is missing: it must be {expected}")]
    Missing {
        /// The key, dotted.
        key: String,
        /// What would fit.
        expected: String,
    },
    /// The file cannot be read, or is not TOML.
    #[error("the settings file {} cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why, by line.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}
