//! What [`MailCodes`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{HASH, LATER, NOW, account, email, plan};
use crate::{
    AccountId, AccountStatus, Accounts, Audit, AuditFilter, CodeDigest, CodeKind, MailCodes, SessionDigest, Sessions,
    StoreErrorKind,
};

const fn digest(number: u8) -> CodeDigest {
    CodeDigest([number; 32])
}

async fn add<S: MailCodes>(store: &S, number: u8, account: AccountId) {
    store.add_code(&digest(number), CodeKind::NewPassword, account, LATER).await.expect("an account that exists");
}

async fn find<S: MailCodes>(store: &S, number: u8) -> Option<AccountId> {
    store.find_code(&digest(number), CodeKind::NewPassword, NOW).await.expect("a store that answers")
}

async fn use_code<S: MailCodes>(store: &S, number: u8, hash: &str) -> bool {
    store.use_code(&digest(number), NOW, hash).await.expect("a store that answers")
}

pub async fn a_code_is_found_until_it_expires<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, 1, owner).await;
    assert_eq!((find(&*store, 1).await, find(&*store, 2).await), (Some(owner), None));
    let late = store.find_code(&digest(1), CodeKind::NewPassword, LATER).await.expect("a store that answers");
    assert_eq!(late, None);
    assert!(!store.use_code(&digest(1), LATER, HASH).await.expect("a store that answers"));
    let refused = store.add_code(&digest(2), CodeKind::NewPassword, AccountId(owner.0 + 1), LATER).await;
    assert_eq!(refused.map_err(|error| error.kind), Err(StoreErrorKind::Missing));
}

pub async fn a_code_sets_the_password_once<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, 1, owner).await;
    assert!(use_code(&*store, 1, "$argon2id$two").await);
    assert!(!use_code(&*store, 1, "$argon2id$three").await);
    assert!(!use_code(&*store, 2, "$argon2id$three").await);
    let hash = store.password_hash(owner).await.expect("a store that answers");
    assert_eq!(hash.as_deref(), Some("$argon2id$two"));
}

pub async fn one_of_many_uses_of_a_code_succeeds<S: Accounts + MailCodes>(store: Arc<S>) {
    add(&*store, 1, account(&*store, 1).await.id).await;
    let mut uses = JoinSet::new();
    for _ in 0..16 {
        let store = Arc::clone(&store);
        uses.spawn(async move { use_code(&*store, 1, HASH).await });
    }
    assert_eq!(uses.join_all().await.into_iter().filter(|used| *used).count(), 1);
}

/// Those of other accounts stay.
pub async fn a_new_password_voids_the_other_codes<S: Accounts + MailCodes>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let three = async || {
        for (number, account) in [(1, owner), (2, owner), (3, other)] {
            add(&*store, number, account).await;
        }
    };
    let found = async || [find(&*store, 1).await, find(&*store, 2).await, find(&*store, 3).await];
    three().await;
    assert!(use_code(&*store, 1, HASH).await);
    assert_eq!(found().await, [None, None, Some(other)]);
    three().await;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    assert_eq!(found().await, [None, None, Some(other)]);
    three().await;
    store.set_status(owner, AccountStatus::Suspended).await.expect("an account that exists");
    assert_eq!(found().await, [None, None, Some(other)]);
}

pub async fn a_used_code_ends_every_session_and_is_audited<S: Accounts + Sessions + Audit + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    let session = SessionDigest([1; 32]);
    store.begin(&session, owner, HASH, NOW, None).await.expect("an active account with this password");
    add(&*store, 1, owner).await;
    assert!(use_code(&*store, 1, "$argon2id$two").await);
    assert_eq!(Sessions::find(&*store, &session).await.expect("a store that answers"), None);
    let filter = AuditFilter { account: Some(owner), ..AuditFilter::default() };
    let lines = store.lines(&filter, 9).await.expect("a store that answers");
    let actions: Vec<_> = lines.iter().map(|line| &*line.action).collect();
    let expected = [
        "account.create",
        "account.set_password",
        "session.create",
        "account.request_password",
        "account.reset_password",
    ];
    assert_eq!(actions, expected);
}

pub async fn expired_codes_are_swept<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, 1, owner).await;
    store.sweep_codes(NOW).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, Some(owner));
    store.sweep_codes(LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None);
}

pub async fn a_deleted_accounts_codes_are_gone<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, 1, owner).await;
    assert!(store.delete(owner).await.expect("a store that answers"));
    assert_eq!(find(&*store, 1).await, None);
}

/// With its password, and once.
pub async fn a_code_confirms_an_unconfirmed_account<S: Accounts + MailCodes>(store: Arc<S>) {
    let made = store.create_unconfirmed(&email(1), &plan(), HASH, NOW).await.expect("an address that is free");
    assert_eq!(made.status, AccountStatus::Unconfirmed);
    let taken = store.create_unconfirmed(&email(1), &plan(), HASH, NOW).await.map_err(|error| error.kind);
    assert_eq!(taken, Err(StoreErrorKind::Conflict));
    let kind = CodeKind::ConfirmAddress;
    store.add_code(&digest(1), kind, made.id, LATER).await.expect("an account that exists");
    assert_eq!(find(&*store, 1).await, None, "a code of another kind");
    assert!(!use_code(&*store, 1, "$argon2id$two").await, "a code of another kind");
    let confirm = async |hash| store.confirm(&digest(1), NOW, hash).await.expect("a store that answers");
    assert!(!confirm("$argon2id$other").await);
    let found = store.find_code(&digest(1), kind, NOW).await.expect("a store that answers");
    assert_eq!(found, Some(made.id));
    assert!(confirm(HASH).await);
    assert!(!confirm(HASH).await);
    let status = async || store.by_id(made.id).await.expect("a store that answers").map(|account| account.status);
    assert_eq!(status().await, Some(AccountStatus::Active));
    store.add_code(&digest(1), kind, made.id, LATER).await.expect("an account that exists");
    store.set_status(made.id, AccountStatus::Suspended).await.expect("an account that exists");
    assert!(!confirm(HASH).await);
    assert_eq!(status().await, Some(AccountStatus::Suspended));
}
