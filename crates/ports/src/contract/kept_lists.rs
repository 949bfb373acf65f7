//! What [`KeptLists`] promises.

use std::iter::repeat_n;
use std::sync::Arc;

use super::samples::{LATER, NOW, PERIOD, account};
use super::together;
use crate::{
    AccountId, AccountStatus, Accounts, BatchOutcome, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus,
    NewBatch, NewList, OldRows, Retention, StoreErrorKind, UsageLedger,
};

const BOUNDS: ListBounds = ListBounds { lists: 3, bytes: 100 };

fn id(number: u8) -> ListId {
    ListId([number; 16])
}

fn new(account: AccountId, number: u8) -> NewList {
    // The lists are added one after the other.
    let now = NOW + jiff::SignedDuration::from_secs(number.into());
    NewList {
        id: id(number),
        account,
        settings: "{\"hoja\":\"ñ\"}".to_owned(),
        source: vec![number; 20],
        copy_of: None,
        now,
    }
}

pub(super) async fn add<S: KeptLists>(store: &S, account: AccountId, number: u8) {
    store.add_list(&new(account, number), BOUNDS).await.expect("an account with room");
}

async fn find<S: KeptLists>(store: &S, account: AccountId, number: u8) -> KeptList {
    store.list(account, id(number)).await.expect("a store that answers").expect("a list that exists")
}

pub(super) async fn numbers<S: KeptLists>(store: &S, account: AccountId) -> Vec<u8> {
    let lists = store.lists(account).await.expect("a store that answers");
    lists.iter().map(|list| list.id.0[0]).collect()
}

async fn change<S: KeptLists>(store: &S, account: AccountId, number: u8, change: ListChange) -> bool {
    store.change_list(account, id(number), &change).await.expect("a store that answers")
}

async fn name<S: KeptLists>(store: &S, account: AccountId, number: u8) {
    let named = ListChange::Name { name: "Setiembre".to_owned(), note: "«sí»".to_owned() };
    assert!(change(store, account, number, named).await);
}

/// The list after its run has begun.
async fn run<S: KeptLists>(store: &S, account: AccountId, number: u8) -> KeptList {
    let after = find(store, account, number).await.ran;
    let run = ListChange::Run { after, settings: "run".to_owned(), items: 4, before: Vec::new(), now: LATER };
    assert!(change(store, account, number, run).await);
    find(store, account, number).await
}

fn batch(list: &KeptList, status: ListStatus) -> NewBatch<'_> {
    let (results, until) = (vec![list.batches as u8; 10], LATER);
    NewBatch { list, results, items: 2, status, queries: 3, period: PERIOD, limit: 7, until }
}

async fn store_batch<S: KeptLists>(store: &S, batch: &NewBatch<'_>) -> BatchOutcome {
    store.add_batch(batch, BOUNDS).await.expect("a store with room")
}

/// With every field, the newest first.
pub async fn a_list_is_found_as_it_was_added<S: Accounts + KeptLists>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    add(&*store, owner, 1).await;
    add(&*store, owner, 2).await;
    add(&*store, other, 3).await;
    assert_eq!(numbers(&*store, owner).await, [2, 1]);
    let NewList { id, account, settings, now, .. } = new(owner, 1);
    let (name, note, status) = (String::new(), String::new(), ListStatus::Read);
    let (created, ran, items, done, batches, charged) = (now, now, 0, 0, 0, 0);
    let expected = KeptList { id, account, name, note, created, ran, status, settings, items, done, batches, charged };
    assert_eq!(find(&*store, owner, 1).await, expected);
    let contents = store.list_contents(owner, id).await.expect("a store that answers");
    assert_eq!(contents, Some((vec![1; 20], Vec::new())));
}

/// As if there were none.
pub async fn a_list_of_another_account_is_absent<S: Accounts + KeptLists>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    add(&*store, owner, 1).await;
    assert_eq!(store.list(other, id(1)).await.expect("a store that answers"), None);
    assert_eq!(store.list_contents(other, id(1)).await.expect("a store that answers"), None);
    for changed in [ListChange::Stop, ListChange::Settings("x".to_owned()), ListChange::Continue] {
        assert!(!change(&*store, other, 1, changed).await);
    }
    assert!(!store.delete_list(other, id(1)).await.expect("a store that answers"));
    let unknown = store.add_list(&new(AccountId(other.0 + 1_000), 2), BOUNDS).await.expect_err("no such account");
    assert_eq!(unknown.kind, StoreErrorKind::Missing);
    assert!(store.delete_list(owner, id(1)).await.expect("a store that answers"));
    assert_eq!(numbers(&*store, owner).await, [0; 0]);
}

