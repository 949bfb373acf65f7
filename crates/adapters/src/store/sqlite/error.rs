//! What SQLite's failures mean to the ports.

use kuraka_ports::{StoreError, StoreErrorKind};

/// Primary result codes that say that the file's contents are damaged; see <https://www.sqlite.org/rescode.html>.
const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

/// The port's error for a failed statement.
pub(super) fn store_error(error: sqlx::Error) -> StoreError {
    StoreError::new(kind(&error)).because(error)
}

/// A row that this version cannot read, and why.
pub(super) fn unreadable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unreadable).because(cause)
}

fn kind(error: &sqlx::Error) -> StoreErrorKind {
    let damaged = match error.as_database_error() {
        Some(database) if database.is_unique_violation() => return StoreErrorKind::Conflict,
        Some(database) if database.is_foreign_key_violation() => return StoreErrorKind::Missing,
        Some(database) => matches!(primary_code(database.code().as_deref()), Some(CORRUPT | NOT_A_DATABASE)),
        None => matches!(
            error,
            sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::Decode(_)
                | sqlx::Error::RowNotFound
        ),
    };
    // What is not damage may pass: busy, full, read-only, out of memory, an I/O error.
    if damaged { StoreErrorKind::Unreadable } else { StoreErrorKind::Unavailable }
}

/// The low byte of an extended result code.
fn primary_code(extended: Option<&str>) -> Option<u32> {
    extended?.parse::<u32>().ok().map(|code| code & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::Connection;

    #[tokio::test]
    async fn a_full_disk_is_unavailable_with_its_cause() {
        let mut connection = sqlx::SqliteConnection::connect("sqlite::memory:").await.unwrap();
        sqlx::query("CREATE TABLE filler (bytes BLOB)").execute(&mut connection).await.unwrap();
        sqlx::query("PRAGMA max_page_count = 4").execute(&mut connection).await.unwrap();
        let full = sqlx::query("INSERT INTO filler VALUES (zeroblob(1000000))").execute(&mut connection).await;
        let error = store_error(full.unwrap_err());
        assert_eq!(error.kind, StoreErrorKind::Unavailable);
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("full"), "{cause}");
    }
}
