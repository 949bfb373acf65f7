//! What PostgreSQL's failures mean to the ports.

use kuraka_ports::{StoreError, StoreErrorKind};

/// The port's error for a failed statement.
pub(super) fn store_error(error: sqlx::Error) -> StoreError {
    StoreError::new(kind(&error)).because(error)
}

/// A row that this version cannot read, and why.
pub(super) fn unreadable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unreadable).because(cause)
}

fn kind(error: &sqlx::Error) -> StoreErrorKind {
    let unreadable = match error.as_database_error() {
        Some(database) if database.is_unique_violation() => return StoreErrorKind::Conflict,
        Some(database) if database.is_foreign_key_violation() => return StoreErrorKind::Missing,
        // Damage (class XX00), or a schema that is not ours; see the appendix on error codes of PostgreSQL's manual.
        Some(database) => {
            matches!(database.code().as_deref(), Some("XX001" | "XX002" | "42P01" | "42703" | "42804"))
        }
        None => matches!(
            error,
            sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::Decode(_)
                | sqlx::Error::RowNotFound
        ),
    };
    // Everything else may pass: a server that starts or stops, too many connections, a deadlock, time that was up.
    if unreadable { StoreErrorKind::Unreadable } else { StoreErrorKind::Unavailable }
}
