//! SQLite's result codes for a damaged file; see <https://www.sqlite.org/rescode.html>.

const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

/// Whether an extended result code means a damaged file. Its low byte is the primary code.
pub(super) fn is_damage(code: &str) -> bool {
    matches!(code.parse::<u32>().map(|code| code & 0xff), Ok(CORRUPT | NOT_A_DATABASE))
}

#[cfg(test)]
mod tests {
    use kuraka_ports::StoreErrorKind;
    use sqlx::Connection;

    use super::super::error::store_error;

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
