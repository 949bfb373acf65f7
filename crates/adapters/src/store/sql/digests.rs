//! The statements on digests.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, DigestRhythm, Digests, Email, LeasedDigest, MailKind, NewDigest, NewMail, StoreError, StoreErrorKind,
};
use sqlx::AssertSqlSafe;

use super::accounts::line;
use super::error::unreadable;
use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};

#[async_trait]
impl Digests for Store {
    async fn digest_rhythm(&self, account: AccountId) -> Result<DigestRhythm, StoreError> {
        let query = sqlx::query("SELECT rhythm FROM digest WHERE account = $1").bind(account.0);
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map_or(Ok(DigestRhythm::Off), rhythm)
    }

    async fn set_digest(&self, new: &NewDigest<'_>) -> Result<(), StoreError> {
        let NewDigest { account, rhythm, code, cursor, now, due } = *new;
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL.
        let locking = sqlx::query("UPDATE account SET status = status WHERE id = $1").bind(account.0);
        if transaction.execute(locking).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let before = sqlx::query("SELECT rhythm FROM digest WHERE account = $1").bind(account.0);
        let before = transaction.fetch_optional(before).await?;
        let before = before.as_ref().map_or(Ok(DigestRhythm::Off), self::rhythm)?;
        let query = sqlx::query(
            "INSERT INTO digest (account, link_code, rhythm, cursor, since, due) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (account) DO UPDATE SET rhythm = $3, due = $6,
                 cursor = CASE WHEN digest.due IS NULL THEN $4 ELSE digest.cursor END,
                 since = CASE WHEN digest.due IS NULL THEN $5 ELSE digest.since END",
        )
        .bind(account.0)
        .bind(code)
        .bind(rhythm.as_str())
        .bind(cursor)
        .bind(now.as_microsecond())
        .bind((rhythm != DigestRhythm::Off).then(|| due.as_microsecond()));
        transaction.execute(query).await?;
        if before != rhythm {
            self.note_digest(&mut transaction, account, before, rhythm).await?;
        }
        transaction.commit().await
    }

    async fn has_digest_code(&self, code: &str) -> Result<bool, StoreError> {
        let query = sqlx::query("SELECT account FROM digest WHERE link_code = $1").bind(code);
        Ok(self.reader().await?.fetch_optional(query).await?.is_some())
    }

    async fn end_digest(&self, code: &str) -> Result<bool, StoreError> {
        if !self.has_digest_code(code).await? {
            return Ok(false);
        }
        let mut transaction = self.writer_transaction().await?;
        let locking = sqlx::query(
            "UPDATE account SET status = status WHERE id = (SELECT account FROM digest WHERE link_code = $1)",
        );
        transaction.execute(locking.bind(code)).await?;
        let query = sqlx::query("SELECT account, rhythm FROM digest WHERE link_code = $1").bind(code);
        let Some(found) = transaction.fetch_optional(query).await? else { return Ok(false) };
        let (account, before) = (AccountId(row::column(&found, "account")?), rhythm(&found)?);
        if before != DigestRhythm::Off {
            let query = sqlx::query("UPDATE digest SET rhythm = 'off', due = NULL WHERE account = $1").bind(account.0);
            transaction.execute(query).await?;
            self.note_digest(&mut transaction, account, before, DigestRhythm::Off).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn lease_digests(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<LeasedDigest>, StoreError> {
        let due = "SELECT account FROM digest WHERE due <= $1
                 AND substr(cursor || ',', 1, length($2) + 1) <> $2 || ','
                 AND (SELECT status FROM account WHERE id = digest.account) = 'active'
             ORDER BY due LIMIT $3";
        let bind = |query: super::connection::Query<'static>| {
            query.bind(now.as_microsecond()).bind(newest.to_owned()).bind(i64::from(limit))
        };
        if self.reader().await?.fetch_optional(bind(sqlx::query(due))).await?.is_none() {
            return Ok(Vec::new());
        }
        let statement = format!(
            "WITH taken AS MATERIALIZED ({due} {SKIP_LOCKED})
             UPDATE digest SET due = $4 WHERE account IN (SELECT account FROM taken)
             RETURNING account, link_code, rhythm, cursor, since,
                 (SELECT email FROM account WHERE id = digest.account) AS email"
        );
        let query = bind(sqlx::query(AssertSqlSafe(statement))).bind(until.as_microsecond());
        self.writer().await?.fetch_all(query).await?.iter().map(leased).collect()
    }

    async fn move_digest(
        &self,
        leased: &LeasedDigest,
        cursor: &str,
        due: Timestamp,
        mail: Option<&NewMail>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query(
            "UPDATE digest SET cursor = $3, due = $4 WHERE account = $1 AND cursor = $2 AND due IS NOT NULL
             AND $5 = (SELECT email FROM account WHERE id = $1)",
        )
        .bind(leased.account.0)
        .bind(&leased.cursor)
        .bind(cursor)
        .bind(due.as_microsecond())
        .bind(leased.email.as_str());
        if transaction.execute(query).await? == 0 {
            return Ok(false);
        }
        if let Some(mail) = mail {
            transaction.add_mail(mail, now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

impl Store {
    async fn note_digest(
        &self,
        transaction: &mut Transaction,
        account: AccountId,
        before: DigestRhythm,
        rhythm: DigestRhythm,
    ) -> Result<(), StoreError> {
        if rhythm == DigestRhythm::Off {
            let query = sqlx::query("DELETE FROM mail WHERE account = $1 AND kind = $2");
            transaction.execute(query.bind(account.0).bind(MailKind::Changes.as_str())).await?;
        }
        let before = Some(before.as_str().to_owned());
        self.note(transaction, &line("account.set_digest", account, before, Some(rhythm.as_str()))).await
    }
}

fn rhythm(found: &DbRow) -> Result<DigestRhythm, StoreError> {
    let name: &str = row::column(found, "rhythm")?;
    DigestRhythm::parse(name).ok_or_else(|| unreadable(format!("a digest's rhythm is {name:?}")))
}

fn leased(found: &DbRow) -> Result<LeasedDigest, StoreError> {
    Ok(LeasedDigest {
        account: AccountId(row::column(found, "account")?),
        email: Email::parse(row::column(found, "email")?).map_err(unreadable)?,
        rhythm: rhythm(found)?,
        code: row::column(found, "link_code")?,
        cursor: row::column(found, "cursor")?,
        since: row::instant(row::column(found, "since")?)?,
    })
}
