//! What [`WebhookQueue`] promises.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::samples::{LATER, NOW, account, email};
use super::together;
use super::webhooks::{add, answered, find, made, new};
use crate::{
    AccountStatus, Accounts, AfterAttempt, Attempt, AttemptResult, DELIVERIES_RETAINED, Delivery, LeasedWebhook,
    MailKind, NewDelivery, NewWebhook, NoAnswer, OldRows, Outbox, Retention, SLOW_ATTEMPT, TokenKind, WebhookCounts,
    WebhookQueue, WebhookStatus, Webhooks,
};

const NEWEST: &str = "newest";

/// Until a minute later.
async fn lease<S: WebhookQueue>(store: &S, now: Timestamp) -> Option<LeasedWebhook> {
    lease_until(store, NEWEST, now, now + Duration::from_secs(60)).await
}

async fn lease_until<S: WebhookQueue>(
    store: &S,
    newest: &str,
    now: Timestamp,
    until: Timestamp,
) -> Option<LeasedWebhook> {
    store.lease_webhook(newest, now, until).await.expect("a store that answers")
}

/// Whether the lease had not ended.
async fn move_cursor<S: WebhookQueue>(store: &S, leased: &LeasedWebhook, cursor: &str) -> bool {
    store.move_cursor(leased, cursor, NOW).await.expect("a store that answers")
}

async fn pending<S: WebhookQueue>(store: &S, leased: &LeasedWebhook, number: u32) -> Delivery {
    let made = store.add_pending(leased, &made(number), &format!("after {number}"), LATER).await;
    made.expect("a store that answers").expect("a lease that has not ended")
}

async fn finish<S: WebhookQueue>(
    store: &S,
    leased: &LeasedWebhook,
    delivery: &Delivery,
    status: u16,
    then: AfterAttempt,
) -> bool {
    store.finish_attempt(leased, delivery.id, &answered(LATER, status), then, true).await.expect("a store that answers")
}

pub async fn a_test_webhook_is_never_leased<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let new = NewWebhook { kind: TokenKind::Test, ..new(owner) };
    let added = store.add_webhook(&new).await.expect("an account with room");
    assert_eq!(find(&*store, &added).await.kind, TokenKind::Test);
    assert!(lease(&*store, NOW).await.is_none());
}

pub async fn only_an_active_webhook_with_something_to_do_is_leased<S: Accounts + Webhooks + WebhookQueue>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await.id;
    let added = add(&*store, owner).await;
    assert!(lease_until(&*store, "first", NOW, LATER).await.is_none(), "nothing is new");
    store.set_webhook_active(None, added.id, false, NOW).await.expect("a store that answers");
    assert_eq!(find(&*store, &added).await.status, WebhookStatus::Paused);
    assert!(lease(&*store, NOW).await.is_none(), "paused");
    store.set_webhook_active(None, added.id, true, NOW).await.expect("a store that answers");
    store.set_status(owner, AccountStatus::Suspended).await.expect("an account that exists");
    assert!(lease(&*store, NOW).await.is_none(), "suspended");
    store.set_status(owner, AccountStatus::Active).await.expect("an account that exists");
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    assert_eq!((leased.webhook.id, leased.pending.is_none()), (added.id, true));
    assert!(move_cursor(&*store, &leased, NEWEST).await);
    assert_eq!(find(&*store, &added).await.cursor, NEWEST);
    assert!(lease(&*store, NOW).await.is_none(), "nothing is new");
    let (before, others) = NEWEST.split_at(NEWEST.len() - 1);
    assert!(lease_until(&*store, before, NOW, NOW).await.is_some(), "{before} is another place");
    let leased = lease_until(&*store, others, NOW, NOW).await.expect("a webhook that is behind");
    let with_others = format!("{NEWEST},{others}");
    assert!(move_cursor(&*store, &leased, &with_others).await);
    assert!(lease(&*store, NOW).await.is_none(), "nothing is new in this server's datasets");
}

