//! The statements on mails.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, Email, LeasedMail, MailId, MailKind, NewMail, Outbox, Period, PlanName, ReachedQuota, StoreError,
};
use sqlx::AssertSqlSafe;

use super::error::unreadable;
use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};

#[async_trait]
impl Outbox for Store {
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        transaction.add_mail(mail, now).await?;
        transaction.commit().await
    }

    async fn reached_quotas(&self, plans: &[(PlanName, u64)], period: Period) -> Result<Vec<ReachedQuota>, StoreError> {
        if plans.is_empty() {
            return Ok(Vec::new());
        }
        // One pass for all plans.
        let cases = (0..plans.len()).map(|at| format!("WHEN ${} THEN ${}", at * 2 + 2, at * 2 + 3));
        let statement = format!(
            "SELECT id, email, queries, used FROM (
                 SELECT account.id, email, used, told, CASE plan {} END AS queries
                 FROM usage JOIN account ON account.id = usage.account WHERE period = $1 AND status = 'active') AS month
             WHERE used >= queries - queries / 5 AND told <> '100 ' || queries
                 AND (used >= queries OR told <> '80 ' || queries)
             ORDER BY id LIMIT 1000",
            cases.collect::<Vec<_>>().join(" ")
        );
        let query = sqlx::query(AssertSqlSafe(statement)).bind(period.to_string());
        let query = plans
            .iter()
            .fold(query, |query, (name, queries)| query.bind(name.as_str()).bind(row::count_parameter(*queries)));
        let reached = |found: &DbRow| {
            Ok(ReachedQuota {
                account: AccountId(row::column(found, "id")?),
                email: Email::parse(row::column(found, "email")?).map_err(unreadable)?,
                queries: row::count(row::column(found, "queries")?)?,
                used: row::count(row::column(found, "used")?)?,
            })
        };
        self.reader().await?.fetch_all(query).await?.iter().map(reached).collect()
    }

    async fn add_quota_mail(
        &self,
        mail: &NewMail,
        account: AccountId,
        period: Period,
        (percent, queries): (u8, u64),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let query =
            sqlx::query("UPDATE usage SET told = $3 WHERE account = $1 AND period = $2 AND told <> $3 AND told <> $4")
                .bind(account.0)
                .bind(period.to_string())
                .bind(format!("{percent} {queries}"))
                .bind(format!("100 {queries}"));
        if transaction.execute(query).await? == 0 {
            return Ok(());
        }
        transaction.add_mail(mail, now).await?;
        transaction.commit().await
    }

    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> Result<Option<LeasedMail>, StoreError> {
        // No link waits behind many mails of changes.
        const DUE: &str = "SELECT id FROM mail WHERE due <= $1 ORDER BY kind = 'changes', due, id LIMIT 1";
        // Usually none is due, and a read does not wait for writers.
        if self.reader().await?.fetch_optional(sqlx::query(DUE).bind(now.as_microsecond())).await?.is_none() {
            return Ok(None);
        }
        let statement = format!(
            "WITH taken AS MATERIALIZED ({DUE} {SKIP_LOCKED})
             UPDATE mail SET due = $2, attempts = attempts + 1 WHERE id IN (SELECT id FROM taken)
             RETURNING id, kind, recipient, about, created, attempts"
        );
        let query = sqlx::query(AssertSqlSafe(statement)).bind(now.as_microsecond()).bind(until.as_microsecond());
        self.writer().await?.fetch_optional(query).await?.as_ref().map(leased).transpose()
    }

    async fn settle_mail(&self, mail: &LeasedMail, again: Option<Timestamp>) -> Result<(), StoreError> {
        let statements: &[&'static str] = match again {
            Some(_) => &["UPDATE mail SET due = $3 WHERE id = $1 AND attempts = $2"],
            None => &[
                "DELETE FROM mail WHERE id = $1 AND attempts = $2 AND $3 IS NULL AND once IS NULL",
                "UPDATE mail SET due = $3, recipient = '', about = '' WHERE id = $1 AND attempts = $2",
            ],
        };
        let mut transaction = self.writer_transaction().await?;
        for statement in statements {
            let query = sqlx::query(*statement).bind(mail.id.0).bind(i64::from(mail.attempts));
            transaction.execute(query.bind(again.map(Timestamp::as_microsecond))).await?;
        }
        transaction.commit().await
    }

    async fn count_mails(&self) -> Result<[u64; 2], StoreError> {
        let query = sqlx::query(
            "SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS attempted FROM mail WHERE due IS NOT NULL",
        );
        let found = self.reader().await?.fetch_one(query).await?;
        Ok([row::count(row::column(&found, "waiting")?)?, row::count(row::column(&found, "attempted")?)?])
    }

    async fn sweep_mails(&self, before: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM mail WHERE created < $1").bind(before.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }
}

impl Transaction {
    /// Adds a mail with its cause.
    pub(super) async fn add_mail(&mut self, mail: &NewMail, now: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query(
            "INSERT INTO mail (kind, account, recipient, about, once, created, due) VALUES ($1, $2, $3, $4, $5, $6, $6)
             ON CONFLICT (once) DO NOTHING",
        )
        .bind(mail.kind.as_str())
        .bind(mail.account.map(|account| account.0))
        .bind(mail.to.as_str())
        .bind(&mail.about)
        .bind(mail.key.as_deref())
        .bind(now.as_microsecond());
        self.execute(query).await?;
        Ok(())
    }
}

fn leased(found: &DbRow) -> Result<LeasedMail, StoreError> {
    let (kind, to): (&str, &str) = (row::column(found, "kind")?, row::column(found, "recipient")?);
    let known = MailKind::ALL.into_iter().find(|known| known.as_str() == kind);
    Ok(LeasedMail {
        id: MailId(row::column(found, "id")?),
        kind: known.ok_or_else(|| unreadable(format!("a mail's kind is {kind:?}")))?,
        to: Email::parse(to).map_err(unreadable)?,
        about: row::column(found, "about")?,
        created: row::instant(row::column(found, "created")?)?,
        attempts: u32::try_from(row::column::<i64>(found, "attempts")?).map_err(unreadable)?,
    })
}
