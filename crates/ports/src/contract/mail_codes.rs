//! What [`MailCodes`] promises.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::samples::{HASH, LATER, NOW, account, digest, email, plan};
use super::together;
use crate::{
    Account, AccountId, AccountStatus, Accounts, Audit, AuditFilter, CodeKind, MailCodes, MailId, MailKind, NewMail,
    OldRows, Outbox, Retention, Sessions, StoreErrorKind,
};

pub(super) async fn add<S: Accounts + MailCodes>(store: &S, number: u8, account: AccountId) {
    add_of(store, number, account, MailId(number.into())).await;
}

async fn add_of<S: Accounts + MailCodes>(store: &S, number: u8, account: AccountId, mail: MailId) {
    add_kind(store, number, CodeKind::NewPassword, account, mail).await;
}

/// To the address that the account has.
async fn add_kind<S: Accounts + MailCodes>(store: &S, number: u8, kind: CodeKind, account: AccountId, mail: MailId) {
    let email = store.by_id(account).await.expect("a store that answers").expect("an account that exists").email;
    let digest = digest(number);
    let added = store.add_code(&digest, kind, account, (mail, &email), LATER);
    added.await.expect("an account that exists");
}

pub(super) async fn find<S: MailCodes>(store: &S, number: u8) -> Option<AccountId> {
    find_kind(store, number, CodeKind::NewPassword).await
}

async fn find_kind<S: MailCodes>(store: &S, number: u8, kind: CodeKind) -> Option<AccountId> {
    store.find_code(&digest(number), kind, NOW).await.expect("a store that answers").map(|(account, _)| account)
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
    // No such account, and an address that it has no longer.
    for (account, address) in [(AccountId(owner.0 + 1), 1), (owner, 2)] {
        let mail = (MailId(2), &email(address));
        let refused = store.add_code(&digest(2), CodeKind::NewPassword, account, mail, LATER).await;
        assert_eq!(refused.map_err(|error| error.kind), Err(StoreErrorKind::Missing));
    }
}

pub async fn one_of_many_uses_of_a_code_succeeds<S: Accounts + MailCodes>(store: Arc<S>) {
    add(&*store, 1, account(&*store, 1).await.id).await;
    let used = together(&store, 0..16, |store, _| async move { use_code(&*store, 1, HASH).await }).await;
    assert_eq!(used.into_iter().filter(|used| *used).count(), 1);
}

pub async fn a_code_does_not_deadlock_with_other_changes_of_its_account<S: Accounts + MailCodes>(store: Arc<S>) {
    for number in 1..=16 {
        let owner = account(&*store, u32::from(number)).await.id;
        add(&*store, number, owner).await;
        let (code, of) = (digest(number), Arc::clone(&store));
        let used = tokio::spawn(async move { of.use_code(&code, NOW, HASH).await.map(drop) });
        let of = Arc::clone(&store);
        let changed = tokio::spawn(async move { of.set_password_hash(owner, HASH).await });
        assert!(store.delete(owner).await.expect("a store that answers"));
        used.await.expect("no panic").expect("a store that answers");
        let changed = changed.await.expect("no panic").map_err(|error| error.kind);
        assert!(matches!(changed, Ok(()) | Err(StoreErrorKind::Missing)), "{changed:?}");
    }
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

pub async fn a_code_sets_the_password_once_ends_every_session_and_is_audited<
    S: Accounts + Sessions + Audit + MailCodes,
>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    let session = digest(1);
    store.begin(&session, owner, HASH, NOW, None).await.expect("an active account with this password");
    add(&*store, 1, owner).await;
    assert!(use_code(&*store, 1, "$argon2id$two").await);
    assert!(!use_code(&*store, 1, "$argon2id$three").await);
    assert!(!use_code(&*store, 2, "$argon2id$three").await);
    let hash = store.password_hash(owner).await.expect("a store that answers");
    assert_eq!(hash.as_deref(), Some("$argon2id$two"));
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

pub async fn expired_codes_are_swept<S: Accounts + Retention + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, 1, owner).await;
    store.delete_old(OldRows::ExpiredCodes, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, Some(owner));
    store.delete_old(OldRows::ExpiredCodes, LATER + SignedDuration::from_secs(1)).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None);
}

/// A failed attempt's is void, and only the first is audited.
pub async fn an_attempt_replaces_the_code_of_the_attempt_before<
    S: Accounts + Audit + Retention + MailCodes + Outbox,
>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await;
    let mail = NewMail { kind: MailKind::NewPassword, account: None, to: owner.email, about: String::new(), key: None };
    store.add_mail(&mail, NOW).await.expect("a store that answers");
    let leased = store.lease_mail(NOW, LATER).await.expect("a store that answers").expect("a mail that is due");
    add_of(&*store, 9, owner.id, MailId(leased.id.0 + 1)).await;
    for attempt in 1..=3 {
        add_of(&*store, attempt, owner.id, leased.id).await;
        let later = LATER + SignedDuration::from_secs(1);
        store.delete_old(OldRows::ExpiredCodes, later).await.expect("a store that answers");
    }
    assert_eq!((find(&*store, 2).await, find(&*store, 3).await, find(&*store, 9).await), (None, Some(owner.id), None));
    let filter = AuditFilter { action: Some("account.request_password"), ..AuditFilter::default() };
    let lines = store.lines(&filter, 9).await.expect("a store that answers");
    assert_eq!(lines.len(), 2, "of two mails");
}

