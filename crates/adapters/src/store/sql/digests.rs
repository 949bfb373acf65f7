//! The statements on digests.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, DigestRhythm, Digests, LeasedDigest, MailKind, NewDigest, NewMail, StoreResult};

use super::accounts::line;
use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};

#[async_trait]
impl Digests for Store {
    async fn digest_rhythm(&self, account: AccountId) -> StoreResult<DigestRhythm> {
        Ok(self.reader().await?.find(RHYTHM, &[&account.0], rhythm).await?.unwrap_or_default())
    }

    async fn set_digest(&self, new: &NewDigest<'_>) -> StoreResult<()> {
        let NewDigest { account, rhythm, code, cursor, now, due } = *new;
        let mut transaction = self.writer_transaction().await?;
        transaction.lock_account(account).await?;
        let before = transaction.find(RHYTHM, &[&account.0], self::rhythm).await?.unwrap_or_default();
        let statement =
            "INSERT INTO digest (account, link_code, rhythm, cursor, since, due) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (account) DO UPDATE SET rhythm = $3, due = $6,
                 cursor = CASE WHEN digest.due IS NULL THEN $4 ELSE digest.cursor END,
                 since = CASE WHEN digest.due IS NULL THEN $5 ELSE digest.since END";
        let due = (rhythm != DigestRhythm::Off).then_some(due);
        transaction.execute(statement, &[&account.0, &code, &rhythm.as_str(), &cursor, &now, &due]).await?;
        if before != rhythm {
            self.note_digest(&mut transaction, account, before, rhythm).await?;
        }
        transaction.commit().await
    }

    async fn has_digest_code(&self, code: &str) -> StoreResult<bool> {
        self.reader().await?.any("SELECT account FROM digest WHERE link_code = $1", &[&code]).await
    }

    async fn end_digest(&self, code: &str) -> StoreResult<bool> {
        if !self.has_digest_code(code).await? {
            return Ok(false);
        }
        let mut transaction = self.writer_transaction().await?;
        let statement =
            "UPDATE account SET status = status WHERE id = (SELECT account FROM digest WHERE link_code = $1)";
        transaction.execute(statement, &[&code]).await?;
        let statement = "SELECT account, rhythm FROM digest WHERE link_code = $1";
        let read = |found: &DbRow| Ok((row::account_id(found)?, rhythm(found)?));
        let Some((account, before)) = transaction.find(statement, &[&code], read).await? else { return Ok(false) };
        if before != DigestRhythm::Off {
            let statement = "UPDATE digest SET rhythm = 'off', due = NULL WHERE account = $1";
            transaction.execute(statement, &[&account.0]).await?;
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
    ) -> StoreResult<Vec<LeasedDigest>> {
        let due = "SELECT account FROM digest WHERE due <= $1
                 AND substr(cursor || ',', 1, length($2) + 1) <> $2 || ','
                 AND (SELECT status FROM account WHERE id = digest.account) = 'active'
             ORDER BY due LIMIT $3";
        if !self.reader().await?.any(due, &[&now, &newest, &limit]).await? {
            return Ok(Vec::new());
        }
        let statement = format!(
            "WITH taken AS MATERIALIZED ({due} {SKIP_LOCKED})
             UPDATE digest SET due = $4 WHERE account IN (SELECT account FROM taken)
             RETURNING account, link_code, rhythm, cursor, since,
                 (SELECT email FROM account WHERE id = digest.account) AS email"
        );
        self.writer().await?.list(&statement, &[&now, &newest, &limit, &until], leased).await
    }

    async fn move_digest(
        &self,
        leased: &LeasedDigest,
        cursor: &str,
        due: Timestamp,
        mail: Option<&NewMail>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let statement = "UPDATE digest SET cursor = $3, due = $4 WHERE account = $1 AND cursor = $2 AND due IS NOT NULL
             AND $5 = (SELECT email FROM account WHERE id = $1)";
        let email = leased.email.as_str();
        if transaction.execute(statement, &[&leased.account.0, &leased.cursor, &cursor, &due, &email]).await? == 0 {
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
    ) -> StoreResult<()> {
        if rhythm == DigestRhythm::Off {
            let statement = "DELETE FROM mail WHERE account = $1 AND kind = $2";
            transaction.execute(statement, &[&account.0, &MailKind::Changes.as_str()]).await?;
        }
        let before = Some(before.as_str().to_owned());
        self.note(transaction, &line("account.set_digest", account, before, Some(rhythm.as_str()))).await
    }
}

const RHYTHM: &str = "SELECT rhythm FROM digest WHERE account = $1";

fn rhythm(found: &DbRow) -> StoreResult<DigestRhythm> {
    row::named(found, "rhythm")
}

fn leased(found: &DbRow) -> StoreResult<LeasedDigest> {
    Ok(LeasedDigest {
        account: row::account_id(found)?,
        email: row::email(found)?,
        rhythm: rhythm(found)?,
        code: row::column(found, "link_code")?,
        cursor: row::column(found, "cursor")?,
        since: row::instant(row::column(found, "since")?)?,
    })
}
