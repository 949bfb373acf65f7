//! Accounts.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{Account, AccountId, Accounts, Email, PlanName, StoreError, StoreErrorKind};
use sqlx::{Sqlite, Transaction};

use super::error::store_error;
use super::{SqliteStore, row};

#[async_trait]
impl Accounts for SqliteStore {
    async fn create(&self, email: &Email, plan: &PlanName, now: Timestamp) -> Result<Account, StoreError> {
        let made = sqlx::query(
            "INSERT INTO account (email, plan, created) VALUES ($1, $2, $3)
             RETURNING id AS account, email, plan, status, created AS account_created",
        )
        .bind(email.as_str())
        .bind(plan.as_str())
        .bind(now.as_microsecond())
        .fetch_one(&self.writer)
        .await
        .map_err(store_error)?;
        row::account(&made)
    }

    async fn find(&self, email: &Email) -> Result<Option<Account>, StoreError> {
        let found = sqlx::query(
            "SELECT id AS account, email, plan, status, created AS account_created FROM account WHERE email = $1",
        )
        .bind(email.as_str())
        .fetch_optional(&self.readers)
        .await
        .map_err(store_error)?;
        found.as_ref().map(row::account).transpose()
    }

    async fn set_password_hash(&self, id: AccountId, hash: &str) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(store_error)?;
        let changed = sqlx::query("UPDATE account SET password_hash = $1 WHERE id = $2")
            .bind(hash)
            .bind(id.0)
            .execute(&mut *transaction)
            .await
            .map_err(store_error)?;
        if changed.rows_affected() == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        move_revision(&mut transaction).await?;
        transaction.commit().await.map_err(store_error)
    }
}

/// Tells every cache of credentials, in the same transaction as the change that makes it wrong.
pub(super) async fn move_revision(transaction: &mut Transaction<'_, Sqlite>) -> Result<(), StoreError> {
    sqlx::query("UPDATE revision SET value = value + 1").execute(&mut **transaction).await.map_err(store_error)?;
    Ok(())
}
