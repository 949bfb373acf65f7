//! The statements on tokens.

use async_trait::async_trait;
use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, Changes, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewAuditLine, NewToken, Revision,
    SecretDigest, StoreError, StoreErrorKind, StoreResult, Token, TokenId, TokenKey, Tokens,
};

use super::changes::Change;
use super::{DbRow, SKIP_LOCKED, Store, row};
use crate::store::parameter::Parameters;

fn line(action: &'static str, account: AccountId, id: TokenId) -> NewAuditLine {
    NewAuditLine::for_object(action, account, format!("token {id}"))
}

#[async_trait]
impl Tokens for Store {
    async fn create(&self, token: &NewToken) -> StoreResult<Token> {
        let NewToken { account, name, digest, prefix, created, expires, allowed } = token;
        let mut transaction = self.writer_transaction().await?;
        // An account's tokens are created one at a time.
        transaction.lock_account(*account).await?;
        let statement = "SELECT count(*) AS total FROM token
             WHERE account = $1 AND revoked IS NULL AND (expires IS NULL OR expires > $2)";
        if transaction.one(statement, &[&account.0, created], row::total).await? >= u64::from(MAX_ACTIVE_TOKENS) {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let statement = "INSERT INTO token (account, name, digest, prefix, created, expires, allowed)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING id AS token, name, prefix, created AS token_created, revoked, last_used, expires, allowed";
        let networks = allowed.iter().map(IpNet::to_string).collect::<Vec<_>>().join(",");
        let parameters: Parameters<'_> = &[&account.0, name, &digest.0, prefix, created, expires, &networks];
        let made = transaction.one(statement, parameters, row::token).await?;
        // Both databases take the largest number as "no limit".
        let statement = format!(
            "DELETE FROM token WHERE id IN (SELECT id FROM token WHERE id IN (
                 SELECT id FROM token WHERE account = $1 AND (revoked IS NOT NULL OR expires <= $2)
                 ORDER BY coalesce(revoked, expires) DESC, id DESC LIMIT 9223372036854775807 OFFSET $3) {SKIP_LOCKED})"
        );
        transaction.execute(&statement, &[&account.0, created, &MAX_ENDED_TOKENS]).await?;
        self.note(&mut transaction, &line("token.create", *account, made.id)).await?;
        transaction.commit().await?;
        Ok(made)
    }

    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Credential>> {
        let statement = "SELECT token.id AS token, expires, allowed,
                 account.id AS account, email, plan, status, role, account.created AS account_created
             FROM token JOIN account ON account.id = token.account
             WHERE digest = $1 AND revoked IS NULL";
        let credential = |found: &DbRow| {
            Ok(Credential {
                token: TokenId(row::column(found, "token")?),
                account: row::account(found)?,
                expires: row::instant_if_any(found, "expires")?,
                allowed: row::allowed(found)?,
            })
        };
        self.reader().await?.find(statement, &[&digest.0], credential).await
    }

    async fn list(&self, account: AccountId) -> StoreResult<Vec<Token>> {
        let statement =
            "SELECT id AS token, name, prefix, created AS token_created, revoked, last_used, expires, allowed
             FROM token WHERE account = $1 ORDER BY id";
        self.reader().await?.list(statement, &[&account.0], row::token).await
    }

    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> StoreResult<bool> {
        let owner = owner.map(|owner| owner.0);
        let mut transaction = self.writer_transaction().await?;
        let statement =
            "UPDATE token SET revoked = $1 WHERE id = $2 AND revoked IS NULL AND ($3 IS NULL OR account = $3)
             RETURNING account";
        if let Some(account) = transaction.find(statement, &[&now, &id.0, &owner], row::account_id).await? {
            transaction.record_change(Change::Token(id)).await?;
            self.note(&mut transaction, &line("token.revoke", account, id)).await?;
            transaction.commit().await?;
            return Ok(true);
        }
        let statement = "SELECT account FROM token WHERE id = $1 AND ($2 IS NULL OR account = $2)";
        transaction.any(statement, &[&id.0, &owner]).await
    }

    async fn token_key(&self) -> StoreResult<TokenKey> {
        self.reader().await?.one("SELECT bytes FROM token_key", &[], row::token_key).await
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> StoreResult<()> {
        // Sorted, so that two servers do not deadlock.
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort();
        let mut transaction = self.ledger_transaction().await?;
        let statement = "UPDATE token SET last_used = $1 WHERE id = $2 AND (last_used IS NULL OR last_used < $1)";
        for (id, now) in uses {
            transaction.execute(statement, &[now, &id.0]).await?;
        }
        transaction.commit().await
    }

    async fn changes(&self, since: Revision) -> StoreResult<Changes> {
        self.changes_since(since).await
    }
}
