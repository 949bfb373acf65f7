//! The statements on webhooks and their deliveries.
//!
//! A pending delivery waits for the disk before its first attempt, so that each attempt sends the same body and id. A
//! power cut may lose the latest leases and results; the delivery is then repeated.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, AccountPage, AfterAttempt, Attempt, AttemptResult, DELIVERIES_RETAINED, Delivery, DeliveryId,
    LeasedWebhook, MAX_ATTEMPTS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, MailKind, NewAuditLine, NewDelivery, NewWebhook,
    SLOW_ATTEMPT, StoreError, StoreErrorKind, StoreResult, TokenKind, Webhook, WebhookCounts, WebhookId, WebhookQueue,
    WebhookSecret, WebhookStatus, Webhooks,
};

use super::{DbRow, SKIP_LOCKED, Store, Transaction, row};
use crate::store::parameter::Parameters;

const WEBHOOK: &str = "id, account, test, url, created, by_operator, status, secret, previous_secret, previous_until, cursor, failures, \
    failing_since, next_attempt, lease";
const DELIVERY: &str =
    "id, webhook, message, body, created, next_cursor, pending, attempts, attempted, took, http_status, answer";
/// Ends a statement on one webhook: its number and its owner, if given, are the parameters 1 and 2.
const OWNED: &str = "WHERE id = $1 AND ($2 IS NULL OR account = $2)";

fn line(action: &'static str, account: AccountId, id: WebhookId, after: Option<&str>) -> NewAuditLine {
    let after = after.map(str::to_owned);
    NewAuditLine { after, ..NewAuditLine::for_object(action, account, format!("webhook {id}")) }
}

