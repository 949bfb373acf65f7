//! What [`Outbox`] promises.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::samples::{LATER, NOW, PERIOD, account, email, plan};
use super::together;
use crate::{
    AccountStatus, Accounts, LeasedMail, MailKind, NewMail, OldRows, Outbox, PlanName, ReachedQuota, Retention,
    StoreErrorKind, UsageLedger,
};

fn mail(about: &str) -> NewMail {
    let about = about.to_owned();
    NewMail { kind: MailKind::DatasetTooOld, account: None, to: email(1), about, key: None }
}

fn after(seconds: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(seconds)
}

async fn add<S: Outbox>(store: &S, new: &NewMail, now: Timestamp) {
    store.add_mail(new, now).await.expect("a store that answers");
}

async fn lease<S: Outbox>(store: &S, now: Timestamp, until: Timestamp) -> Option<LeasedMail> {
    store.lease_mail(now, until).await.expect("a store that answers")
}

async fn settle<S: Outbox>(store: &S, mail: &LeasedMail, again: Option<Timestamp>) {
    store.settle_mail(mail, again).await.expect("a store that answers");
}

/// The texts of the mails that are due, in order.
async fn due<S: Outbox>(store: &S, now: Timestamp) -> Vec<String> {
    let mut found = Vec::new();
    while let Some(mail) = lease(store, now, now + SignedDuration::from_secs(1)).await {
        found.push(mail.about);
    }
    found
}

pub async fn a_mail_is_leased_as_it_was_added<S: Accounts + Outbox>(store: Arc<S>) {
    let owner = account(&*store, 2).await.id;
    for kind in MailKind::ALL {
        add(&*store, &NewMail { kind, account: Some(owner), ..mail("«ñ»\n1") }, NOW).await;
        let leased = lease(&*store, NOW, LATER).await.expect("a mail that is due");
        let (id, about) = (leased.id, "«ñ»\n1".to_owned());
        assert_eq!(leased, LeasedMail { id, kind, to: email(1), about, created: NOW, attempts: 1 });
    }
}

pub async fn the_mail_that_was_due_first_comes_first<S: Accounts + Outbox>(store: Arc<S>) {
    for (about, seconds) in [("2", 2), ("1", 1), ("3", 3)] {
        add(&*store, &mail(about), after(seconds)).await;
    }
    add(&*store, &NewMail { kind: MailKind::Changes, ..mail("0") }, after(1)).await;
    assert_eq!(due(&*store, after(0)).await, [""; 0]);
    assert_eq!(due(&*store, after(2)).await, ["1", "2", "0"], "changes are the last");
    let mut repeated = due(&*store, after(3)).await;
    repeated.sort();
    assert_eq!(repeated, ["0", "1", "2", "3"], "an attempt that has no end is repeated");
}

pub async fn one_of_many_servers_leases_a_mail<S: Accounts + Outbox>(store: Arc<S>) {
    for number in 0..8 {
        add(&*store, &mail(&number.to_string()), NOW).await;
    }
    let lease = |store: Arc<S>, _| async move { lease(&*store, NOW, LATER).await.map(|mail| mail.about) };
    let leased = together(&store, 0..24, lease).await.into_iter().flatten();
    let mut leased: Vec<_> = leased.chain(due(&*store, NOW).await).collect();
    leased.sort();
    assert_eq!(leased, ["0", "1", "2", "3", "4", "5", "6", "7"]);
}

pub async fn a_mail_is_attempted_until_it_is_settled<S: Accounts + Outbox>(store: Arc<S>) {
    add(&*store, &mail("1"), NOW).await;
    let first = lease(&*store, NOW, after(1)).await.expect("a mail that is due");
    settle(&*store, &first, Some(after(60))).await;
    assert_eq!(lease(&*store, after(59), after(90)).await, None);
    let second = lease(&*store, after(60), after(90)).await.expect("a mail that is due");
    assert_eq!(second, LeasedMail { attempts: 2, ..first });
    settle(&*store, &second, None).await;
    assert_eq!(lease(&*store, after(10_000), after(20_000)).await, None);
}

pub async fn mails_are_counted_until_they_are_settled<S: Outbox>(store: Arc<S>) {
    let count = async || store.count_mails().await.expect("a store that answers");
    let key = Some("once".to_owned());
    add(&*store, &NewMail { key, ..mail("one") }, NOW).await;
    add(&*store, &mail("two"), NOW).await;
    assert_eq!(count().await, [2, 0]);
    let leased = lease(&*store, NOW, after(9)).await.expect("a mail");
    assert_eq!(count().await, [2, 1]);
    settle(&*store, &leased, None).await;
    assert_eq!(count().await, [1, 0]);
}

/// Of a server that was away for longer than its lease.
pub async fn an_attempt_that_is_too_late_settles_nothing<S: Accounts + Outbox>(store: Arc<S>) {
    add(&*store, &mail("1"), NOW).await;
    let first = lease(&*store, NOW, after(1)).await.expect("a mail that is due");
    let second = lease(&*store, after(1), after(2)).await.expect("a mail that is due");
    settle(&*store, &first, None).await;
    settle(&*store, &first, Some(after(900))).await;
    assert!(lease(&*store, after(2), after(3)).await.is_some(), "{second:?}");
}

