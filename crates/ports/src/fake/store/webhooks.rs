//! Webhooks in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::accounts::page_of;
use super::{MemoryStore, Rows, WebhookRow};
use crate::{
    Account, AccountId, AccountPage, AccountStatus, AfterAttempt, Attempt, DELIVERIES_RETAINED, Delivery, DeliveryId,
    LeasedWebhook, MAX_ATTEMPTS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, MailKind, NewDelivery, NewMail, NewWebhook,
    SLOW_ATTEMPT, StoreError, StoreErrorKind, StoreResult, TokenKind, Webhook, WebhookCounts, WebhookId, WebhookQueue,
    WebhookSecret, WebhookStatus, Webhooks,
};

#[async_trait]
impl Webhooks for MemoryStore {
    async fn add_webhook(&self, new: &NewWebhook) -> StoreResult<Webhook> {
        let mut rows = self.call()?;
        rows.account(new.account)?;
        if rows.webhooks.iter().filter(|row| row.webhook.account == new.account).count()
            >= MAX_WEBHOOKS_PER_ACCOUNT as usize
        {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        rows.latest_webhook += 1;
        let webhook = Webhook {
            id: WebhookId(rows.latest_webhook),
            account: new.account,
            kind: new.kind,
            url: new.url.clone(),
            created: new.created,
            by_operator: new.by_operator,
            status: WebhookStatus::Active,
            secret: new.secret.clone(),
            previous_secret: None,
            cursor: new.cursor.clone(),
            failures: 0,
            failing_since: None,
            next_attempt: None,
        };
        rows.webhooks.push(WebhookRow {
            webhook: webhook.clone(),
            lease: 0,
            leased_until: Timestamp::MIN,
            slow: false,
        });
        rows.note_webhook("webhook.create", &webhook, None);
        Ok(webhook)
    }

    async fn webhooks(&self, account: AccountId) -> StoreResult<Vec<Webhook>> {
        let rows = self.call()?;
        let webhooks = rows.webhooks.iter().map(|row| &row.webhook);
        Ok(webhooks.filter(|webhook| webhook.account == account).cloned().collect())
    }

    async fn webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<Option<Webhook>> {
        Ok(self.call()?.webhook(owner, id).map(|row| row.webhook.clone()))
    }

    async fn set_webhook_active(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        active: bool,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(WebhookRow { webhook, slow, .. }) = rows.webhook(owner, id) else { return Ok(false) };
        *slow = false;
        webhook.status = if active { WebhookStatus::Active } else { WebhookStatus::Paused };
        (webhook.failures, webhook.failing_since) = (0, None);
        webhook.next_attempt = webhook.next_attempt.map(|_| now);
        let webhook = webhook.clone();
        rows.note_webhook("webhook.set_status", &webhook, Some(webhook.status));
        Ok(true)
    }

    async fn rotate_secret(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        secret: &WebhookSecret,
        until: Timestamp,
    ) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(WebhookRow { webhook, .. }) = rows.webhook(owner, id) else { return Ok(false) };
        let previous = std::mem::replace(&mut webhook.secret, secret.clone());
        webhook.previous_secret = Some((previous, until));
        let webhook = webhook.clone();
        rows.note_webhook("webhook.rotate", &webhook, None);
        Ok(true)
    }

    async fn delete_webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(webhook) = rows.webhook(owner, id).map(|row| row.webhook.clone()) else { return Ok(false) };
        rows.delete_webhooks(|webhook| webhook.id == id);
        rows.note_webhook("webhook.delete", &webhook, None);
        Ok(true)
    }

    async fn deliveries(&self, webhook: WebhookId) -> StoreResult<Vec<Delivery>> {
        let rows = self.call()?;
        let of_webhook = rows.deliveries.iter().rev().filter(|delivery| delivery.webhook == webhook);
        Ok(of_webhook.take(DELIVERIES_RETAINED as usize).cloned().collect())
    }

    async fn delivery(&self, owner: Option<AccountId>, id: DeliveryId) -> StoreResult<Option<Delivery>> {
        let mut rows = self.call()?;
        let found = rows.deliveries.iter().find(|delivery| delivery.id == id).cloned();
        Ok(found.filter(|delivery| rows.webhook(owner, delivery.webhook).is_some()))
    }

    async fn add_test(&self, webhook: WebhookId, test: &NewDelivery, attempt: &Attempt) -> StoreResult<DeliveryId> {
        let mut rows = self.call()?;
        let id = rows.add_delivery(webhook, test, None).ok_or(StoreError::new(StoreErrorKind::Missing))?.id;
        rows.note_attempt(id, attempt, false);
        Ok(id)
    }

    async fn note_sent_again(&self, id: DeliveryId, attempt: &Attempt) -> StoreResult<()> {
        self.call()?.note_attempt(id, attempt, false);
        Ok(())
    }

    async fn make_due(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(WebhookRow { webhook, .. }) = rows.webhook(None, webhook) else { return Ok(false) };
        let is_pending = webhook.status == WebhookStatus::Active && webhook.next_attempt.is_some();
        if is_pending {
            webhook.next_attempt = Some(now);
        }
        Ok(is_pending)
    }
}

