//! What [`Webhooks`] promises.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::samples::{LATER, NOW, account};
use super::together;
use crate::{
    AccountId, Accounts, Attempt, AttemptResult, MAX_WEBHOOKS_PER_ACCOUNT, NewDelivery, NewWebhook, StoreErrorKind,
    TokenKind, Webhook, WebhookSecret, WebhookStatus, Webhooks,
};

pub(super) fn new(account: AccountId) -> NewWebhook {
    let secret = WebhookSecret::new("whsec_b25l".to_owned());
    NewWebhook {
        account,
        kind: TokenKind::Live,
        url: "https://example.pe/avisos".to_owned(),
        secret,
        cursor: "first".to_owned(),
        created: NOW,
        by_operator: true,
    }
}

pub(super) async fn add<S: Webhooks>(store: &S, account: AccountId) -> Webhook {
    store.add_webhook(&new(account)).await.expect("an account with room")
}

pub(super) async fn find<S: Webhooks>(store: &S, webhook: &Webhook) -> Webhook {
    store.webhook(None, webhook.id).await.expect("a store that answers").expect("a webhook that exists")
}

pub(super) fn made(number: u32) -> NewDelivery {
    NewDelivery { message: format!("msg_{number}"), body: format!("{{\"number\":{number}}}"), created: NOW }
}

pub(super) fn answered(at: Timestamp, status: u16) -> Attempt {
    let result = AttemptResult::Answered { status, text: "«sí»".to_owned() };
    Attempt { at, took: Duration::from_millis(35), result }
}

pub async fn a_webhook_is_found_as_it_was_added<S: Accounts + Webhooks>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let added = add(&*store, owner).await;
    assert_eq!((added.account, added.created, added.status), (owner, NOW, WebhookStatus::Active));
    assert_eq!((added.url.as_str(), added.cursor.as_str()), ("https://example.pe/avisos", "first"));
    assert_eq!((added.secret.reveal(), added.previous_secret.as_ref()), ("whsec_b25l", None));
    assert_eq!((added.failures, added.failing_since, added.next_attempt), (0, None, None));
    assert_eq!(find(&*store, &added).await, added);
    let second = add(&*store, owner).await;
    assert_eq!(store.webhooks(owner).await.expect("a store that answers"), [added, second]);
}

/// Also if several are added at once.
pub async fn an_account_has_a_limited_number_of_webhooks<S: Accounts + Webhooks>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let add = |store: Arc<S>, _| async move { store.add_webhook(&new(owner)).await.map_err(|error| error.kind) };
    let results = together(&store, 0..MAX_WEBHOOKS_PER_ACCOUNT + 3, add).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), MAX_WEBHOOKS_PER_ACCOUNT as usize);
    assert!(results.iter().flat_map(|result| result.as_ref().err()).all(|kind| *kind == StoreErrorKind::LimitReached));
    let refusal = store.add_webhook(&new(AccountId(owner.0 + 1000))).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}

pub async fn a_webhook_of_another_account_is_absent<S: Accounts + Webhooks>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, Some(account(&*store, 2).await.id));
    let added = add(&*store, owner).await;
    let delivery = store.add_test(added.id, &made(1), &answered(NOW, 200)).await.expect("a webhook that exists");
    let before = find(&*store, &added).await;
    assert_eq!(store.webhook(other, added.id).await.expect("a store that answers"), None);
    assert_eq!(store.delivery(other, delivery).await.expect("a store that answers"), None);
    assert!(!store.set_webhook_active(other, added.id, false, NOW).await.expect("a store that answers"));
    assert!(!store.rotate_secret(other, added.id, &added.secret, NOW).await.expect("a store that answers"));
    assert!(!store.delete_webhook(other, added.id).await.expect("a store that answers"));
    assert_eq!(find(&*store, &added).await, before);
    assert!(store.webhook(Some(owner), added.id).await.expect("a store that answers").is_some());
    assert!(store.delivery(Some(owner), delivery).await.expect("a store that answers").is_some());
}

pub async fn a_new_secret_signs_beside_the_previous_one<S: Accounts + Webhooks>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let secret = WebhookSecret::new("whsec_dHdv".to_owned());
    assert!(store.rotate_secret(None, added.id, &secret, LATER).await.expect("a store that answers"));
    let found = find(&*store, &added).await;
    let texts = |now| found.secrets(now).map(|secret| secret.reveal().to_owned()).collect::<Vec<_>>();
    assert_eq!(texts(NOW), ["whsec_dHdv", "whsec_b25l"]);
    assert_eq!(texts(LATER), ["whsec_dHdv"]);
}

/// They are among the deliveries.
pub async fn tests_and_repetitions_move_no_cursor<S: Accounts + Webhooks>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let id = store.add_test(added.id, &made(1), &answered(NOW, 200)).await.expect("a webhook that exists");
    store.note_sent_again(id, &answered(LATER, 500)).await.expect("a store that answers");
    let found = store.delivery(None, id).await.expect("a store that answers").expect("a delivery that exists");
    assert_eq!((found.attempts, found.last, found.next_cursor), (2, Some(answered(LATER, 500)), None));
    assert!(!found.is_pending);
    assert_eq!(find(&*store, &added).await, added);
    store.delete_webhook(None, added.id).await.expect("a store that answers");
    let refusal = store.add_test(added.id, &made(2), &answered(NOW, 200)).await.expect_err("no such webhook");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}
