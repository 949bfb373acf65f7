//! The statements on mails.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, Email, LeasedMail, MailId, NewMail, Outbox, Period, PlanName, ReachedQuota, StoreResult,
};

use super::error::unreadable;
use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};
use crate::store::parameter::{Parameter, all};

#[async_trait]
impl Outbox for Store {
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> StoreResult<()> {
        let mut transaction = self.writer_transaction().await?;
        transaction.add_mail(mail, now).await?;
        transaction.commit().await
    }

    async fn reached_quotas(&self, plans: &[(PlanName, u64)], period: Period) -> StoreResult<Vec<ReachedQuota>> {
        if plans.is_empty() {
            return Ok(Vec::new());
        }
        // One pass for all plans.
        let cases = (0..plans.len()).map(|at| format!("WHEN ${} THEN ${}", at * 2 + 2, at * 2 + 3));
        let statement = format!(
            "SELECT account, email, queries, used FROM (
                 SELECT account.id AS account, email, used, told, CASE plan {} END AS queries
                 FROM usage JOIN account ON account.id = usage.account WHERE period = $1 AND status = 'active') AS month
             WHERE used >= queries - queries / 5 AND told <> '100 ' || queries
                 AND (used >= queries OR told <> '80 ' || queries)
             ORDER BY account LIMIT 1000",
            cases.collect::<Vec<_>>().join(" ")
        );
        let mut values = vec![period.to_string().value()];
        values.extend(plans.iter().flat_map(|(name, queries)| [name.as_str().value(), queries.value()]));
        let reached = |found: &DbRow| {
            Ok(ReachedQuota {
                account: row::account_id(found)?,
                email: row::email(found)?,
                queries: row::count(found, "queries")?,
                used: row::count(found, "used")?,
            })
        };
        self.reader().await?.list(&statement, &all(&values), reached).await
    }

    async fn add_quota_mail(
        &self,
        mail: &NewMail,
        account: AccountId,
        period: Period,
        (percent, queries): (u8, u64),
        now: Timestamp,
    ) -> StoreResult<()> {
        let mut transaction = self.writer_transaction().await?;
        let statement = "UPDATE usage SET told = $3 WHERE account = $1 AND period = $2 AND told <> $3 AND told <> $4";
        let (told, all) = (format!("{percent} {queries}"), format!("100 {queries}"));
        if transaction.execute(statement, &[&account.0, &period.to_string(), &told, &all]).await? == 0 {
            return Ok(());
        }
        transaction.add_mail(mail, now).await?;
        transaction.commit().await
    }

    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<LeasedMail>> {
        // No link waits behind many mails of changes.
        const DUE: &str = "SELECT id FROM mail WHERE due <= $1 ORDER BY kind = 'changes', due, id LIMIT 1";
        // Usually none is due, and a read does not wait for writers.
        if !self.reader().await?.any(DUE, &[&now]).await? {
            return Ok(None);
        }
        let statement = format!(
            "WITH taken AS MATERIALIZED ({DUE} {SKIP_LOCKED})
             UPDATE mail SET due = $2, attempts = attempts + 1 WHERE id IN (SELECT id FROM taken)
             RETURNING id, kind, recipient, about, created, attempts"
        );
        self.writer().await?.find(&statement, &[&now, &until], leased).await
    }

    async fn settle_mail(&self, mail: &LeasedMail, again: Option<Timestamp>) -> StoreResult<()> {
        let statements: &[&str] = match again {
            Some(_) => &["UPDATE mail SET due = $3 WHERE id = $1 AND attempts = $2"],
            None => &[
                "DELETE FROM mail WHERE id = $1 AND attempts = $2 AND $3 IS NULL AND once IS NULL",
                "UPDATE mail SET due = $3, recipient = '', about = '' WHERE id = $1 AND attempts = $2",
            ],
        };
        let mut transaction = self.writer_transaction().await?;
        for statement in statements {
            transaction.execute(statement, &[&mail.id.0, &mail.attempts, &again]).await?;
        }
        transaction.commit().await
    }

    async fn count_mails(&self) -> StoreResult<[u64; 2]> {
        let statement = "SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS attempted
             FROM mail WHERE due IS NOT NULL";
        let counts = |found: &DbRow| Ok([row::count(found, "waiting")?, row::count(found, "attempted")?]);
        self.reader().await?.one(statement, &[], counts).await
    }
}

impl Transaction {
    /// Adds a mail with its cause.
    pub(super) async fn add_mail(&mut self, mail: &NewMail, now: Timestamp) -> StoreResult<()> {
        let NewMail { kind, account, to, about, key } = mail;
        let statement =
            "INSERT INTO mail (kind, account, recipient, about, once, created, due) VALUES ($1, $2, $3, $4, $5, $6, $6)
             ON CONFLICT (once) DO NOTHING";
        let (kind, account, to) = (kind.as_str(), account.map(|account| account.0), to.as_str());
        self.execute(statement, &[&kind, &account, &to, about, key, &now]).await.map(drop)
    }
}

fn leased(found: &DbRow) -> StoreResult<LeasedMail> {
    Ok(LeasedMail {
        id: MailId(row::column(found, "id")?),
        kind: row::named(found, "kind")?,
        to: Email::parse(row::column(found, "recipient")?).map_err(unreadable)?,
        about: row::column(found, "about")?,
        created: row::instant(row::column(found, "created")?)?,
        attempts: row::number(found, "attempts")?,
    })
}
