//! Rows and parameters: what the columns hold, read into the ports' values and written from them.

use jiff::Timestamp;
use kuraka_ports::{Account, AccountId, AccountStatus, Email, PlanName, StoreError, Token, TokenId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::error::{store_error, unreadable};

/// Reads the columns `account, email, plan, status, account_created`.
pub(super) fn account(row: &SqliteRow) -> Result<Account, StoreError> {
    let email: &str = column(row, "email")?;
    let plan: &str = column(row, "plan")?;
    let status = match column(row, "status")? {
        "active" => AccountStatus::Active,
        "suspended" => AccountStatus::Suspended,
        other => return Err(unreadable(format!("an account's status is {other:?}, expected active or suspended"))),
    };
    Ok(Account {
        id: AccountId(column(row, "account")?),
        email: Email::parse(email).map_err(unreadable)?,
        plan: PlanName::parse(plan).map_err(unreadable)?,
        status,
        created: instant(column(row, "account_created")?)?,
    })
}

/// Reads the columns `token, name, prefix, token_created, revoked`.
pub(super) fn token(row: &SqliteRow) -> Result<Token, StoreError> {
    Ok(Token {
        id: TokenId(column(row, "token")?),
        name: column(row, "name")?,
        prefix: column(row, "prefix")?,
        created: instant(column(row, "token_created")?)?,
        revoked: column::<Option<i64>>(row, "revoked")?.map(instant).transpose()?,
    })
}

/// Reads one column.
pub(super) fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(store_error)
}

/// A count, which the schema keeps from being negative.
pub(super) fn count(stored: i64) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(unreadable)
}

/// A count as a parameter; one that is too large for a column is as good as the largest.
pub(super) fn count_parameter(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn instant(microseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(microseconds).map_err(unreadable)
}