pub async fn one_of_many_servers_gets_the_lease<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    add(&*store, account(&*store, 1).await.id).await;
    let leased = together(&store, 0..8, |store, _| async move { lease(&*store, NOW).await }).await;
    assert_eq!(leased.iter().flatten().count(), 1);
    assert!(lease(&*store, NOW + Duration::from_secs(59)).await.is_none());
    assert!(lease(&*store, NOW + Duration::from_secs(60)).await.is_some());
}

/// A slow server does not undo what its successor did.
pub async fn an_ended_lease_writes_nothing<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let slow = lease(&*store, NOW).await.expect("a webhook that is behind");
    let successor = lease(&*store, NOW + Duration::from_secs(60)).await.expect("a lease that has ended");
    assert!(!move_cursor(&*store, &slow, "moved").await);
    assert_eq!(store.add_pending(&slow, &made(1), "lost", LATER).await.expect("a store that answers"), None);
    let delivery = pending(&*store, &successor, 2).await;
    assert!(!finish(&*store, &slow, &delivery, 200, AfterAttempt::Delivered).await);
    assert_eq!(find(&*store, &added).await.cursor, "first");
    assert!(finish(&*store, &successor, &delivery, 200, AfterAttempt::Delivered).await);
    assert!(!finish(&*store, &successor, &delivery, 500, AfterAttempt::RetryAt(LATER)).await, "it is delivered");
    assert_eq!(find(&*store, &added).await.cursor, "after 2");
}

pub async fn a_delivery_moves_the_cursor_with_its_result<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let delivery = pending(&*store, &leased, 1).await;
    assert_eq!((delivery.message.as_str(), delivery.body.as_str(), delivery.created), ("msg_1", "{\"number\":1}", NOW));
    assert_eq!((delivery.is_pending, delivery.attempts, &delivery.last), (true, 0, &None));
    assert_eq!(find(&*store, &added).await.cursor, "first", "not before it is delivered");
    assert!(finish(&*store, &leased, &delivery, 204, AfterAttempt::Delivered).await);
    let last = Some(answered(LATER, 204));
    let delivered = Delivery { is_pending: false, attempts: 1, last, ..delivery };
    assert_eq!(store.deliveries(added.id).await.expect("a store that answers"), [delivered]);
    let found = find(&*store, &added).await;
    assert_eq!((found.cursor.as_str(), found.next_attempt), ("after 1", None));
    assert!(lease(&*store, LATER).await.is_some(), "the lease has ended, and the cursor is not the newest");
}

pub async fn a_failed_attempt_keeps_body_id_and_cursor<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let first = pending(&*store, &leased, 1).await;
    let again = LATER + Duration::from_secs(5);
    assert!(finish(&*store, &leased, &first, 500, AfterAttempt::RetryAt(again)).await);
    assert!(lease(&*store, again - Duration::from_micros(1)).await.is_none(), "too early");
    let leased = lease(&*store, again).await.expect("a delivery that is due");
    let webhook = find(&*store, &added).await;
    assert_eq!((webhook.failures, webhook.failing_since, webhook.cursor.as_str()), (1, Some(LATER), "first"));
    let second = leased.pending.clone().expect("a pending delivery");
    assert_eq!(second, Delivery { attempts: 1, last: Some(answered(LATER, 500)), ..first });
    let silent = Attempt { result: AttemptResult::NoAnswer(NoAnswer::Timeout), ..answered(again, 0) };
    let retry = AfterAttempt::RetryAt(again + Duration::from_secs(300));
    assert!(store.finish_attempt(&leased, second.id, &silent, retry, true).await.expect("a store that answers"));
    let webhook = find(&*store, &added).await;
    assert_eq!((webhook.failures, webhook.failing_since), (2, Some(LATER)));
    let found = store.deliveries(added.id).await.expect("a store that answers");
    assert_eq!(found, [Delivery { attempts: 2, last: Some(silent), ..second }]);
}

/// Dead receivers do not delay the others.
pub async fn webhooks_that_did_not_fail_come_first<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let failing = add(&*store, owner).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let delivery = pending(&*store, &leased, 1).await;
    finish(&*store, &leased, &delivery, 500, AfterAttempt::RetryAt(NOW)).await;
    let good = add(&*store, owner).await;
    let ids = [lease(&*store, LATER).await, lease(&*store, LATER).await].map(|leased| Some(leased?.webhook.id));
    assert_eq!(ids, [Some(good.id), Some(failing.id)]);
}

