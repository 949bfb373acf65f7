//! Errors of stores.

use std::error::Error as StdError;
use std::fmt;

/// A store's failure. Any call may be `Unavailable`. An absent row is an answer, not an error.
#[derive(Debug)]
pub struct StoreError {
    pub kind: StoreErrorKind,
    /// For the log only.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
    without_effect: bool,
}

pub type StoreResult<T> = Result<T, StoreError>;

/// Kinds of failure, which callers handle differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// Unreachable or too slow; the operation may have taken effect, unless [`StoreError::had_no_effect`].
    Unavailable,
    /// Locked, full or read-only. The operation had no effect.
    Unwritable,
    Conflict,
    /// A needed row does not exist.
    Missing,
    /// The maximum number of rows is reached.
    LimitReached,
    /// This version cannot read the stored data.
    Unreadable,
}

impl StoreError {
    pub const fn new(kind: StoreErrorKind) -> Self {
        Self { kind, cause: None, without_effect: false }
    }

    /// Whether the operation certainly changed nothing, now or later.
    pub fn had_no_effect(&self) -> bool {
        self.without_effect || self.kind == StoreErrorKind::Unwritable
    }

    /// The operation never reached the store, or is rolled back.
    #[must_use]
    pub fn without_effect(mut self) -> Self {
        self.without_effect = true;
        self
    }

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
            StoreErrorKind::Unwritable => "the store takes no writes",
            StoreErrorKind::Conflict => "the row already exists in the store",
            StoreErrorKind::Missing => "the row does not exist in the store",
            StoreErrorKind::LimitReached => "the store already has as many such rows as it may have",
            StoreErrorKind::Unreadable => "the store holds what this version cannot read",
        })
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
