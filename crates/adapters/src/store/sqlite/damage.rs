//! [SQLite's result codes](https://www.sqlite.org/rescode.html) for a damaged file and refused writes.

const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

const BUSY: u32 = 5;
const READ_ONLY: u32 = 8;
const FULL: u32 = 13;

pub(super) fn is_damage(code: &str) -> bool {
    matches!(primary(code), Some(CORRUPT | NOT_A_DATABASE))
}

/// Whether SQLite refused the statement and rolled it back.
pub(super) fn is_unwritable(code: &str) -> bool {
    matches!(primary(code), Some(BUSY | READ_ONLY | FULL))
}

/// The low byte of the extended code.
fn primary(code: &str) -> Option<u32> {
    code.parse::<u32>().ok().map(|code| code & 0xff)
}

#[cfg(test)]
mod tests {
    use kuraka_ports::StoreErrorKind;
    use sqlx::Connection;

    use super::super::error::store_error;

    #[tokio::test]
    async fn a_full_disk_is_unwritable_with_its_cause() {
        let mut connection = sqlx::SqliteConnection::connect("sqlite::memory:").await.unwrap();
        sqlx::query("CREATE TABLE filler (bytes BLOB)").execute(&mut connection).await.unwrap();
        sqlx::query("PRAGMA max_page_count = 4").execute(&mut connection).await.unwrap();
        let full = sqlx::query("INSERT INTO filler VALUES (zeroblob(1000000))").execute(&mut connection).await;
        let error = store_error(full.unwrap_err());
        assert_eq!(error.kind, StoreErrorKind::Unwritable);
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("full"), "{cause}");
    }
}
