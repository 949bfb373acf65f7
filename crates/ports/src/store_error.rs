//! Why a store could not do what it was asked.

use std::error::Error as StdError;
use std::fmt;

/// A store's failure. An absent row is a value (`Ok(None)`), never this.
#[derive(Debug)]
pub struct StoreError {
    /// What kind of failure.
    pub kind: StoreErrorKind,
    /// What lies behind it, for the log only.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
}

/// Kinds of failure that are handled differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// The store is out of reach, or too slow; the operation may or may not have happened.
    Unavailable,
    /// The row already exists (an e-mail that is taken).
    Conflict,
    /// The row that the operation needs does not exist.
    Missing,
    /// The store answered what this version cannot read.
    Unreadable,
}

impl StoreError {
    /// An error without a cause.
    #[must_use]
    pub const fn new(kind: StoreErrorKind) -> Self {
        Self { kind, cause: None }
    }

    /// The same with what lies behind it.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::Unavailable => "the store is out of reach",
            StoreErrorKind::Conflict => "the row already exists in the store",
            StoreErrorKind::Missing => "the row does not exist in the store",
            StoreErrorKind::Unreadable => "the store holds what this version cannot read",
        })
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