async fn sign_up<S: Accounts>(store: &S, hash: &str, at: Timestamp) -> Option<Account> {
    store.sign_up(&email(1), &plan(), hash, at).await.expect("a store that answers")
}

/// Also if the mail of an older one is attempted last.
pub async fn the_latest_sign_up_has_the_password_until_the_address_is_confirmed<S: Accounts + MailCodes>(
    store: Arc<S>,
) {
    let made = sign_up(&*store, "$argon2id$one", NOW).await.expect("an address that is free");
    let kind = CodeKind::ConfirmAddress;
    add_kind(&*store, 1, kind, made.id, MailId(1)).await;
    let later = NOW + SignedDuration::from_secs(1);
    for (hash, at) in [(HASH, later), ("$argon2id$one", NOW), (HASH, later)] {
        let again = sign_up(&*store, hash, at).await.map(|account| (account.id, account.created));
        assert_eq!(again, Some((made.id, later)));
        let stored = store.password_hash(made.id).await.expect("a store that answers");
        assert_eq!(stored.as_deref(), Some(HASH));
    }
    assert_eq!(find_kind(&*store, 1, kind).await, None, "the code of the older sign-up");
    add_kind(&*store, 2, kind, made.id, MailId(2)).await;
    assert!(store.confirm(&digest(2), NOW, HASH).await.expect("a store that answers"));
    assert_eq!(sign_up(&*store, "$argon2id$two", LATER).await, None);
    let stored = store.password_hash(made.id).await.expect("a store that answers");
    assert_eq!(stored.as_deref(), Some(HASH));
}

pub async fn one_account_of_many_sign_ups_is_made<S: Accounts + MailCodes>(store: Arc<S>) {
    let sign_up = |store: Arc<S>, second| async move {
        let at = NOW + SignedDuration::from_secs(second);
        sign_up(&*store, &format!("$argon2id${second}"), at).await.map(|made| made.id)
    };
    let accounts: HashSet<_> = together(&store, 0..16, sign_up).await.into_iter().collect();
    let [Some(id)] = accounts.into_iter().collect::<Vec<_>>()[..] else { panic!("one account") };
    let stored = store.password_hash(id).await.expect("a store that answers");
    assert_eq!(stored.as_deref(), Some("$argon2id$15"));
}

pub async fn accounts_that_were_not_confirmed_are_swept<S: Accounts + Audit + Retention + MailCodes>(store: Arc<S>) {
    let waiting = sign_up(&*store, HASH, NOW).await.expect("an address that is free").id;
    let active = account(&*store, 2).await.id;
    add_kind(&*store, 1, CodeKind::ConfirmAddress, waiting, MailId(1)).await;
    let exists = async |id| store.by_id(id).await.expect("a store that answers").is_some();
    let sweep =
        async |before| store.delete_old(OldRows::UnconfirmedAccounts, before).await.expect("a store that answers");
    sweep(NOW).await;
    assert!(exists(waiting).await);
    sweep(NOW + SignedDuration::from_secs(1)).await;
    assert_eq!((exists(waiting).await, exists(active).await), (false, true));
    let filter = AuditFilter { account: Some(waiting), ..AuditFilter::default() };
    let lines = store.lines(&filter, 9).await.expect("a store that answers");
    assert_eq!(lines.last().map(|line| &*line.action), Some("account.delete"));
}

/// With its password, and once.
pub async fn a_code_confirms_an_unconfirmed_account<S: Accounts + MailCodes>(store: Arc<S>) {
    let made = sign_up(&*store, HASH, NOW).await.expect("an address that is free");
    assert_eq!(made.status, AccountStatus::Unconfirmed);
    let kind = CodeKind::ConfirmAddress;
    add_kind(&*store, 1, kind, made.id, MailId(1)).await;
    assert_eq!(find(&*store, 1).await, None, "a code of another kind");
    assert!(!use_code(&*store, 1, "$argon2id$two").await, "a code of another kind");
    let confirm = async |hash| store.confirm(&digest(1), NOW, hash).await.expect("a store that answers");
    assert!(!confirm("$argon2id$other").await);
    assert_eq!(find_kind(&*store, 1, kind).await, Some(made.id));
    assert!(confirm(HASH).await);
    assert!(!confirm(HASH).await);
    let status = async || store.by_id(made.id).await.expect("a store that answers").map(|account| account.status);
    assert_eq!(status().await, Some(AccountStatus::Active));
    add_kind(&*store, 1, kind, made.id, MailId(1)).await;
    store.set_status(made.id, AccountStatus::Suspended).await.expect("an account that exists");
    assert!(!confirm(HASH).await);
    assert_eq!(status().await, Some(AccountStatus::Suspended));
}

