//! Errors in the settings. Each is one line with the key, the origin of its value and what was expected.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// Where the value of a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// There is no value, and no default.
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
    /// The file cannot be read or is not TOML.
    #[error("the settings file {} cannot be read", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause, with the line.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A variable looks like a setting's and is none.
    #[error("{name} is no variable of a setting; did you mean {meant}?")]
    Misspelt {
        /// The variable.
        name: String,
        /// The variable of a similar setting, or the form of all.
        meant: String,
    },
    /// A variable's value is not UTF-8. The cause would quote it.
    #[error("a variable KURAKA__… has a value that is not UTF-8")]
    Variable,
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
