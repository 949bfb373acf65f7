//! The statements on webhooks and their deliveries.
//!
//! A pending delivery waits for the disk before its first attempt, so that each attempt sends the same body and id. A
//! power cut may lose the latest leases and results; the delivery is then repeated.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, AccountPage, AfterAttempt, Attempt, AttemptResult, DELIVERIES_RETAINED, Delivery, DeliveryId,
    LeasedWebhook, MAX_ATTEMPTS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, MailKind, NewAuditLine, NewDelivery, NewWebhook,
    SLOW_ATTEMPT, StoreError, StoreErrorKind, TokenKind, Webhook, WebhookCounts, WebhookId, WebhookQueue,
    WebhookSecret, WebhookStatus, Webhooks,
};
use sqlx::AssertSqlSafe;

use super::connection::Query;
use super::{SKIP_LOCKED, Store, Transaction, row};

/// Rows deleted by one statement, so that a waiting lease does not give up.
const DELETED_AT_ONCE: u32 = 1_000;

const WEBHOOK: &str = "id, account, test, url, created, by_operator, status, secret, previous_secret, previous_until, cursor, failures, \
    failing_since, next_attempt, lease";
const DELIVERY: &str =
    "id, webhook, message, body, created, next_cursor, pending, attempts, attempted, took, http_status, answer";

fn line(action: &'static str, account: AccountId, id: WebhookId, after: Option<&str>) -> NewAuditLine {
    let object = format!("webhook {id}");
    NewAuditLine { action, account: Some(account), object, after: after.map(str::to_owned), before: None }
}

impl Store {
    /// Runs a statement that returns the account of a changed webhook, and audits it. `false` = no such webhook.
    async fn change_webhook(
        &self,
        query: Query<'_>,
        action: &'static str,
        id: WebhookId,
        after: Option<&str>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let Some(changed) = transaction.fetch_optional(query).await? else { return Ok(false) };
        let account = AccountId(row::column(&changed, "account")?);
        self.note(&mut transaction, &line(action, account, id, after)).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Webhooks for Store {
    async fn add_webhook(&self, new: &NewWebhook) -> Result<Webhook, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL, so that an account's webhooks are created one at a time.
        let locking = sqlx::query("UPDATE account SET status = status WHERE id = $1").bind(new.account.0);
        transaction.execute(locking).await?;
        let query = sqlx::query("SELECT count(*) AS webhooks FROM webhook WHERE account = $1").bind(new.account.0);
        let existing: i64 = row::column(&transaction.fetch_one(query).await?, "webhooks")?;
        if existing >= i64::from(MAX_WEBHOOKS_PER_ACCOUNT) {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let statement = format!(
            "INSERT INTO webhook (account, url, created, secret, cursor, by_operator, test)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING {WEBHOOK}"
        );
        let query = sqlx::query(AssertSqlSafe(statement))
            .bind(new.account.0)
            .bind(&new.url)
            .bind(new.created.as_microsecond())
            .bind(new.secret.reveal())
            .bind(&new.cursor)
            .bind(i64::from(new.by_operator))
            .bind(i64::from(new.kind == TokenKind::Test));
        let made = row::webhook(&transaction.fetch_one(query).await?)?;
        self.note(&mut transaction, &line("webhook.create", new.account, made.id, None)).await?;
        transaction.commit().await?;
        Ok(made)
    }

    async fn webhooks(&self, account: AccountId) -> Result<Vec<Webhook>, StoreError> {
        let statement = format!("SELECT {WEBHOOK} FROM webhook WHERE account = $1 ORDER BY id");
        let found = self.reader().await?.fetch_all(sqlx::query(AssertSqlSafe(statement)).bind(account.0)).await?;
        found.iter().map(row::webhook).collect()
    }

    async fn webhook(&self, owner: Option<AccountId>, id: WebhookId) -> Result<Option<Webhook>, StoreError> {
        let statement = format!("SELECT {WEBHOOK} FROM webhook WHERE id = $1 AND ($2 IS NULL OR account = $2)");
        let query = sqlx::query(AssertSqlSafe(statement)).bind(id.0).bind(owner.map(|owner| owner.0));
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::webhook).transpose()
    }

    async fn set_webhook_active(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        active: bool,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let status = if active { WebhookStatus::Active } else { WebhookStatus::Paused }.as_str();
        let query = sqlx::query(
            "UPDATE webhook SET status = $3, failures = 0, failing_since = NULL, slow = 0,
                 next_attempt = CASE WHEN next_attempt IS NOT NULL THEN $4 END
             WHERE id = $1 AND ($2 IS NULL OR account = $2) RETURNING account",
        )
        .bind(id.0)
        .bind(owner.map(|owner| owner.0))
        .bind(status)
        .bind(now.as_microsecond());
        self.change_webhook(query, "webhook.set_status", id, Some(status)).await
    }

    async fn rotate_secret(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        secret: &WebhookSecret,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "UPDATE webhook SET previous_secret = secret, previous_until = $4, secret = $3
             WHERE id = $1 AND ($2 IS NULL OR account = $2) RETURNING account",
        )
        .bind(id.0)
        .bind(owner.map(|owner| owner.0))
        .bind(secret.reveal())
        .bind(until.as_microsecond());
        self.change_webhook(query, "webhook.rotate", id, None).await
    }

