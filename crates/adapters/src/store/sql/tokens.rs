//! The statements on tokens.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, Changes, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewAuditLine, NewToken, Revision, StoreError,
    StoreErrorKind, Token, TokenDigest, TokenId, TokenKey, Tokens,
};
use sqlx::AssertSqlSafe;

use super::changes::Change;
use super::{SKIP_LOCKED, Store, row};

fn line(action: &'static str, account: AccountId, id: TokenId) -> NewAuditLine {
    NewAuditLine { action, account: Some(account), object: format!("token {id}"), ..NewAuditLine::default() }
}

#[async_trait]
impl Tokens for Store {
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError> {
        let query = sqlx::query(
            "INSERT INTO token (account, name, digest, prefix, created, expires, allowed)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING id AS token, name, prefix, created AS token_created, revoked, last_used, expires, allowed",
        )
        .bind(token.account.0)
        .bind(&token.name)
        .bind(&token.digest.0[..])
        .bind(&token.prefix)
        .bind(token.created.as_microsecond())
        .bind(token.expires.map(Timestamp::as_microsecond))
        .bind(row::allowed_parameter(&token.allowed));
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL, so that an account's tokens are created one at a time.
        let locking = sqlx::query("UPDATE account SET status = status WHERE id = $1").bind(token.account.0);
        transaction.execute(locking).await?;
        let live = sqlx::query(
            "SELECT count(*) AS live FROM token
             WHERE account = $1 AND revoked IS NULL AND (expires IS NULL OR expires > $2)",
        )
        .bind(token.account.0)
        .bind(token.created.as_microsecond());
        let live: i64 = row::column(&transaction.fetch_one(live).await?, "live")?;
        if live >= i64::from(MAX_ACTIVE_TOKENS) {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let made = transaction.fetch_one(query).await?;
        // Both databases take the largest number as "no limit".
        let statement = format!(
            "DELETE FROM token WHERE id IN (SELECT id FROM token WHERE id IN (
                 SELECT id FROM token WHERE account = $1 AND (revoked IS NOT NULL OR expires <= $2)
                 ORDER BY coalesce(revoked, expires) DESC, id DESC LIMIT 9223372036854775807 OFFSET $3) {SKIP_LOCKED})"
        );
        let query = sqlx::query(AssertSqlSafe(statement))
            .bind(token.account.0)
            .bind(token.created.as_microsecond())
            .bind(i64::from(MAX_ENDED_TOKENS));
        transaction.execute(query).await?;
        let made = row::token(&made)?;
        self.note(&mut transaction, &line("token.create", token.account, made.id)).await?;
        transaction.commit().await?;
        Ok(made)
    }

    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError> {
        let query = sqlx::query(
            "SELECT token.id AS token, expires, allowed,
                 account.id AS account, email, plan, status, role, account.created AS account_created
             FROM token JOIN account ON account.id = token.account
             WHERE digest = $1 AND revoked IS NULL",
        )
        .bind(&digest.0[..]);
        let found = self.reader().await?.fetch_optional(query).await?;
        found
            .map(|found| {
                Ok(Credential {
                    token: TokenId(row::column(&found, "token")?),
                    account: row::account(&found)?,
                    expires: row::instant_if_any(&found, "expires")?,
                    allowed: row::allowed(&found)?,
                })
            })
            .transpose()
    }

    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS token, name, prefix, created AS token_created, revoked, last_used, expires, allowed
             FROM token WHERE account = $1 ORDER BY id",
        )
        .bind(account.0);
        let found = self.reader().await?.fetch_all(query).await?;
        found.iter().map(row::token).collect()
    }

    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        let owner = owner.map(|owner| owner.0);
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query(
            "UPDATE token SET revoked = $1 WHERE id = $2 AND revoked IS NULL AND ($3 IS NULL OR account = $3)
             RETURNING account",
        )
        .bind(now.as_microsecond())
        .bind(id.0)
        .bind(owner);
        if let Some(revoked) = transaction.fetch_optional(query).await? {
            transaction.record_change(Change::Token(id)).await?;
            self.note(&mut transaction, &line("token.revoke", AccountId(row::column(&revoked, "account")?), id))
                .await?;
            transaction.commit().await?;
            return Ok(true);
        }
        let query =
            sqlx::query("SELECT 1 FROM token WHERE id = $1 AND ($2 IS NULL OR account = $2)").bind(id.0).bind(owner);
        let known = transaction.fetch_optional(query).await?;
        Ok(known.is_some())
    }

    async fn token_key(&self) -> Result<TokenKey, StoreError> {
        row::token_key(&self.reader().await?.fetch_one(sqlx::query("SELECT bytes FROM token_key")).await?)
    }

    async fn sweep(&self, ended_before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        // In the outer query, because PostgreSQL locks no rows of a union.
        let statement = format!(
            "DELETE FROM token WHERE id IN (SELECT id FROM token WHERE id IN (
                 SELECT id FROM token WHERE revoked < $1 UNION ALL SELECT id FROM token WHERE expires < $1 LIMIT $2)
                 {SKIP_LOCKED})"
        );
        let query = sqlx::query(AssertSqlSafe(statement)).bind(ended_before.as_microsecond()).bind(i64::from(limit));
        self.ledger().await?.execute(query).await
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        // Sorted, so that two servers do not deadlock.
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort();
        let mut transaction = self.ledger_transaction().await?;
        for (id, now) in uses {
            let query =
                sqlx::query("UPDATE token SET last_used = $1 WHERE id = $2 AND (last_used IS NULL OR last_used < $1)")
                    .bind(now.as_microsecond())
                    .bind(id.0);
            transaction.execute(query).await?;
        }
        transaction.commit().await
    }

    async fn changes(&self, since: Revision) -> Result<Changes, StoreError> {
        self.changes_since(since).await
    }
}