pub async fn a_key_is_used_once_even_after_its_mail<S: Accounts + Retention + Outbox>(store: Arc<S>) {
    let keyed = |about| NewMail { key: Some("padron 2026-11-20".to_owned()), ..mail(about) };
    add(&*store, &keyed("1"), NOW).await;
    add(&*store, &keyed("2"), NOW).await;
    let leased = lease(&*store, NOW, LATER).await.expect("a mail that is due");
    assert_eq!((&*leased.about, due(&*store, NOW).await.len()), ("1", 0));
    settle(&*store, &leased, None).await;
    add(&*store, &keyed("3"), NOW).await;
    assert_eq!(due(&*store, LATER).await, [""; 0]);
    store.delete_old(OldRows::Mails, NOW).await.expect("a store that answers");
    add(&*store, &keyed("4"), NOW).await;
    assert_eq!(due(&*store, LATER).await, [""; 0], "it is not that old");
    store.delete_old(OldRows::Mails, LATER).await.expect("a store that answers");
    add(&*store, &keyed("5"), NOW).await;
    assert_eq!(due(&*store, LATER).await, ["5"]);
}

async fn tell<S: Outbox>(store: &S, limit: u64) {
    let plans = [(PlanName::parse("another").expect("a plan's name"), 1), (plan(), limit)];
    for reached in store.reached_quotas(&plans, PERIOD).await.expect("a store that answers") {
        let ReachedQuota { account, email, queries, used } = reached;
        let percent = if used >= queries { 100 } else { 80 };
        let about = format!("{percent}\n{queries}\n{PERIOD}");
        let mail = NewMail { kind: MailKind::Quota, account: Some(account), to: email, about, key: None };
        // Also by a server that read it before.
        for percent in [percent, percent, 80] {
            let added = store.add_quota_mail(&mail, account, PERIOD, (percent, queries), NOW).await;
            added.expect("a store that answers");
        }
    }
}

pub async fn a_quota_is_told_at_80_and_100_percent_once<S: Accounts + Retention + Outbox + UsageLedger>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    let suspended = account(&*store, 2).await.id;
    store.set_status(suspended, AccountStatus::Suspended).await.expect("an account that exists");
    store.lease(suspended, PERIOD, 10, 10).await.expect("a store that answers");
    let told = async |more, limit| {
        store.lease(owner.id, PERIOD, 10, more).await.expect("a store that answers");
        for _ in 0..2 {
            tell(&*store, limit).await;
        }
        let mut told = Vec::new();
        while let Some(mail) = lease(&*store, NOW, LATER).await {
            assert_eq!((mail.kind, &mail.to), (MailKind::Quota, &owner.email));
            settle(&*store, &mail, None).await;
            told.push(mail.about);
        }
        told
    };
    assert_eq!(told(7, 10).await, [""; 0]);
    assert_eq!(told(1, 10).await, [format!("80\n10\n{PERIOD}")]);
    assert_eq!(told(1, 10).await, [""; 0]);
    assert_eq!(told(1, 10).await, [format!("100\n10\n{PERIOD}")]);
    assert_eq!(told(0, 10).await, [""; 0]);
    // Of a larger plan.
    assert_eq!(told(0, 12).await, [format!("80\n12\n{PERIOD}")]);
    assert_eq!(told(0, 12).await, [""; 0]);
    let other = PlanName::parse("other").expect("a plan's name");
    store.set_plan(owner.id, &other).await.expect("an account that exists");
    store.delete_old(OldRows::Mails, LATER).await.expect("a store that answers");
    assert_eq!(told(0, 10).await, [""; 0], "the plan of others");
}

/// Without what they are about: of a sign-up it is a password hash.
pub async fn an_accounts_data_has_its_mails_until_it_is_deleted<S: Accounts + Outbox>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    let of = |account, to| NewMail { account, to, ..mail("a hash") };
    add(&*store, &of(Some(owner.id), email(2)), NOW).await;
    add(&*store, &of(None, owner.email.clone()), NOW).await;
    add(&*store, &of(None, email(3)), NOW).await;
    let data = store.stored_data(owner.id).await.expect("a store that answers");
    let mails: Vec<_> = data.into_iter().filter(|(table, _)| *table == "mail").flat_map(|(_, rows)| rows).collect();
    assert!(mails.len() == 2 && !format!("{mails:?}").contains("a hash"), "{mails:?}");
    // The mails to its address that name no account go with it, too.
    assert!(store.delete(owner.id).await.expect("a store that answers"));
    assert_eq!(due(&*store, NOW).await, ["a hash"]);
    let refused = store.add_mail(&of(Some(owner.id), email(1)), NOW).await;
    assert_eq!(refused.map_err(|error| error.kind), Err(StoreErrorKind::Missing));
}