    async fn delete_webhook(&self, owner: Option<AccountId>, id: WebhookId) -> Result<bool, StoreError> {
        let query = sqlx::query("DELETE FROM webhook WHERE id = $1 AND ($2 IS NULL OR account = $2) RETURNING account")
            .bind(id.0)
            .bind(owner.map(|owner| owner.0));
        self.change_webhook(query, "webhook.delete", id, None).await
    }

    async fn deliveries(&self, webhook: WebhookId) -> Result<Vec<Delivery>, StoreError> {
        let statement = format!("SELECT {DELIVERY} FROM delivery WHERE webhook = $1 ORDER BY id DESC LIMIT $2");
        let query = sqlx::query(AssertSqlSafe(statement)).bind(webhook.0).bind(i64::from(DELIVERIES_RETAINED));
        let found = self.reader().await?.fetch_all(query).await?;
        found.iter().map(row::delivery).collect()
    }

    async fn delivery(&self, owner: Option<AccountId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let statement = format!("SELECT {DELIVERY} FROM delivery WHERE id = $1 AND ($2 IS NULL OR account = $2)");
        let query = sqlx::query(AssertSqlSafe(statement)).bind(id.0).bind(owner.map(|owner| owner.0));
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::delivery).transpose()
    }

    async fn add_test(
        &self,
        webhook: WebhookId,
        test: &NewDelivery,
        attempt: &Attempt,
    ) -> Result<DeliveryId, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let Some(made) = transaction.add_delivery(webhook, None, test).await? else {
            return Err(StoreError::new(StoreErrorKind::Missing));
        };
        transaction.note_attempt(made.id, attempt, false).await?;
        transaction.commit().await?;
        Ok(made.id)
    }

    async fn note_sent_again(&self, id: DeliveryId, attempt: &Attempt) -> Result<(), StoreError> {
        let mut transaction = self.pages_transaction().await?;
        transaction.note_attempt(id, attempt, false).await?;
        transaction.commit().await
    }

    async fn attempt_now(&self, webhook: WebhookId, now: Timestamp) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "UPDATE webhook SET next_attempt = $2 WHERE id = $1 AND status = 'active' AND next_attempt IS NOT NULL",
        )
        .bind(webhook.0)
        .bind(now.as_microsecond());
        Ok(self.pages().await?.execute(query).await? > 0)
    }
}

