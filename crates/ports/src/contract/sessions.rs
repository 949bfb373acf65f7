//! What [`Sessions`] promises.

use std::sync::Arc;

use super::samples::{LATER, NOW, account};
use crate::{AccountId, Accounts, Session, SessionDigest, Sessions, StoreErrorKind};

/// Makes each promise of [`Sessions`] a test; takes the type and an expression that gives
/// `(Arc<impl Accounts + Sessions>, guard)`.
#[macro_export]
macro_rules! sessions_contract {
    ($subject:ty, $fresh:expr) => {
        $crate::contract_tests! { sessions, $subject, $fresh, [
            a_session_is_found_as_it_was_begun,
            an_unknown_session_is_absent,
            a_digest_is_kept_once,
            a_session_without_an_account_is_missing,
            a_session_stores_when_it_was_last_seen,
            an_ended_session_is_gone_and_others_stay,
            all_sessions_of_an_account_end_together,
            old_and_unseen_sessions_are_swept,
            a_deleted_accounts_sessions_are_gone,
        ] }
    };
}

const fn digest(number: u8) -> SessionDigest {
    SessionDigest([number; 32])
}

async fn find<S: Sessions>(store: &S, number: u8) -> Option<Session> {
    store.find(&digest(number)).await.expect("a store that answers")
}

async fn begin<S: Sessions>(store: &S, number: u8, account: AccountId) {
    store.begin(&digest(number), account, NOW).await.expect("an account that exists");
}

/// Every field is as it was stored.
pub async fn a_session_is_found_as_it_was_begun<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    assert_eq!(find(&*store, 1).await, Some(Session { account: owner, begun: NOW, seen: NOW }));
}

/// No such session is a value.
pub async fn an_unknown_session_is_absent<S: Accounts + Sessions>(store: Arc<S>) {
    begin(&*store, 1, account(&*store, 1).await.id).await;
    assert_eq!(find(&*store, 2).await, None);
}

/// Two sessions never share a secret.
pub async fn a_digest_is_kept_once<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    let refusal = store.begin(&digest(1), owner, LATER).await.expect_err("a known digest");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
}

/// A session belongs to an account.
pub async fn a_session_without_an_account_is_missing<S: Accounts + Sessions>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = store.begin(&digest(1), unknown, NOW).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}

/// The beginning stays.
pub async fn a_session_stores_when_it_was_last_seen<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    store.note_seen(&digest(1), LATER).await.expect("a store that answers");
    store.note_seen(&digest(9), LATER).await.expect("a session that is gone is no error");
    assert_eq!(find(&*store, 1).await, Some(Session { account: owner, begun: NOW, seen: LATER }));
    assert_eq!(find(&*store, 9).await, None);
}

/// Safe to end twice.
pub async fn an_ended_session_is_gone_and_others_stay<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    for _ in 0..2 {
        store.end(&digest(1)).await.expect("a store that answers");
    }
    assert_eq!(find(&*store, 1).await, None);
    assert!(find(&*store, 2).await.is_some());
}

/// Sessions of other accounts stay.
pub async fn all_sessions_of_an_account_end_together<S: Accounts + Sessions>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    begin(&*store, 3, other).await;
    store.end_all(owner).await.expect("a store that answers");
    assert_eq!((find(&*store, 1).await, find(&*store, 2).await), (None, None));
    assert!(find(&*store, 3).await.is_some());
}

/// Either is enough.
pub async fn old_and_unseen_sessions_are_swept<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    store.begin(&digest(3), owner, LATER).await.expect("an account that exists");
    store.note_seen(&digest(2), LATER).await.expect("a store that answers");
    store.sweep(NOW, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None, "unseen");
    assert!(find(&*store, 2).await.is_some());
    store.sweep(LATER, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 2).await, None, "old");
    assert!(find(&*store, 3).await.is_some());
}

/// A deleted account has no sessions.
pub async fn a_deleted_accounts_sessions_are_gone<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    begin(&*store, 1, owner).await;
    store.delete(owner).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None);
}
