//! What [`Digests`] promises.

use std::iter::repeat_n;
use std::sync::Arc;

use super::samples::{HASH, LATER, NOW, account, email};
use super::together;
use crate::{
    Account, AccountStatus, Accounts, Audit, AuditFilter, DigestRhythm, Digests, LeasedDigest, MailKind, NewDigest,
    NewMail, Outbox, StoreErrorKind,
};

async fn set<S: Digests>(store: &S, owner: &Account, rhythm: DigestRhythm, cursor: &str) {
    // A later code does not replace the first.
    let code = format!("{}-{cursor}", owner.id);
    let new = NewDigest { account: owner.id, rhythm, code: &code, cursor, now: NOW, due: NOW };
    store.set_digest(&new).await.expect("a store that answers");
}

async fn lease<S: Digests>(store: &S, newest: &str) -> Vec<LeasedDigest> {
    store.lease_digests(newest, NOW, LATER, 9).await.expect("a store that answers")
}

fn mail(owner: &Account) -> NewMail {
    let about = "1".to_owned();
    NewMail { kind: MailKind::Changes, account: Some(owner.id), to: owner.email.clone(), about, key: None }
}

async fn mails<S: Outbox>(store: &S) -> usize {
    let mut mails = 0;
    while store.lease_mail(NOW, LATER).await.expect("a store that answers").is_some() {
        mails += 1;
    }
    mails
}

pub async fn a_digest_is_due_while_its_account_is_not_told<S: Accounts + Digests>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    assert_eq!(store.digest_rhythm(owner.id).await.expect("a store that answers"), DigestRhythm::Off);
    assert_eq!(lease(&*store, "b=1").await, []);
    set(&*store, &owner, DigestRhythm::Daily, "a=1").await;
    assert_eq!(store.digest_rhythm(owner.id).await.expect("a store that answers"), DigestRhythm::Daily);
    assert_eq!(lease(&*store, "a=1").await, []);
    let (code, cursor) = (format!("{}-a=1", owner.id), "a=1".to_owned());
    let due =
        LeasedDigest { account: owner.id, email: email(1), rhythm: DigestRhythm::Daily, code, cursor, since: NOW };
    assert_eq!(lease(&*store, "a=11").await, std::slice::from_ref(&due));
    assert_eq!(lease(&*store, "a=11").await, [], "it is leased");
    assert!(store.move_digest(&due, "a=11,b=1", NOW, None, NOW).await.expect("a store that answers"));
    assert_eq!(lease(&*store, "a=11").await, []);
    store.set_status(owner.id, AccountStatus::Suspended).await.expect("an account that exists");
    assert_eq!(lease(&*store, "a=12").await, [], "the account is suspended");
    let missing = Account { id: crate::AccountId(owner.id.0 + 1), ..owner };
    let new = NewDigest { account: missing.id, rhythm: DigestRhythm::Off, code: "", cursor: "", now: NOW, due: NOW };
    assert_eq!(store.set_digest(&new).await.map_err(|error| error.kind), Err(StoreErrorKind::Missing));
}

pub async fn a_mail_is_added_once_with_the_place_up_to_which_it_tells<S: Accounts + Digests + Outbox>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    set(&*store, &owner, DigestRhythm::Immediate, "a=1").await;
    let [leased] = &*lease(&*store, "a=2").await else { panic!("one is due") };
    let each = repeat_n((leased.clone(), mail(&owner)), 8);
    let moved = together(&store, each, |store, (leased, mail)| async move {
        store.move_digest(&leased, "a=2", NOW, Some(&mail), NOW).await.expect("a store that answers")
    });
    let moved = moved.await.into_iter();
    assert_eq!((moved.filter(|moved| *moved).count(), mails(&*store).await), (1, 1));
    let [next] = &*lease(&*store, "a=3").await else { panic!("one is due") };
    assert_eq!(next, &LeasedDigest { cursor: "a=2".to_owned(), ..leased.clone() });
    store.set_password_hash(owner.id, HASH).await.expect("an account that exists");
    assert!(store.replace_email(owner.id, HASH, &email(2), None).await.expect("a store that answers"));
    let moved = store.move_digest(next, "a=3", NOW, Some(&mail(&owner)), NOW).await.expect("a store that answers");
    assert!(!moved && mails(&*store).await == 0, "a mail to the former address");
}

pub async fn a_bounded_number_is_leased_once<S: Accounts + Digests>(store: Arc<S>) {
    for number in 1..=8 {
        set(&*store, &account(&*store, number).await, DigestRhythm::Immediate, "a=1").await;
    }
    let leased = together(&store, 0..6, |store, _| async move {
        store.lease_digests("a=2", NOW, LATER, 2).await.expect("a store that answers")
    });
    let leased = leased.await;
    assert!(leased.iter().all(|leased| leased.len() <= 2), "{leased:?}");
    let rest = lease(&*store, "a=2").await;
    let mut leased: Vec<_> = leased.into_iter().flatten().chain(rest).map(|leased| leased.account).collect();
    leased.sort();
    leased.dedup();
    assert_eq!(leased.len(), 8);
}

pub async fn its_code_ends_a_digest_until_the_account_is_deleted<S: Accounts + Digests + Outbox + Audit>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await;
    let end = async |code: &str| store.end_digest(code).await.expect("a store that answers");
    set(&*store, &owner, DigestRhythm::Immediate, "a=1").await;
    let [leased] = &*lease(&*store, "a=2").await else { panic!("one is due") };
    store.add_mail(&mail(&owner), NOW).await.expect("a store that answers");
    assert!(!end("another").await);
    for _ in 0..2 {
        assert!(end(&leased.code).await, "safe to call twice");
    }
    assert_eq!(store.digest_rhythm(owner.id).await.expect("a store that answers"), DigestRhythm::Off);
    assert_eq!(mails(&*store).await, 0, "what was not sent is dropped");
    let late = store.move_digest(leased, "a=2", NOW, Some(&mail(&owner)), NOW).await.expect("a store that answers");
    assert!(!late && mails(&*store).await == 0, "it was leased before");
    let filter = AuditFilter { action: Some("account.set_digest"), ..AuditFilter::default() };
    let lines = store.lines(&filter, 9).await.expect("a store that answers");
    let changes: Vec<_> = lines.iter().map(|line| (line.before.as_deref(), line.after.as_deref())).collect();
    assert_eq!(changes, [(Some("off"), Some("immediate")), (Some("immediate"), Some("off"))]);
    set(&*store, &owner, DigestRhythm::Daily, "a=5").await;
    set(&*store, &owner, DigestRhythm::Immediate, "a=6").await;
    let [again] = &*lease(&*store, "a=7").await else { panic!("one is due") };
    assert_eq!((&*again.cursor, &again.code), ("a=5", &leased.code));
    assert!(store.has_digest_code(&leased.code).await.expect("a store that answers"));
    assert!(store.delete(owner.id).await.expect("a store that answers"));
    assert!(!end(&leased.code).await && !store.has_digest_code(&leased.code).await.expect("a store that answers"));
}
