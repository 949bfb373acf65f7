//! Errors in the settings: one line with key, origin and what was expected.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// A value's origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// No value, and no default.
    Nowhere,
    /// The built-in default.
    Default,
    /// The settings file.
    File(PathBuf),
    /// The environment variable with this name.
    Variable(String),
}

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
        /// A similar setting, or where the list is.
        hint: String,
    },
    /// The value is not valid for its key.
    #[error("setting {key} ({origin}) must be {expected}")]
    Value {
        /// The dotted key.
        key: String,
        /// Where the value came from.
        origin: Origin,
        /// Valid values. The value is not repeated: it may be a secret.
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
    /// A variable looks like a setting's but is none.
    #[error("{name} is no variable of a setting; did you mean {meant}?")]
    Misspelt {
        /// The variable.
        name: String,
        /// A similar setting's variable, or the form of all.
        meant: String,
    },
    /// More than one.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several(Vec<SettingsError>),
    /// The value is not UTF-8. The cause would quote it.
    #[error("a variable KURAKA__… has a value that is not UTF-8")]
    Variable,
}

impl SettingsError {
    /// One error of all these.
    pub(super) fn of_all(mut errors: Vec<Self>) -> Self {
        if errors.len() == 1 { errors.remove(0) } else { Self::Several(errors) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => f.write_str("not set"),
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "from {}", path.display()),
            Self::Variable(name) => write!(f, "from {name}"),
        }
    }
}
