//! What [`Sessions`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{HASH, LATER, NOW, account, plan};
use crate::{AccountId, AccountRole, AccountStatus, Accounts, Session, SessionDigest, Sessions, StoreErrorKind};

const fn digest(number: u8) -> SessionDigest {
    SessionDigest([number; 32])
}

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

/// Sessions 1 and 2 of one account and 3 of another; returns the first account.
async fn three_sessions<S: Accounts + Sessions>(store: &S) -> AccountId {
    let (first, other) = (owner(store, 1).await, owner(store, 2).await);
    begin(store, 1, first).await;
    begin(store, 2, first).await;
    begin(store, 3, other).await;
    first
}

/// Only the other account's session is left.
async fn assert_ended<S: Sessions>(store: &S) {
    assert_eq!((find(store, 1).await, find(store, 2).await), (None, None));
    assert!(find(store, 3).await.is_some(), "the other account's session stays");
}

pub async fn a_session_is_found_as_it_was_begun<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    assert_eq!(find(&*store, 1).await, Some(Session { account: owner, begun: NOW, seen: NOW }));
}

pub async fn an_unknown_session_is_absent<S: Accounts + Sessions>(store: Arc<S>) {
    begin(&*store, 1, owner(&*store, 1).await).await;
    assert_eq!(find(&*store, 2).await, None);
}

pub async fn a_digest_is_kept_once<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    let refusal = store.begin(&digest(1), owner, HASH, LATER, None).await.expect_err("a known digest");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
}

pub async fn a_session_without_an_account_is_missing<S: Accounts + Sessions>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = store.begin(&digest(1), unknown, HASH, NOW, None).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}

/// The password was changed after it was checked.
pub async fn a_session_needs_the_password_that_was_checked<S: Accounts + Sessions>(store: Arc<S>) {
    let without = account(&*store, 1).await.id;
    let changed = owner(&*store, 2).await;
    store.set_password_hash(changed, "$argon2id$two").await.expect("an account that exists");
    for id in [without, changed] {
        let refusal = store.begin(&digest(1), id, HASH, NOW, None).await.expect_err("another password");
        assert_eq!(refusal.kind, StoreErrorKind::Missing);
    }
    assert_eq!(find(&*store, 1).await, None);
}

pub async fn a_suspended_account_begins_no_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = owner(&*store, 1).await;
    store.set_status(id, AccountStatus::Suspended).await.expect("an account that exists");
    let refusal = store.begin(&digest(1), id, HASH, NOW, None).await.expect_err("a suspended account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
    store.set_status(id, AccountStatus::Active).await.expect("an account that exists");
    begin(&*store, 1, id).await;
}

/// Also those that begin meanwhile.
pub async fn log_ins_during_a_password_change_leave_no_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = owner(&*store, 1).await;
    let mut log_ins = JoinSet::new();
    for number in 0..32 {
        let store = Arc::clone(&store);
        log_ins.spawn(async move { store.begin(&digest(number), id, HASH, NOW, None).await.is_ok() });
    }
    store.set_password_hash(id, "$argon2id$two").await.expect("an account that exists");
    log_ins.join_all().await;
    for number in 0..32 {
        assert_eq!(find(&*store, number).await, None);
    }
}

/// The sessions of other accounts stay.
pub async fn a_new_password_ends_every_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = three_sessions(&*store).await;
    assert!(store.rehash_password(id, HASH, "$argon2id$two").await.expect("a store that answers"));
    assert!(find(&*store, 1).await.is_some(), "the password is still the same");
    store.set_password_hash(id, "$argon2id$three").await.expect("an account that exists");
    assert_ended(&*store).await;
}

/// A change that comes too late ends none.
pub async fn a_replaced_password_ends_every_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = three_sessions(&*store).await;
    let replace = async |from, to| store.replace_password(id, from, to).await.expect("a store that answers");
    assert!(!replace("$argon2id$earlier", "$argon2id$two").await);
    assert!(find(&*store, 1).await.is_some(), "the password is still the same");
    assert!(replace(HASH, "$argon2id$two").await);
    assert_ended(&*store).await;
}

/// They do not come back with the account.
pub async fn a_suspension_ends_every_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = three_sessions(&*store).await;
    store.set_status(id, AccountStatus::Active).await.expect("an account that exists");
    store.set_plan(id, &plan()).await.expect("an account that exists");
    assert!(find(&*store, 1).await.is_some(), "neither ends a session");
    store.set_status(id, AccountStatus::Suspended).await.expect("an account that exists");
    assert_ended(&*store).await;
    store.set_status(id, AccountStatus::Active).await.expect("an account that exists");
    assert_ended(&*store).await;
}

pub async fn a_new_role_ends_every_session<S: Accounts + Sessions>(store: Arc<S>) {
    let id = three_sessions(&*store).await;
    store.set_role(id, AccountRole::Operator).await.expect("an account that exists");
    assert_ended(&*store).await;
}

pub async fn a_session_stores_when_it_was_last_seen<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    store.note_seen(&digest(1), LATER).await.expect("a store that answers");
    store.note_seen(&digest(9), LATER).await.expect("a session that is gone is no error");
    assert_eq!(find(&*store, 1).await, Some(Session { account: owner, begun: NOW, seen: LATER }));
    assert_eq!(find(&*store, 9).await, None);
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
    let first = three_sessions(&*store).await;
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

pub async fn old_and_unseen_sessions_are_swept<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    begin(&*store, 2, owner).await;
    store.begin(&digest(3), owner, HASH, LATER, None).await.expect("an active account with this password");
    store.note_seen(&digest(2), LATER).await.expect("a store that answers");
    store.sweep(NOW, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None, "unseen");
    assert!(find(&*store, 2).await.is_some());
    store.sweep(LATER, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 2).await, None, "old");
    assert!(find(&*store, 3).await.is_some());
}

/// Stores delete in parts.
pub async fn thousands_of_old_sessions_are_swept<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    let digests: Vec<_> = (0..2_100_u16)
        .map(|number| {
            let [high, low] = number.to_be_bytes();
            SessionDigest(std::array::from_fn(|at| if at == 0 { high } else { low }))
        })
        .collect();
    for digest in &digests {
        store.begin(digest, owner, HASH, NOW, None).await.expect("an active account with this password");
    }
    store.sweep(LATER, LATER).await.expect("a store that answers");
    for digest in digests {
        assert_eq!(Sessions::find(&*store, &digest).await.expect("a store that answers"), None);
    }
}

pub async fn a_deleted_accounts_sessions_are_gone<S: Accounts + Sessions>(store: Arc<S>) {
    let owner = owner(&*store, 1).await;
    begin(&*store, 1, owner).await;
    store.delete(owner).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None);
}