#[async_trait]
impl WebhookQueue for MemoryStore {
    async fn lease_webhook(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> StoreResult<Option<LeasedWebhook>> {
        let mut rows = self.call()?;
        let Rows { webhooks, accounts, deliveries, .. } = &mut *rows;
        let is_active = |webhook: &Webhook| {
            let mut owners = accounts.iter().filter(|account| account.id == webhook.account);
            webhook.kind == TokenKind::Live
                && webhook.status == WebhookStatus::Active
                && owners.any(|owner| owner.status == AccountStatus::Active)
        };
        let leased: Vec<AccountId> =
            webhooks.iter().filter(|row| row.leased_until > now).map(|row| row.webhook.account).collect();
        let may_lease = |webhook: &Webhook| {
            leased.iter().filter(|account| **account == webhook.account).count() < MAX_ATTEMPTS_PER_ACCOUNT
        };
        let due = webhooks.iter_mut().filter(|WebhookRow { webhook, leased_until, .. }| {
            let is_due = webhook.next_attempt.map_or(!is_at(&webhook.cursor, newest), |at| at <= now);
            is_due && *leased_until <= now && is_active(webhook) && may_lease(webhook)
        });
        let first = due.min_by_key(|row| (row.slow, row.leased_until));
        Ok(first.map(|row| {
            row.lease += 1;
            row.leased_until = until;
            let webhook = row.webhook.clone();
            let pending = deliveries.iter().find(|one| one.is_pending && one.webhook == webhook.id).cloned();
            LeasedWebhook { pending, webhook, lease: row.lease }
        }))
    }

    async fn move_cursor(&self, leased: &LeasedWebhook, cursor: &str, until: Timestamp) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(row) = rows.leased(leased) else { return Ok(false) };
        row.leased_until = until;
        cursor.clone_into(&mut row.webhook.cursor);
        Ok(true)
    }

    async fn add_pending(
        &self,
        leased: &LeasedWebhook,
        new: &NewDelivery,
        next_cursor: &str,
        until: Timestamp,
    ) -> StoreResult<Option<Delivery>> {
        let mut rows = self.call()?;
        let Some(row) = rows.leased(leased) else { return Ok(None) };
        row.leased_until = until;
        row.webhook.next_attempt = Some(new.created);
        Ok(rows.add_delivery(leased.webhook.id, new, Some(next_cursor)))
    }