#[async_trait]
impl WebhookQueue for Store {
    async fn lease_webhook(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<LeasedWebhook>, StoreError> {
        // The order of the index `webhook_by_turn`. A cursor at the end may also have positions of other datasets.
        let due = format!(
            "SELECT id FROM webhook WHERE status = 'active' AND test = 0 AND leased_until <= $1
                 AND (next_attempt <= $1
                     OR next_attempt IS NULL AND substr(cursor || ',', 1, length($2) + 1) <> $2 || ',')
                 AND (SELECT status FROM account WHERE id = webhook.account) = 'active'
                 AND (SELECT count(*) FROM webhook AS other WHERE other.account = webhook.account
                      AND other.leased_until > $1) < {MAX_ATTEMPTS_PER_ACCOUNT}
             ORDER BY slow, leased_until LIMIT 1"
        );
        // Usually none is due, and a read does not wait for writers.
        let query = sqlx::query(AssertSqlSafe(due.clone())).bind(now.as_microsecond()).bind(newest);
        if self.reader().await?.fetch_optional(query).await?.is_none() {
            return Ok(None);
        }
        // Materialised, because PostgreSQL may repeat a subquery of `IN` for each row and then locks more rows.
        let statement = format!(
            "WITH taken AS MATERIALIZED ({due} {SKIP_LOCKED})
             UPDATE webhook SET lease = lease + 1, leased_until = $3 WHERE id IN (SELECT id FROM taken)
             RETURNING {WEBHOOK}"
        );
        let query =
            sqlx::query(AssertSqlSafe(statement)).bind(now.as_microsecond()).bind(newest).bind(until.as_microsecond());
        let Some(taken) = self.pages().await?.fetch_optional(query).await? else { return Ok(None) };
        let (lease, webhook) = (row::column(&taken, "lease")?, row::webhook(&taken)?);
        let mut pending = None;
        if webhook.next_attempt.is_some() {
            let statement = format!("SELECT {DELIVERY} FROM delivery WHERE webhook = $1 AND pending = 1");
            let query = sqlx::query(AssertSqlSafe(statement)).bind(webhook.id.0);
            let found = self.reader().await?.fetch_optional(query).await?;
            pending = found.as_ref().map(row::delivery).transpose()?;
        }
        Ok(Some(LeasedWebhook { webhook, pending, lease }))
    }

    async fn move_cursor(&self, leased: &LeasedWebhook, cursor: &str, until: Timestamp) -> Result<bool, StoreError> {
        let query = sqlx::query("UPDATE webhook SET cursor = $3, leased_until = $4 WHERE id = $1 AND lease = $2")
            .bind(leased.webhook.id.0)
            .bind(leased.lease)
            .bind(cursor)
            .bind(until.as_microsecond());
        Ok(self.pages().await?.execute(query).await? > 0)
    }

    async fn add_pending(
        &self,
        leased: &LeasedWebhook,
        new: &NewDelivery,
        next_cursor: &str,
        until: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let webhook = leased.webhook.id;
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query("UPDATE webhook SET next_attempt = $3, leased_until = $4 WHERE id = $1 AND lease = $2")
            .bind(webhook.0)
            .bind(leased.lease)
            .bind(new.created.as_microsecond())
            .bind(until.as_microsecond());
        if transaction.execute(query).await? == 0 {
            return Ok(None);
        }
        let made = transaction.add_delivery(webhook, Some(next_cursor), new).await?;
        transaction.commit().await?;
        Ok(made)
    }

    async fn finish_attempt(
        &self,
        leased: &LeasedWebhook,
        delivery: DeliveryId,
        attempt: &Attempt,
        then: AfterAttempt,
        tells_owner: bool,
    ) -> Result<bool, StoreError> {
        let (next, status) = match then {
            AfterAttempt::Delivered => (None, None),
            AfterAttempt::RetryAt(at) => (Some(at), None),
            AfterAttempt::Disable(status) => (Some(attempt.at), Some(status.as_str())),
        };
        let failed = next.map(|_| attempt.at.as_microsecond());
        let mut transaction = self.pages_transaction().await?;
        let query = sqlx::query(
            "UPDATE webhook SET leased_until = $7, next_attempt = $3, status = coalesce($4, status), slow = $8,
                 failures = CASE WHEN $5 IS NULL THEN 0 ELSE failures + 1 END,
                 failing_since = CASE WHEN $5 IS NOT NULL THEN coalesce(failing_since, $5) END,
                 cursor = CASE WHEN $5 IS NULL THEN (SELECT next_cursor FROM delivery WHERE id = $6) ELSE cursor END
             WHERE id = $1 AND lease = $2 AND EXISTS (SELECT 1 FROM delivery WHERE id = $6 AND pending = 1)",
        )
        .bind(leased.webhook.id.0)
        .bind(leased.lease)
        .bind(next.map(Timestamp::as_microsecond))
        .bind(status)
        .bind(failed)
        .bind(delivery.0)
        .bind(attempt.at.as_microsecond())
        .bind(i64::from(failed.is_some() || attempt.took > SLOW_ATTEMPT));
        if transaction.execute(query).await? == 0 {
            return Ok(false);
        }
        transaction.note_attempt(delivery, attempt, failed.is_some()).await?;
        if status.is_some() {
            let webhook = &leased.webhook;
            self.note(&mut transaction, &line("webhook.disable", webhook.account, webhook.id, status)).await?;
        }
        if let (Some(status), true) = (status, tells_owner) {
            let query = sqlx::query(
                "INSERT INTO mail (kind, account, recipient, about, created, due)
                 SELECT $2, id, email, $3, $4, $4 FROM account WHERE id = $1",
            )
            .bind(leased.webhook.account.0)
            .bind(MailKind::WebhookDisabled.as_str())
            .bind(format!("{}\n{status}", leased.webhook.id))
            .bind(attempt.at.as_microsecond());
            transaction.execute(query).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn sweep_deliveries(&self, made_before: Timestamp) -> Result<(), StoreError> {
        let statement = format!(
            "DELETE FROM delivery WHERE id IN (
                 SELECT id FROM delivery WHERE pending = 0 AND created < $1 LIMIT $2 {SKIP_LOCKED})"
        );
        loop {
            let query = sqlx::query(AssertSqlSafe(statement.clone()))
                .bind(made_before.as_microsecond())
                .bind(i64::from(DELETED_AT_ONCE));
            if self.ledger().await?.execute(query).await? < u64::from(DELETED_AT_ONCE) {
                return Ok(());
            }
        }
    }

    async fn count_webhooks(&self) -> Result<WebhookCounts, StoreError> {
        let query = sqlx::query(
            "SELECT (SELECT count(*) FROM webhook WHERE status IN ('gone', 'failed')) AS disabled,
                 (SELECT min(delivery.created) FROM delivery JOIN webhook ON webhook.id = delivery.webhook
                  JOIN account ON account.id = webhook.account
                  WHERE pending = 1 AND webhook.status = 'active' AND account.status = 'active') AS oldest",
        );
        let found = self.reader().await?.fetch_one(query).await?;
        Ok(WebhookCounts {
            disabled: row::count(row::column(&found, "disabled")?)?,
            oldest_pending: row::instant_if_any(&found, "oldest")?,
        })
    }

    async fn owners_of_failing(&self, limit: u32) -> Result<Vec<(String, AccountPage)>, StoreError> {
        let query = sqlx::query(
            "SELECT email, page FROM account WHERE id IN (SELECT account FROM webhook
                 WHERE status IN ('gone', 'failed') OR status = 'active' AND failures > 0) ORDER BY id LIMIT $1",
        );
        let found = self.reader().await?.fetch_all(query.bind(i64::from(limit))).await?;
        found.iter().map(|found| Ok((row::column(found, "email")?, row::account_page(found)?))).collect()
    }
}

impl Transaction {
    /// Adds a delivery, pending unless it is a test, and deletes the oldest beyond the limit; `None` = no such webhook.
    async fn add_delivery(
        &mut self,
        webhook: WebhookId,
        next_cursor: Option<&str>,
        new: &NewDelivery,
    ) -> Result<Option<Delivery>, StoreError> {
        let statement = format!(
            "INSERT INTO delivery (account, webhook, message, body, created, next_cursor, pending, attempts)
             SELECT account, id, $2, $3, $4, $5, $6, 0 FROM webhook WHERE id = $1 RETURNING {DELIVERY}"
        );
        let query = sqlx::query(AssertSqlSafe(statement))
            .bind(webhook.0)
            .bind(&new.message)
            .bind(&new.body)
            .bind(new.created.as_microsecond())
            .bind(next_cursor)
            .bind(i64::from(next_cursor.is_some()));
        let made = self.fetch_optional(query).await?;
        let query = sqlx::query(
            "DELETE FROM delivery WHERE webhook = $1 AND pending = 0 AND id <= (
                 SELECT id FROM delivery WHERE webhook = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)",
        )
        .bind(webhook.0)
        .bind(i64::from(DELIVERIES_RETAINED));
        self.execute(query).await?;
        made.as_ref().map(row::delivery).transpose()
    }

    async fn note_attempt(&mut self, id: DeliveryId, attempt: &Attempt, pending: bool) -> Result<(), StoreError> {
        let (status, answer) = match &attempt.result {
            AttemptResult::Answered { status, text } => (Some(i64::from(*status)), text.as_str()),
            AttemptResult::NoAnswer(reason) => (None, reason.as_str()),
        };
        let query = sqlx::query(
            "UPDATE delivery SET pending = $2, attempts = attempts + 1, attempted = $3, took = $4, http_status = $5,
                 answer = $6
             WHERE id = $1",
        )
        .bind(id.0)
        .bind(i64::from(pending))
        .bind(attempt.at.as_microsecond())
        .bind(i64::try_from(attempt.took.as_millis()).unwrap_or(i64::MAX))
        .bind(status)
        .bind(answer);
        self.execute(query).await.map(drop)
    }
}