/// Slow receivers do not delay the others.
pub async fn webhooks_that_were_slow_come_last<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let slow = add(&*store, owner).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let delivery = pending(&*store, &leased, 1).await;
    let attempt = Attempt { took: SLOW_ATTEMPT + Duration::from_millis(1), ..answered(NOW, 200) };
    let finished = store.finish_attempt(&leased, delivery.id, &attempt, AfterAttempt::Delivered, true).await;
    assert!(finished.expect("a store that answers"));
    let quick = add(&*store, owner).await;
    assert!(
        move_cursor(&*store, &lease(&*store, NOW).await.expect("a webhook that is behind"), "not the newest").await
    );
    let ids = [lease(&*store, LATER).await, lease(&*store, LATER).await].map(|leased| Some(leased?.webhook.id));
    assert_eq!(ids, [Some(quick.id), Some(slow.id)], "although the lease of the quick one ended last");
}

pub async fn an_account_has_three_leases_at_most<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    for _ in 0..5 {
        add(&*store, owner).await;
    }
    add(&*store, other).await;
    let mut leased = Vec::new();
    for _ in 0..6 {
        leased.extend(lease(&*store, NOW).await);
    }
    let owners: Vec<_> = leased.iter().map(|leased| leased.webhook.account).collect();
    assert_eq!(owners, [owner, owner, owner, other]);
    let first = leased.first().expect("a lease");
    assert!(move_cursor(&*store, first, NEWEST).await);
    assert_eq!(lease(&*store, NOW).await.map(|leased| leased.webhook.account), Some(owner));
}

/// No account waits for all changes of another.
pub async fn webhooks_take_turns<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    for _ in 0..3 {
        add(&*store, owner).await;
    }
    let mut turns = Vec::new();
    for turn in 0..9 {
        let now = LATER + Duration::from_secs(turn);
        let leased = lease(&*store, now).await.expect("a webhook that is behind");
        turns.push(leased.webhook.id);
        if turn % 2 == 0 {
            assert!(store.move_cursor(&leased, "not the newest", now).await.expect("a store that answers"));
        } else {
            let delivery = pending(&*store, &leased, 1).await;
            let attempt = answered(now, 200);
            let then = AfterAttempt::Delivered;
            assert!(
                store.finish_attempt(&leased, delivery.id, &attempt, then, true).await.expect("a store that answers")
            );
        }
    }
    assert_eq!(turns.iter().take(3).collect::<HashSet<_>>().len(), 3, "{turns:?}");
    assert!(turns.iter().zip(turns.iter().skip(3)).all(|(turn, next)| turn == next), "{turns:?}");
}

/// With the same delivery.
pub async fn a_disabled_webhook_goes_on_where_it_stopped<S: Accounts + Outbox + Webhooks + WebhookQueue>(
    store: Arc<S>,
) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let delivery = pending(&*store, &leased, 1).await;
    let counts = async || store.count_webhooks().await.expect("a store that answers");
    let failing = async || store.owners_of_failing(9).await.expect("a store that answers");
    assert_eq!(counts().await, WebhookCounts { disabled: 0, oldest_pending: Some(NOW) });
    assert_eq!(failing().await, []);
    assert!(finish(&*store, &leased, &delivery, 410, AfterAttempt::Disable(WebhookStatus::Gone)).await);
    assert_eq!(find(&*store, &added).await.status, WebhookStatus::Gone);
    let mail = store.lease_mail(LATER, LATER).await.expect("a store that answers").expect("a mail to the owner");
    assert_eq!((mail.kind, mail.to), (MailKind::WebhookDisabled, email(1)));
    assert_eq!(mail.about, format!("{}\ngone", added.id));
    assert_eq!(counts().await, WebhookCounts { disabled: 1, oldest_pending: None });
    assert_eq!(failing().await.into_iter().map(|(owner, _)| owner).collect::<Vec<_>>(), [email(1).as_str()]);
    let later = LATER + Duration::from_secs(3_600);
    assert!(lease(&*store, later).await.is_none());
    assert!(store.set_webhook_active(None, added.id, true, later).await.expect("a store that answers"));
    let leased = lease(&*store, later).await.expect("a delivery that is due");
    assert_eq!((leased.webhook.failures, leased.webhook.failing_since), (0, None));
    assert_eq!(leased.pending.map(|pending| (pending.id, pending.message)), Some((delivery.id, delivery.message)));
}