    async fn finish_attempt(
        &self,
        leased: &LeasedWebhook,
        delivery: DeliveryId,
        attempt: &Attempt,
        then: AfterAttempt,
        tells_owner: bool,
    ) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let pending = rows.deliveries.iter().find(|one| one.id == delivery && one.is_pending);
        let Some(next_cursor) = pending.map(|pending| pending.next_cursor.clone()) else { return Ok(false) };
        let Some(row) = rows.leased(leased) else { return Ok(false) };
        row.leased_until = attempt.at;
        row.slow = then != AfterAttempt::Delivered || attempt.took > SLOW_ATTEMPT;
        let webhook = &mut row.webhook;
        if then == AfterAttempt::Delivered {
            webhook.cursor = next_cursor.unwrap_or_default();
            (webhook.failures, webhook.failing_since, webhook.next_attempt) = (0, None, None);
        } else {
            webhook.failures += 1;
            webhook.failing_since = webhook.failing_since.or(Some(attempt.at));
            webhook.next_attempt = Some(attempt.at);
        }
        match then {
            AfterAttempt::Delivered => {}
            AfterAttempt::RetryAt(at) => webhook.next_attempt = Some(at),
            AfterAttempt::Disable(status) => {
                webhook.status = status;
                let webhook = webhook.clone();
                rows.note_webhook("webhook.disable", &webhook, Some(status));
                if tells_owner {
                    let (account, to) = (Some(webhook.account), rows.account(webhook.account)?.email.clone());
                    let about = format!("{}\n{}", webhook.id, status.as_str());
                    rows.add_mail(
                        &NewMail { kind: MailKind::WebhookDisabled, account, to, about, key: None },
                        attempt.at,
                    );
                }
            }
        }
        rows.note_attempt(delivery, attempt, then != AfterAttempt::Delivered);
        Ok(true)
    }

    async fn count_webhooks(&self) -> StoreResult<WebhookCounts> {
        let rows = self.call()?;
        let with = |is: fn(WebhookStatus) -> bool| rows.webhooks.iter().filter(move |row| is(row.webhook.status));
        let disabled = with(|status| matches!(status, WebhookStatus::Gone | WebhookStatus::Failed)).count() as u64;
        let active: Vec<_> = with(|status| status == WebhookStatus::Active).map(|row| row.webhook.id).collect();
        let pending = rows.deliveries.iter().filter(|one| one.is_pending && active.contains(&one.webhook));
        let oldest_pending = pending.map(|one| one.created).min();
        Ok(WebhookCounts { disabled, oldest_pending })
    }

    async fn owners_of_failing(&self, limit: u32) -> StoreResult<Vec<(String, AccountPage)>> {
        let rows = self.call()?;
        let fails = |account: &&Account| {
            rows.webhooks.iter().any(|row| row.webhook.account == account.id && row.webhook.failures > 0)
        };
        let owners = rows.accounts.iter().filter(fails).take(limit as usize);
        Ok(owners.map(|account| (account.email.as_str().to_owned(), page_of(account.id))).collect())
    }
}

impl Rows {
    fn note_webhook(&mut self, action: &'static str, webhook: &Webhook, status: Option<WebhookStatus>) {
        let (object, after) = (format!("webhook {}", webhook.id), status.map(|status| status.as_str().to_owned()));
        self.note_values(action, webhook.account, object, None, after);
    }

    fn webhook(&mut self, owner: Option<AccountId>, id: WebhookId) -> Option<&mut WebhookRow> {
        let is_owned = |webhook: &Webhook| owner.is_none_or(|owner| webhook.account == owner);
        self.webhooks.iter_mut().find(|row| row.webhook.id == id && is_owned(&row.webhook))
    }

    fn leased(&mut self, leased: &LeasedWebhook) -> Option<&mut WebhookRow> {
        self.webhook(None, leased.webhook.id).filter(|row| row.lease == leased.lease)
    }

    pub(super) fn delete_webhooks(&mut self, is_deleted: impl Fn(&Webhook) -> bool) {
        self.webhooks.retain(|row| !is_deleted(&row.webhook));
        let Self { webhooks, deliveries, .. } = self;
        deliveries.retain(|delivery| webhooks.iter().any(|row| row.webhook.id == delivery.webhook));
    }

    fn add_delivery(&mut self, webhook: WebhookId, new: &NewDelivery, next_cursor: Option<&str>) -> Option<Delivery> {
        self.webhook(None, webhook)?;
        self.latest_delivery += 1;
        let delivery = Delivery {
            id: DeliveryId(self.latest_delivery),
            webhook,
            message: new.message.clone(),
            body: new.body.clone(),
            created: new.created,
            next_cursor: next_cursor.map(str::to_owned),
            is_pending: next_cursor.is_some(),
            attempts: 0,
            last: None,
        };
        self.deliveries.push(delivery.clone());
        let of_webhook = self.deliveries.iter().rev().filter(|one| one.webhook == webhook);
        if let Some(oldest) = of_webhook.map(|one| one.id).nth(DELIVERIES_RETAINED as usize) {
            self.deliveries.retain(|one| one.webhook != webhook || one.is_pending || one.id > oldest);
        }
        Some(delivery)
    }

    fn note_attempt(&mut self, id: DeliveryId, attempt: &Attempt, pending: bool) {
        if let Some(delivery) = self.deliveries.iter_mut().find(|delivery| delivery.id == id) {
            delivery.is_pending = pending;
            delivery.attempts += 1;
            delivery.last = Some(attempt.clone());
        }
    }
}

/// Whether a cursor is at the end of the feed. It may also have positions of other datasets.
fn is_at(cursor: &str, newest: &str) -> bool {
    cursor.strip_prefix(newest).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}
