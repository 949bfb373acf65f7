//! The statements on mails.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{LeasedMail, MailId, MailKind, NewMail, Outbox, Period, PlanName, StoreError};
use sqlx::AssertSqlSafe;

use super::connection::Query;
use super::error::unreadable;
use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};

#[async_trait]
impl Outbox for Store {
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        transaction.add_mail(mail, now).await?;
        transaction.commit().await
    }

    async fn add_quota_mails(
        &self,
        plan: &PlanName,
        queries: u64,
        period: Period,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        const REACHED: &str = "FROM (
                 SELECT account.id, email, period, CASE WHEN used >= $3 THEN 100 ELSE 80 END AS percent
                 FROM usage JOIN account ON account.id = usage.account
                 WHERE period = $1 AND plan = $2 AND status = 'active' AND used >= $4) AS reached
             WHERE NOT EXISTS (
                 SELECT 1 FROM mail WHERE once = 'quota ' || reached.id || ' ' || period || ' ' || percent || ' ' || $3)";
        let bind = |query: Query<'static>| {
            let least = queries - queries / 5;
            let query = query.bind(period.to_string()).bind(plan.as_str().to_owned());
            query.bind(row::count_parameter(queries)).bind(row::count_parameter(least))
        };
        // Usually there are none, and a read does not wait for writers.
        let statement = AssertSqlSafe(format!("SELECT reached.id {REACHED} LIMIT 1"));
        if self.reader().await?.fetch_optional(bind(sqlx::query(statement))).await?.is_none() {
            return Ok(());
        }
        let statement = AssertSqlSafe(format!(
            "INSERT INTO mail (kind, account, recipient, about, once, created, due)
             SELECT 'quota', reached.id, email, percent || '\n' || $3 || '\n' || period,
                 'quota ' || reached.id || ' ' || period || ' ' || percent || ' ' || $3, $5, $5
             {REACHED} ON CONFLICT (once) DO NOTHING"
        ));
        let query = bind(sqlx::query(statement)).bind(now.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }

    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> Result<Option<LeasedMail>, StoreError> {
        const DUE: &str = "SELECT id FROM mail WHERE due <= $1 ORDER BY due, id LIMIT 1";
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
        to: kuraka_ports::Email::parse(to).map_err(unreadable)?,
        about: row::column(found, "about")?,
        created: row::instant(row::column(found, "created")?)?,
        attempts: u32::try_from(row::column::<i64>(found, "attempts")?).map_err(unreadable)?,
    })
}
