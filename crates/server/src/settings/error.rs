//! Errors in the settings. Each is one line with the key, the origin and what was expected.

use std::path::PathBuf;

use thiserror::Error;

use super::origin::Origin;

/// Why the settings are not valid.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The name is not a setting.
    #[error("there is no setting {key} ({origin}); {hint}")]
    Unknown {
        /// The dotted key.
        key: String,
        /// Where the value came from.
        origin: Origin,
        /// A similar setting, or where to find the list.
        hint: String,
    },
    /// The value is not valid for its key.
    #[error("setting {key} ({origin}) must be {expected}")]
    Value {
        /// The dotted key.
        key: String,
        /// Where the value came from.
        origin: Origin,
        /// A description of valid values. The message does not repeat the value, which may be a secret.
        expected: String,
    },
    /// The setting has no value and no default.
    #[error("setting {key} is missing: it must be {expected}")]
    Missing {
        /// The dotted key.
        key: String,
        /// A description of valid values.
        expected: String,
    },
    /// The file cannot be read or is not TOML.
    #[error("the settings file {} cannot be read", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause, with the line.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}
