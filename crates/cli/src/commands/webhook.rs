//! `kuraka webhook`: creates, lists, tests and changes webhooks.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_adapters::store::Store;
use kuraka_app::{CreateWebhookError, Notifier};
use kuraka_domain::Ruc;
use kuraka_ports::{AttemptResult, TokenKind, Webhook as Known, WebhookId, WebhookUrlError};
use kuraka_sandbox::sample;
use kuraka_server::bootstrap;
use kuraka_server::settings::Settings;
use serde::Serialize;

use super::runtime::{Failure, block_on, clock};
use super::store_access::{account_of, existing_store, read_store};
use crate::cli::{Form, Webhook};
use crate::console::{self, second, second_or_dash};

pub(crate) fn run(command: Webhook, settings: &Settings) -> Result<(), Failure> {
    match command {
        Webhook::Create { email, url, test } => {
            let kind = if test { TokenKind::Test } else { TokenKind::Live };
            block_on(create(settings, &email, &url, kind))
        }
        Webhook::List { email, form } => block_on(list(settings, &email, form)),
        Webhook::Test(one) => block_on(test(settings, WebhookId(one.id))),
        Webhook::Rotate(one) => block_on(rotate(settings, WebhookId(one.id))),
        Webhook::Pause(one) => block_on(set_active(settings, WebhookId(one.id), false)),
        Webhook::Resume(one) => block_on(set_active(settings, WebhookId(one.id), true)),
        Webhook::Delete(one) => block_on(delete(settings, WebhookId(one.id))),
    }
}

/// The store, which must exist, and the use cases on it.
async fn open(settings: &Settings) -> Result<(Arc<dyn Store>, Arc<Notifier>), Failure> {
    let store = existing_store(settings).await?;
    let feed = bootstrap::feed(settings);
    let notifier = bootstrap::notifier(settings, &store, feed, Ruc::parse(sample::DESCRIBED)?, clock())?;
    Ok((store, Arc::new(notifier)))
}

/// An error if `work` returns `None`: there is no such webhook.
async fn known<T>(
    settings: &Settings,
    id: WebhookId,
    work: impl AsyncFnOnce(&Arc<Notifier>) -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    let (store, notifier) = open(settings).await?;
    let done = work(&notifier).await?;
    store.close().await;
    done.ok_or_else(|| unknown(id))
}

fn unknown(id: WebhookId) -> Failure {
    format!("there is no webhook {id}: kuraka webhook list --email E shows an account's webhooks").into()
}

async fn create(settings: &Settings, email: &str, url: &str, kind: TokenKind) -> Result<(), Failure> {
    let (store, notifier) = open(settings).await?;
    let account = account_of(&*store, email).await?;
    let made = notifier.create(account.id, url, true, kind).await.map_err(|error| -> Failure {
        let hint = if matches!(error, CreateWebhookError::Url(WebhookUrlError::Scheme | WebhookUrlError::NotPublic)) {
            "; webhooks.allowed_networks may name a private network"
        } else {
            ""
        };
        format!("{error}{hint}").into()
    })?;
    store.close().await;
    console::note(&format!("webhook {} is created; nothing was sent", made.id));
    if !settings.webhooks.enabled {
        console::note("nothing will be sent either, because webhooks.enabled is false");
    }
    console::line(made.secret.reveal());
    Ok(())
}

#[derive(Serialize)]
struct Record {
    id: i64,
    url: String,
    /// Whether it gets only tests.
    test: bool,
    /// `active`, `paused`, `gone` after an answer 410, or `failed` after five days.
    status: &'static str,
    /// Attempts that failed since the last success.
    failures: u32,
    failing_since: Option<Timestamp>,
    /// When the pending delivery is attempted.
    next_attempt: Option<Timestamp>,
    created: Timestamp,
}

impl Record {
    fn new(webhook: Known) -> Self {
        let Known { id, kind, url, status, failures, failing_since, next_attempt, created, .. } = webhook;
        let (test, status) = (kind == TokenKind::Test, status.as_str());
        Self { id: id.0, url, test, status, failures, failing_since, next_attempt, created }
    }

    fn cells(&self) -> [String; 7] {
        [
            self.id.to_string(),
            self.url.clone(),
            if self.test { "test".to_owned() } else { self.status.to_owned() },
            self.failures.to_string(),
            second_or_dash(self.failing_since),
            second_or_dash(self.next_attempt),
            second(self.created),
        ]
    }
}

async fn list(settings: &Settings, email: &str, form: Form) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let webhooks = store.webhooks(account_of(&*store, email).await?.id).await?;
    store.close().await;
    let records: Vec<Record> = webhooks.into_iter().map(Record::new).collect();
    let heading = ["ID", "URL", "STATUS", "FAILURES", "FAILING SINCE", "NEXT ATTEMPT", "CREATED"];
    Ok(console::list(form, &records, heading, Record::cells)?)
}

async fn test(settings: &Settings, id: WebhookId) -> Result<(), Failure> {
    let attempt = known(settings, id, async |notifier| Ok(notifier.test(None, id).await?)).await?;
    let milliseconds = attempt.took.as_millis();
    let what = match &attempt.result {
        AttemptResult::Answered { status, text } => format!("answered {status} after {milliseconds} ms: {text}"),
        AttemptResult::NoAnswer(reason) => format!("no answer after {milliseconds} ms: {}", reason.as_str()),
    };
    if attempt.result.is_delivered() {
        console::line(&what);
        return Ok(());
    }
    Err(what.into())
}

async fn rotate(settings: &Settings, id: WebhookId) -> Result<(), Failure> {
    let secret = known(settings, id, async |notifier| Ok(notifier.rotate(None, id).await?)).await?;
    console::line(secret.reveal());
    Ok(())
}

async fn set_active(settings: &Settings, id: WebhookId, active: bool) -> Result<(), Failure> {
    known(settings, id, async |notifier| Ok(notifier.set_active(None, id, active).await?.then_some(()))).await?;
    console::note(&format!("webhook {id} is {}", if active { "active" } else { "paused" }));
    Ok(())
}

async fn delete(settings: &Settings, id: WebhookId) -> Result<(), Failure> {
    let store = existing_store(settings).await?;
    let deleted = store.delete_webhook(None, id).await?;
    store.close().await;
    deleted.then_some(()).ok_or_else(|| unknown(id))?;
    console::note(&format!("webhook {id} is deleted, with its deliveries"));
    Ok(())
}