/// By number and by size; a list with a name or a running one is never replaced.
pub async fn a_new_list_replaces_the_oldest_without_a_name<S: Accounts + KeptLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    for number in 1..=4 {
        add(&*store, owner, number).await;
    }
    assert_eq!(numbers(&*store, owner).await, [4, 3, 2]);
    name(&*store, owner, 2).await;
    run(&*store, owner, 3).await;
    add(&*store, owner, 5).await;
    assert_eq!(numbers(&*store, owner).await, [5, 3, 2]);
    let large = NewList { source: vec![6; 61], ..new(owner, 6) };
    let refused = store.add_list(&large, BOUNDS).await.expect_err("there is no room");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
    assert_eq!(numbers(&*store, owner).await, [5, 3, 2], "nothing is deleted for a list that does not fit");
    let copy = NewList { copy_of: Some(id(5)), ..new(owner, 7) };
    let refused = store.add_list(&copy, BOUNDS).await.expect_err("its original does not make room");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
    store.add_list(&NewList { source: vec![6; 60], ..large }, BOUNDS).await.expect("there is room");
    assert_eq!(numbers(&*store, owner).await, [6, 3, 2]);
}

/// And the results of the run before are gone.
pub async fn a_run_begins_only_while_none_runs<S: Accounts + KeptLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, 1).await;
    assert!(!change(&*store, owner, 1, ListChange::Stop).await);
    assert!(!change(&*store, owner, 1, ListChange::Continue).await);
    assert!(change(&*store, owner, 1, ListChange::Settings("other".to_owned())).await);
    assert_eq!(find(&*store, owner, 1).await.settings, "other");
    let list = run(&*store, owner, 1).await;
    assert_eq!((list.status, list.items, list.ran, &*list.settings), (ListStatus::Running, 4, LATER, "run"));
    let again =
        ListChange::Run { after: LATER, settings: "again".to_owned(), items: 9, before: vec![7; 5], now: LATER };
    assert!(!change(&*store, owner, 1, again.clone()).await);
    assert!(!change(&*store, owner, 1, ListChange::Settings("x".to_owned())).await);
    assert_eq!(store_batch(&*store, &batch(&list, ListStatus::Done)).await, BatchOutcome::Stored);
    assert!(!change(&*store, owner, 1, ListChange::Continue).await, "nothing is left");
    assert!(!change(&*store, owner, 1, ListChange::Settings("x".to_owned())).await, "its results stay readable");
    let stale = ListChange::Run { after: NOW, settings: "stale".to_owned(), items: 9, before: vec![7; 5], now: LATER };
    assert!(!change(&*store, owner, 1, stale).await, "its owner saw another run");
    assert!(change(&*store, owner, 1, again).await);
    let list = find(&*store, owner, 1).await;
    assert_eq!((list.items, list.done, list.batches, list.charged), (9, 0, 1, 0));
    let contents = store.list_contents(owner, id(1)).await.expect("a store that answers");
    assert_eq!(contents, Some((vec![1; 20], vec![vec![7; 5]])));
}

/// The store charges exactly the price of the results that it has stored, also if a batch is refused.
pub async fn results_and_their_price_are_stored_together<S: Accounts + UsageLedger + KeptLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, 1).await;
    let used = async || store.used(owner, PERIOD).await.expect("a store that answers");
    let first = run(&*store, owner, 1).await;
    let store_it = |store: Arc<S>, list| async move { store_batch(&*store, &batch(&list, ListStatus::Running)).await };
    let outcomes = together(&store, repeat_n(first, 8), store_it).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == BatchOutcome::Stored).count(), 1, "{outcomes:?}");
    assert_eq!(used().await, 3);
    let second = find(&*store, owner, 1).await;
    assert_eq!((second.done, second.charged, second.batches), (2, 3, 1));
    assert_eq!(store_batch(&*store, &batch(&second, ListStatus::Running)).await, BatchOutcome::Stored);
    let third = find(&*store, owner, 1).await;
    assert_eq!(store_batch(&*store, &batch(&third, ListStatus::Done)).await, BatchOutcome::Exhausted);
    assert_eq!((find(&*store, owner, 1).await, used().await), (third.clone(), 6), "all or nothing");
    let free = NewBatch { queries: 0, limit: 0, ..batch(&third, ListStatus::Done) };
    assert_eq!(store_batch(&*store, &free).await, BatchOutcome::Stored);
    let done = find(&*store, owner, 1).await;
    assert_eq!((done.status, done.done, done.charged), (ListStatus::Done, 6, 6));
    assert_eq!(store_batch(&*store, &batch(&done, ListStatus::Running)).await, BatchOutcome::Superseded);
    let contents = store.list_contents(owner, id(1)).await.expect("a store that answers");
    assert_eq!(contents, Some((vec![1; 20], vec![vec![0; 10], vec![1; 10], vec![2; 10]])));
}