pub async fn a_pending_delivery_can_be_attempted_at_once<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    assert!(!store.make_due(added.id, NOW).await.expect("a store that answers"), "none is pending");
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let delivery = pending(&*store, &leased, 1).await;
    finish(&*store, &leased, &delivery, 500, AfterAttempt::RetryAt(LATER + Duration::from_secs(3_600))).await;
    assert!(lease(&*store, LATER).await.is_none());
    assert!(store.make_due(added.id, LATER).await.expect("a store that answers"));
    assert!(lease(&*store, LATER).await.is_some());
}

/// A pending one stays, however old.
pub async fn only_the_latest_deliveries_are_kept<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let waiting = pending(&*store, &leased, 0).await;
    let mut tests = Vec::new();
    for number in 1..=DELIVERIES_RETAINED + 2 {
        tests.push(store.add_test(added.id, &made(number), &answered(NOW, 200)).await.expect("a webhook that exists"));
    }
    let found = store.deliveries(added.id).await.expect("a store that answers");
    assert_eq!(
        (found.len(), found.first().map(|newest| newest.id)),
        (DELIVERIES_RETAINED as usize, tests.last().copied())
    );
    let mut kept = Vec::new();
    for id in tests.into_iter().take(3).chain([waiting.id]) {
        kept.push(store.delivery(None, id).await.expect("a store that answers").is_some());
    }
    assert_eq!(kept, [false, false, true, true]);
}

pub async fn old_deliveries_are_swept_and_pending_ones_stay<S: Accounts + Retention + Webhooks + WebhookQueue>(
    store: Arc<S>,
) {
    let added = add(&*store, account(&*store, 1).await.id).await;
    let leased = lease(&*store, NOW).await.expect("a webhook that is behind");
    let waiting = pending(&*store, &leased, 1).await;
    let old = store.add_test(added.id, &made(2), &answered(NOW, 200)).await.expect("a webhook that exists");
    let young = NewDelivery { created: LATER, ..made(3) };
    let young = store.add_test(added.id, &young, &answered(NOW, 200)).await.expect("a webhook that exists");
    store.delete_old(OldRows::Deliveries, LATER).await.expect("a store that answers");
    let found = store.deliveries(added.id).await.expect("a store that answers");
    assert_eq!(found.iter().map(|delivery| delivery.id).collect::<Vec<_>>(), [young, waiting.id]);
    assert!(!found.iter().any(|delivery| delivery.id == old));
}

pub async fn deleted_webhooks_and_accounts_leave_no_deliveries<S: Accounts + Webhooks + WebhookQueue>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let (first, second) = (add(&*store, owner).await, add(&*store, owner).await);
    let mut tests = Vec::new();
    for webhook in [&first, &second] {
        tests.push(store.add_test(webhook.id, &made(1), &answered(NOW, 200)).await.expect("a webhook that exists"));
    }
    assert!(store.delete_webhook(Some(owner), first.id).await.expect("a store that answers"));
    assert!(!store.delete_webhook(Some(owner), first.id).await.expect("a store that answers"), "deleted twice");
    assert_eq!(store.webhooks(owner).await.expect("a store that answers"), [second]);
    assert!(Accounts::delete(&*store, owner).await.expect("a store that answers"));
    assert_eq!(store.webhooks(owner).await.expect("a store that answers"), []);
    for test in tests {
        assert_eq!(store.delivery(None, test).await.expect("a store that answers"), None);
    }
    assert!(lease(&*store, NOW).await.is_none());
}
