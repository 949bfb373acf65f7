//! Maps a database's errors to the ports' errors.

use kuraka_ports::{StoreError, StoreErrorKind};

use super::damage::{is_damage, is_unwritable};

pub(super) fn store_error(error: sqlx::Error) -> StoreError {
    StoreError::new(kind(&error)).with_cause(error)
}

/// A row that this version cannot read.
pub(super) fn unreadable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unreadable).with_cause(cause)
}

fn kind(error: &sqlx::Error) -> StoreErrorKind {
    let damaged = match error.as_database_error() {
        Some(database) if is_unwritable(&database.code().unwrap_or_default()) => return StoreErrorKind::Unwritable,
        Some(database) if database.is_unique_violation() => return StoreErrorKind::Conflict,
        Some(database) if database.is_foreign_key_violation() => return StoreErrorKind::Missing,
        Some(database) => is_damage(&database.code().unwrap_or_default()),
        None => matches!(
            error,
            sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::Decode(_)
                | sqlx::Error::RowNotFound
        ),
    };
    // Other errors may be temporary: unreachable, starting, a deadlock, a timeout.
    if damaged { StoreErrorKind::Unreadable } else { StoreErrorKind::Unavailable }
}
