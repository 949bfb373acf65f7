//! What [`Sessions`] promises.

use std::sync::Arc;

use super::samples::{HASH, LATER, NOW, account, digest, plan};
use super::together;
use crate::{AccountId, AccountRole, AccountStatus, Accounts, OldRows, Retention, Session, Sessions, StoreErrorKind};

async fn find<S: Sessions>(store: &S, number: u8) -> Option<Session> {
    store.find(&digest(number)).await.expect("a store that answers")
}

async fn begin<S: Sessions>(store: &S, number: u8, account: AccountId) {
    store.begin(&digest(number), account, HASH, NOW, None).await.expect("an active account with this password");
}

async fn owner<S: Accounts>(store: &S, number: u32) -> AccountId {
    let id = account(store, number).await.id;
    store.set_password_hash(id, HASH).await.expect("an account that exists");
    id
}

pub async fn a_session_is_found_as_it_was_begun_and_last_seen<S: Accounts + Sessions>(store: Arc<S>) {
    let account = owner(&*store, 1).await;
    begin(&*store, 1, account).await;
    assert_eq!(find(&*store, 1).await, Some(Session { account, begun: NOW, seen: NOW }));
    assert_eq!(find(&*store, 2).await, None);
    store.note_seen(&digest(1), LATER).await.expect("a store that answers");
    store.note_seen(&digest(9), LATER).await.expect("a session that is gone is no error");
    assert_eq!(find(&*store, 1).await, Some(Session { account, begun: NOW, seen: LATER }));
    assert_eq!(find(&*store, 9).await, None);
}

/// With the password that was checked.
pub async fn only_an_active_account_begins_a_session<S: Accounts + Sessions>(store: Arc<S>) {
    let (without, changed) = (account(&*store, 1).await.id, owner(&*store, 2).await);
    let (suspended, unknown) = (owner(&*store, 3).await, AccountId(changed.0 + 1000));
    store.set_password_hash(changed, "$argon2id$two").await.expect("an account that exists");
    store.set_status(suspended, AccountStatus::Suspended).await.expect("an account that exists");
    for id in [without, changed, suspended, unknown] {
        let refusal = store.begin(&digest(1), id, HASH, NOW, None).await.expect_err("no such account");
        assert_eq!(refusal.kind, StoreErrorKind::Missing);
    }
    assert_eq!(find(&*store, 1).await, None);
    store.set_status(suspended, AccountStatus::Active).await.expect("an account that exists");
    begin(&*store, 1, suspended).await;
}

/// Also those that begin meanwhile.
pub async fn log_ins_during_a_password_change_leave_no_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = owner(&*store, 1).await;
    let log_ins = together(&store, 0..32, |store, number| async move {
        store.begin(&digest(number), id, HASH, NOW, None).await.is_ok()
    });
    let (_, changed) = tokio::join!(log_ins, store.set_password_hash(id, "$argon2id$two"));
    changed.expect("an account that exists");
    for number in 0..32 {
        assert_eq!(find(&*store, number).await, None);
    }
}

/// Those of other accounts stay.
pub async fn a_new_password_role_or_suspension_ends_every_session<S: Accounts + Sessions>(store: Arc<S>) {
    let (id, other) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let found =
        async || [find(&*store, 1).await, find(&*store, 2).await, find(&*store, 3).await].map(|it| it.is_some());
    let replace = async |from| store.replace_password(id, from, HASH).await.expect("a store that answers");
    begin(&*store, 3, other).await;
    for change in 0..4 {
        begin(&*store, 1, id).await;
        begin(&*store, 2, id).await;
        store.set_status(id, AccountStatus::Active).await.expect("an account that exists");
        store.set_plan(id, &plan()).await.expect("an account that exists");
        assert!(store.rehash_password(id, HASH, HASH).await.expect("a store that answers"));
        assert!(!replace("$argon2id$earlier").await);
        assert_eq!(found().await, [true; 3], "the password is still the same");
        match change {
            0 => store.set_password_hash(id, HASH).await.expect("an account that exists"),
            1 => assert!(replace(HASH).await),
            2 => store.set_role(id, AccountRole::Operator).await.expect("an account that exists"),
            _ => store.set_status(id, AccountStatus::Suspended).await.expect("an account that exists"),
        }
        assert_eq!(found().await, [false, false, true], "change {change}");
    }
    store.set_status(id, AccountStatus::Active).await.expect("an account that exists");
    assert_eq!(found().await, [false, false, true], "they do not come back with the account");
}

/// Safe to end twice.
pub async fn an_ended_session_is_gone_and_others_stay<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    for _ in 0..2 {
        store.end(&digest(1)).await.expect("a store that answers");
    }
    assert_eq!(find(&*store, 1).await, None);
    assert!(find(&*store, 2).await.is_some());
}

/// A refused one ends none.
pub async fn a_session_begins_in_place_of_another_or_not_at_all<S: Accounts + Sessions>(store: Arc<S>) {
    let (first, other) = (owner(&*store, 1).await, owner(&*store, 2).await);
    for (number, account) in [(1, first), (2, first), (3, other)] {
        begin(&*store, number, account).await;
    }
    let replace = async |number, hash, replaced| {
        let begun = store.begin(&digest(number), first, hash, NOW, Some(&digest(replaced))).await;
        begun.map_err(|error| error.kind)
    };
    assert_eq!(replace(4, "$argon2id$other", 1).await, Err(StoreErrorKind::Missing));
    assert_eq!(replace(2, HASH, 1).await, Err(StoreErrorKind::Conflict));
    assert!(find(&*store, 1).await.is_some() && find(&*store, 4).await.is_none(), "nothing has changed");
    replace(4, HASH, 1).await.expect("an active account with this password");
    replace(5, HASH, 3).await.expect("the session of another account");
    replace(6, HASH, 9).await.expect("a session that is gone is no error");
    let mut found = Vec::new();
    for number in 1..=9 {
        found.extend(find(&*store, number).await.map(|_| number));
    }
    assert_eq!(found, [2, 4, 5, 6]);
}

pub async fn old_and_unseen_sessions_are_swept<S: Accounts + Retention + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    store.begin(&digest(3), owner, HASH, LATER, None).await.expect("an active account with this password");
    store.note_seen(&digest(2), LATER).await.expect("a store that answers");
    store.delete_old(OldRows::UnseenSessions, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None, "unseen");
    assert!(find(&*store, 2).await.is_some());
    store.delete_old(OldRows::Sessions, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 2).await, None, "old");
    assert!(find(&*store, 3).await.is_some());
}