impl Store {
    /// Runs a statement that ends with [`OWNED`], and audits the change. `false` = no such webhook.
    async fn change_webhook(
        &self,
        statement: &str,
        parameters: Parameters<'_>,
        id: WebhookId,
        (action, after): (&'static str, Option<&str>),
    ) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let statement = format!("{statement} {OWNED} RETURNING account");
        let changed = transaction.find(&statement, parameters, row::account_id).await?;
        let Some(account) = changed else { return Ok(false) };
        self.note(&mut transaction, &line(action, account, id, after)).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Webhooks for Store {
    async fn add_webhook(&self, new: &NewWebhook) -> StoreResult<Webhook> {
        let NewWebhook { account, kind, url, secret, cursor, created, by_operator } = new;
        let mut transaction = self.writer_transaction().await?;
        // An account's webhooks are created one at a time.
        transaction.lock_account(*account).await?;
        let statement = "SELECT count(*) AS total FROM webhook WHERE account = $1";
        if transaction.one(statement, &[&account.0], row::total).await? >= u64::from(MAX_WEBHOOKS_PER_ACCOUNT) {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let statement = format!(
            "INSERT INTO webhook (account, url, created, secret, cursor, by_operator, test)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING {WEBHOOK}"
        );
        let (secret, is_test) = (secret.reveal(), *kind == TokenKind::Test);
        let parameters: Parameters<'_> = &[&account.0, url, created, &secret, cursor, by_operator, &is_test];
        let made = transaction.one(&statement, parameters, row::webhook).await?;
        self.note(&mut transaction, &line("webhook.create", *account, made.id, None)).await?;
        transaction.commit().await?;
        Ok(made)
    }

    async fn webhooks(&self, account: AccountId) -> StoreResult<Vec<Webhook>> {
        let statement = format!("SELECT {WEBHOOK} FROM webhook WHERE account = $1 ORDER BY id");
        self.reader().await?.list(&statement, &[&account.0], row::webhook).await
    }

    async fn webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<Option<Webhook>> {
        let statement = format!("SELECT {WEBHOOK} FROM webhook {OWNED}");
        self.reader().await?.find(&statement, &[&id.0, &number(owner)], row::webhook).await
    }

    async fn set_webhook_active(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        active: bool,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let status = if active { WebhookStatus::Active } else { WebhookStatus::Paused }.as_str();
        let statement = "UPDATE webhook SET status = $3, failures = 0, failing_since = NULL, slow = 0,
                 next_attempt = CASE WHEN next_attempt IS NOT NULL THEN $4 END";
        let parameters: Parameters<'_> = &[&id.0, &number(owner), &status, &now];
        self.change_webhook(statement, parameters, id, ("webhook.set_status", Some(status))).await
    }

    async fn rotate_secret(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        secret: &WebhookSecret,
        until: Timestamp,
    ) -> StoreResult<bool> {
        let statement = "UPDATE webhook SET previous_secret = secret, previous_until = $4, secret = $3";
        let parameters: Parameters<'_> = &[&id.0, &number(owner), &secret.reveal(), &until];
        self.change_webhook(statement, parameters, id, ("webhook.rotate", None)).await
    }

    async fn delete_webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<bool> {
        let parameters: Parameters<'_> = &[&id.0, &number(owner)];
        self.change_webhook("DELETE FROM webhook", parameters, id, ("webhook.delete", None)).await
    }

    async fn deliveries(&self, webhook: WebhookId) -> StoreResult<Vec<Delivery>> {
        let statement = format!("SELECT {DELIVERY} FROM delivery WHERE webhook = $1 ORDER BY id DESC LIMIT $2");
        self.reader().await?.list(&statement, &[&webhook.0, &DELIVERIES_RETAINED], row::delivery).await
    }

    async fn delivery(&self, owner: Option<AccountId>, id: DeliveryId) -> StoreResult<Option<Delivery>> {
        let statement = format!("SELECT {DELIVERY} FROM delivery {OWNED}");
        self.reader().await?.find(&statement, &[&id.0, &number(owner)], row::delivery).await
    }

    async fn add_test(&self, webhook: WebhookId, test: &NewDelivery, attempt: &Attempt) -> StoreResult<DeliveryId> {
        let mut transaction = self.writer_transaction().await?;
        let Some(made) = transaction.add_delivery(webhook, None, test).await? else {
            return Err(StoreError::new(StoreErrorKind::Missing));
        };
        transaction.note_attempt(made.id, attempt, false).await?;
        transaction.commit().await?;
        Ok(made.id)
    }

    async fn note_sent_again(&self, id: DeliveryId, attempt: &Attempt) -> StoreResult<()> {
        let mut transaction = self.pages_transaction().await?;
        transaction.note_attempt(id, attempt, false).await?;
        transaction.commit().await
    }

    async fn make_due(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<bool> {
        let statement =
            "UPDATE webhook SET next_attempt = $2 WHERE id = $1 AND status = 'active' AND next_attempt IS NOT NULL";
        Ok(self.pages().await?.execute(statement, &[&webhook.0, &now]).await? > 0)
    }
}

#[async_trait]
impl WebhookQueue for Store {
    async fn lease_webhook(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> StoreResult<Option<LeasedWebhook>> {
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
        if !self.reader().await?.any(&due, &[&now, &newest]).await? {
            return Ok(None);
        }
        // Materialised, because PostgreSQL may repeat a subquery of `IN` for each row and then locks more rows.
        let statement = format!(
            "WITH taken AS MATERIALIZED ({due} {SKIP_LOCKED})
             UPDATE webhook SET lease = lease + 1, leased_until = $3 WHERE id IN (SELECT id FROM taken)
             RETURNING {WEBHOOK}"
        );
        let leased = |found: &DbRow| Ok((row::webhook(found)?, row::column(found, "lease")?));
        let taken = self.pages().await?.find(&statement, &[&now, &newest, &until], leased).await?;
        let Some((webhook, lease)) = taken else { return Ok(None) };
        let statement = format!("SELECT {DELIVERY} FROM delivery WHERE webhook = $1 AND pending = 1");
        let pending = match webhook.next_attempt {
            Some(_) => self.reader().await?.find(&statement, &[&webhook.id.0], row::delivery).await?,
            None => None,
        };
        Ok(Some(LeasedWebhook { webhook, pending, lease }))
    }

    async fn move_cursor(&self, leased: &LeasedWebhook, cursor: &str, until: Timestamp) -> StoreResult<bool> {
        let statement = "UPDATE webhook SET cursor = $3, leased_until = $4 WHERE id = $1 AND lease = $2";
        let parameters: Parameters<'_> = &[&leased.webhook.id.0, &leased.lease, &cursor, &until];
        Ok(self.pages().await?.execute(statement, parameters).await? > 0)
    }

    async fn add_pending(
        &self,
        leased: &LeasedWebhook,
        new: &NewDelivery,
        next_cursor: &str,
        until: Timestamp,
    ) -> StoreResult<Option<Delivery>> {
        let webhook = leased.webhook.id;
        let mut transaction = self.writer_transaction().await?;
        let statement = "UPDATE webhook SET next_attempt = $3, leased_until = $4 WHERE id = $1 AND lease = $2";
        if transaction.execute(statement, &[&webhook.0, &leased.lease, &new.created, &until]).await? == 0 {
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
    ) -> StoreResult<bool> {
        let (next, status) = match then {
            AfterAttempt::Delivered => (None, None),
            AfterAttempt::RetryAt(at) => (Some(at), None),
            AfterAttempt::Disable(status) => (Some(attempt.at), Some(status.as_str())),
        };
        let failed = next.map(|_| attempt.at);
        let is_slow = failed.is_some() || attempt.took > SLOW_ATTEMPT;
        let webhook = &leased.webhook;
        let mut transaction = self.pages_transaction().await?;
        let statement =
            "UPDATE webhook SET leased_until = $7, next_attempt = $3, status = coalesce($4, status), slow = $8,
                 failures = CASE WHEN $5 IS NULL THEN 0 ELSE failures + 1 END,
                 failing_since = CASE WHEN $5 IS NOT NULL THEN coalesce(failing_since, $5) END,
                 cursor = CASE WHEN $5 IS NULL THEN (SELECT next_cursor FROM delivery WHERE id = $6) ELSE cursor END
             WHERE id = $1 AND lease = $2 AND EXISTS (SELECT 1 FROM delivery WHERE id = $6 AND pending = 1)";
        let parameters: Parameters<'_> =
            &[&webhook.id.0, &leased.lease, &next, &status, &failed, &delivery.0, &attempt.at, &is_slow];
        if transaction.execute(statement, parameters).await? == 0 {
            return Ok(false);
        }
        transaction.note_attempt(delivery, attempt, failed.is_some()).await?;
        if let Some(status) = status {
            self.note(&mut transaction, &line("webhook.disable", webhook.account, webhook.id, Some(status))).await?;
            if tells_owner {
                let statement = "INSERT INTO mail (kind, account, recipient, about, created, due)
                     SELECT $2, id, email, $3, $4, $4 FROM account WHERE id = $1";
                let (kind, about) = (MailKind::WebhookDisabled.as_str(), format!("{}\n{status}", webhook.id));
                transaction.execute(statement, &[&webhook.account.0, &kind, &about, &attempt.at]).await?;
            }
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn count_webhooks(&self) -> StoreResult<WebhookCounts> {
        let statement = "SELECT (SELECT count(*) FROM webhook WHERE status IN ('gone', 'failed')) AS disabled,
                 (SELECT min(delivery.created) FROM delivery JOIN webhook ON webhook.id = delivery.webhook
                  JOIN account ON account.id = webhook.account
                  WHERE pending = 1 AND webhook.status = 'active' AND account.status = 'active') AS oldest";
        let counts = |found: &DbRow| {
            let oldest_pending = row::instant_if_any(found, "oldest")?;
            Ok(WebhookCounts { disabled: row::count(found, "disabled")?, oldest_pending })
        };
        self.reader().await?.one(statement, &[], counts).await
    }

    async fn owners_of_failing(&self, limit: u32) -> StoreResult<Vec<(String, AccountPage)>> {
        let statement = "SELECT email, page FROM account
             WHERE id IN (SELECT account FROM webhook WHERE failures > 0) ORDER BY id LIMIT $1";
        let owner = |found: &DbRow| Ok((row::column(found, "email")?, row::account_page(found)?));
        self.reader().await?.list(statement, &[&limit], owner).await
    }
}

impl Transaction {
    /// Adds a delivery, pending unless it is a test, and deletes the oldest beyond the limit; `None` = no such webhook.
    async fn add_delivery(
        &mut self,
        webhook: WebhookId,
        next_cursor: Option<&str>,
        new: &NewDelivery,
    ) -> StoreResult<Option<Delivery>> {
        let statement = format!(
            "INSERT INTO delivery (account, webhook, message, body, created, next_cursor, pending, attempts)
             SELECT account, id, $2, $3, $4, $5, $6, 0 FROM webhook WHERE id = $1 RETURNING {DELIVERY}"
        );
        let NewDelivery { message, body, created } = new;
        let parameters: Parameters<'_> = &[&webhook.0, message, body, created, &next_cursor, &next_cursor.is_some()];
        let made = self.find(&statement, parameters, row::delivery).await?;
        let statement = "DELETE FROM delivery WHERE webhook = $1 AND pending = 0 AND id <= (
                 SELECT id FROM delivery WHERE webhook = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)";
        self.execute(statement, &[&webhook.0, &DELIVERIES_RETAINED]).await?;
        Ok(made)
    }

    async fn note_attempt(&mut self, id: DeliveryId, attempt: &Attempt, pending: bool) -> StoreResult<()> {
        let (status, answer) = match &attempt.result {
            AttemptResult::Answered { status, text } => (Some(u32::from(*status)), text.as_str()),
            AttemptResult::NoAnswer(reason) => (None, reason.as_str()),
        };
        let statement = "UPDATE delivery SET pending = $2, attempts = attempts + 1, attempted = $3, took = $4,
                 http_status = $5, answer = $6
             WHERE id = $1";
        let took = u64::try_from(attempt.took.as_millis()).unwrap_or(u64::MAX);
        self.execute(statement, &[&id.0, &pending, &attempt.at, &took, &status, &answer]).await.map(drop)
    }
}

fn number(owner: Option<AccountId>) -> Option<i64> {
    owner.map(|owner| owner.0)
}