async fn add_address<S: MailCodes>(store: &S, number: u8, owner: AccountId, mail: u8, to: u32) {
    let (digest, email) = (digest(number), email(to));
    let added = store.add_code(&digest, CodeKind::ChangeAddress, owner, (MailId(mail.into()), &email), LATER);
    added.await.expect("an account that exists");
}

/// Gives an account with [`HASH`] the address of a code.
async fn take_address<S: Accounts>(store: &S, number: u8, owner: AccountId, to: u32, now: Timestamp) -> bool {
    let (digest, email) = (digest(number), email(to));
    store.replace_email(owner, HASH, &email, Some((&digest, now))).await.expect("a store that answers")
}

pub async fn a_code_of_another_address_is_found_with_it<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let kind = CodeKind::ChangeAddress;
    let find = async |number, now| store.find_code(&digest(number), kind, now).await.expect("a store that answers");
    add_address(&*store, 1, owner, 1, 7).await;
    add_address(&*store, 2, owner, 2, 8).await;
    assert_eq!(find(1, NOW).await, Some((owner, email(7))));
    assert_eq!(find(1, LATER).await, None);
    // Only an address without an account gets one, which its owner is not told.
    let data = store.stored_data(owner).await.expect("a store that answers");
    assert!(data.iter().all(|(table, rows)| *table != "mail_code" || rows.is_empty()), "{data:?}");
    add_address(&*store, 3, owner, 2, 8).await;
    assert_eq!((find(2, NOW).await, find(3, NOW).await), (None, Some((owner, email(8)))));
    assert_eq!(find_kind(&*store, 1, CodeKind::NewPassword).await, None);
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    assert_eq!(find(1, NOW).await, None, "another password voids it");
}

/// It voids the other codes of its account.
pub async fn one_of_many_uses_of_a_new_address_succeeds<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    add_address(&*store, 1, owner, 1, 7).await;
    add_address(&*store, 2, owner, 2, 8).await;
    assert!(!take_address(&*store, 1, owner, 7, LATER).await, "it has expired");
    let used = together(&store, 0..16, |store, _| async move { take_address(&*store, 1, owner, 7, NOW).await }).await;
    assert_eq!(used.into_iter().filter(|used| *used).count(), 1);
    assert_eq!(find_kind(&*store, 2, CodeKind::ChangeAddress).await, None);
    assert!(!take_address(&*store, 2, owner, 8, NOW).await, "it is void");
    add_address(&*store, 3, owner, 3, 8).await;
    store.set_status(owner, AccountStatus::Suspended).await.expect("an account that exists");
    add_address(&*store, 3, owner, 3, 8).await;
    assert!(!take_address(&*store, 3, owner, 8, NOW).await, "a suspended account");
    assert_eq!(find_kind(&*store, 3, CodeKind::ChangeAddress).await, Some(owner), "nothing has changed");
    let stored = store.by_id(owner).await.expect("a store that answers").map(|account| account.email);
    assert_eq!(stored, Some(email(7)));
}

/// One that is confirmed does not.
pub async fn an_account_that_waits_gives_way_to_a_new_address<S: Accounts + MailCodes>(store: Arc<S>) {
    let owner = account(&*store, 9).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    let waiting = sign_up(&*store, HASH, NOW).await.expect("an address that is free");
    let replaced = store.replace_email(owner, HASH, &email(1), None).await;
    assert_eq!(replaced.map_err(|error| error.kind), Err(StoreErrorKind::Conflict), "without a link");
    let replace = async || {
        add_address(&*store, 1, owner, 1, 1).await;
        store.replace_email(owner, HASH, &email(1), Some((&digest(1), NOW))).await.map_err(|error| error.kind)
    };
    store.set_status(waiting.id, AccountStatus::Active).await.expect("an account that exists");
    assert_eq!(replace().await, Err(StoreErrorKind::Conflict));
    store.set_status(waiting.id, AccountStatus::Unconfirmed).await.expect("an account that exists");
    assert_eq!(replace().await, Ok(true));
    assert_eq!(store.by_id(waiting.id).await.expect("a store that answers"), None);
    let found = store.find(&email(1)).await.expect("a store that answers").map(|account| account.id);
    assert_eq!(found, Some(owner));
}

pub async fn a_new_address_does_not_deadlock_with_a_code<S: Accounts + MailCodes>(store: Arc<S>) {
    for number in 1..=16 {
        let owner = account(&*store, number.into()).await.id;
        store.set_password_hash(owner, HASH).await.expect("an account that exists");
        let mail = MailId(number.into());
        add_of(&*store, number, owner, mail).await;
        let of = Arc::clone(&store);
        let added = tokio::spawn(async move {
            let (mail, code) = ((mail, &email(number.into())), digest(100 + number));
            of.add_code(&code, CodeKind::NewPassword, owner, mail, LATER).await
        });
        let to = email(100 + u32::from(number));
        assert!(store.replace_email(owner, HASH, &to, None).await.expect("a store that answers"));
        let added = added.await.expect("no panic").map_err(|error| error.kind);
        assert!(matches!(added, Ok(()) | Err(StoreErrorKind::Missing)), "{added:?}");
        assert_eq!(find(&*store, 100 + number).await, None, "a code that was mailed to the old address");
    }
}