/// Nothing of it is stored or charged.
pub async fn a_batch_of_a_run_that_ended_is_refused<S: Accounts + UsageLedger + KeptLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, 1).await;
    let list = run(&*store, owner, 1).await;
    assert!(change(&*store, owner, 1, ListChange::Stop).await);
    assert_eq!(store_batch(&*store, &batch(&list, ListStatus::Running)).await, BatchOutcome::Superseded);
    assert!(!store.set_run(&list, ListStatus::Unanswered, LATER).await.expect("a store that answers"));
    assert!(change(&*store, owner, 1, ListChange::Continue).await);
    assert_eq!(store_batch(&*store, &batch(&list, ListStatus::Running)).await, BatchOutcome::Stored);
    let list = find(&*store, owner, 1).await;
    let full = NewBatch { results: vec![0; 71], ..batch(&list, ListStatus::Running) };
    let refused = store.add_batch(&full, BOUNDS).await.expect_err("there is no room");
    assert_eq!((refused.kind, find(&*store, owner, 1).await), (StoreErrorKind::LimitReached, list.clone()));
    assert!(store.set_run(&list, ListStatus::Full, LATER).await.expect("a store that answers"));
    assert_eq!(find(&*store, owner, 1).await.status, ListStatus::Full);
    assert!(store.delete_list(owner, id(1)).await.expect("a store that answers"));
    assert_eq!(store_batch(&*store, &batch(&list, ListStatus::Running)).await, BatchOutcome::Superseded);
    assert_eq!(store.used(owner, PERIOD).await.expect("a store that answers"), 3);
}

/// Until its lease ends or is given back; not while its owner is suspended.
pub async fn one_of_many_servers_leases_a_running_list<S: Accounts + KeptLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    add(&*store, owner.id, 1).await;
    let lease = async |now| store.lease_list(now, LATER).await.expect("a store that answers");
    assert_eq!(lease(NOW).await, None, "it does not run");
    let list = run(&*store, owner.id, 1).await;
    let lease_it = |store: Arc<S>, _| async move { store.lease_list(NOW, LATER).await.expect("a store that answers") };
    let leased: Vec<_> = together(&store, 0..8, lease_it).await.into_iter().flatten().collect();
    assert_eq!(leased, [(list.clone(), owner.clone())]);
    assert_eq!(lease(LATER).await, Some((list.clone(), owner.clone())));
    assert!(store.set_run(&list, ListStatus::Running, NOW).await.expect("a store that answers"));
    store.set_status(owner.id, AccountStatus::Suspended).await.expect("a store that answers");
    assert_eq!(lease(NOW).await, None);
    store.set_status(owner.id, AccountStatus::Active).await.expect("a store that answers");
    assert_eq!(lease(NOW).await, Some((list, owner)));
}

/// Those without a name earlier.
pub async fn old_lists_are_swept<S: Accounts + Retention + KeptLists>(store: Arc<S>) {
    let sweep = async |nameless, named| {
        store.delete_old(OldRows::Lists, nameless).await.expect("a store that answers");
        store.delete_old(OldRows::NamedLists, named).await.expect("a store that answers");
    };
    let owner = account(&*store, 1).await.id;
    for number in 1..=3 {
        add(&*store, owner, number).await;
    }
    name(&*store, owner, 1).await;
    run(&*store, owner, 3).await;
    let list = find(&*store, owner, 1).await;
    assert_eq!((&*list.name, &*list.note), ("Setiembre", "«sí»"));
    let after = |number| new(owner, number).now + jiff::SignedDuration::from_micros(1);
    sweep(new(owner, 2).now, NOW).await;
    assert_eq!(numbers(&*store, owner).await, [3, 2, 1]);
    sweep(after(2), new(owner, 1).now).await;
    assert_eq!(numbers(&*store, owner).await, [3, 1]);
    sweep(LATER + jiff::SignedDuration::from_secs(1), after(1)).await;
    assert_eq!(numbers(&*store, owner).await, [3], "it runs");
    store.set_status(owner, AccountStatus::Suspended).await.expect("a store that answers");
    sweep(LATER, LATER).await;
    assert_eq!(numbers(&*store, owner).await, [3]);
    sweep(LATER + jiff::SignedDuration::from_secs(1), LATER).await;
    assert_eq!(numbers(&*store, owner).await, [0; 0], "its owner is suspended");
}
