//! What [`WatchLists`] promises.

use std::sync::Arc;

use kuraka_domain::{Ruc, RucKind};
use tokio::task::JoinSet;

use super::samples::account;
use crate::{AccountId, Accounts, StoreErrorKind, WatchCode, WatchListChange, WatchLists, WatchedRuc};

const MAX_WATCHED: u64 = 5_000;

fn ruc(number: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, number).expect("a RUC")
}

fn plain(number: u32) -> WatchedRuc {
    WatchedRuc { ruc: ruc(number), code: None }
}

fn coded(number: u32, code: &str) -> WatchedRuc {
    WatchedRuc { code: WatchCode::parse(code).expect("a code"), ..plain(number) }
}

async fn change<S: WatchLists>(store: &S, owner: AccountId, add: &[WatchedRuc], remove: &[u32]) -> WatchListChange {
    let remove: Vec<_> = remove.iter().map(|number| ruc(*number)).collect();
    store.change(owner, add, &remove, MAX_WATCHED).await.expect("a store that answers")
}

async fn all<S: WatchLists>(store: &S, owner: AccountId) -> Vec<WatchedRuc> {
    let (page, total) = store.watched(owner, None, 1_000).await.expect("a store that answers");
    assert_eq!(total, page.len() as u64);
    page
}

/// By RUC; a person's RUC is watched like a company's.
pub async fn watched_rucs_come_in_order_with_their_codes<S: Accounts + WatchLists>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let person = WatchedRuc { ruc: Ruc::from_parts(RucKind::NaturalPerson, 99_999_901).expect("a RUC"), code: None };
    let done = change(&*store, owner, &[coded(3, "P-0042"), plain(1), person.clone(), coded(2, "ñandú '")], &[]).await;
    assert_eq!(done, WatchListChange { total: 4, added: 4, removed: 0 });
    change(&*store, other, &[coded(1, "X")], &[]).await;
    assert_eq!(all(&*store, owner).await, [person, plain(1), coded(2, "ñandú '"), coded(3, "P-0042")]);
}

/// A code stays unless another one is given.
pub async fn adding_twice_and_removing_what_is_not_there_change_nothing<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    change(&*store, owner, &[coded(1, "A"), plain(2)], &[]).await;
    let again = change(&*store, owner, &[plain(1), plain(2), plain(2)], &[7]).await;
    assert_eq!(again, WatchListChange { total: 2, added: 0, removed: 0 });
    assert_eq!(all(&*store, owner).await, [coded(1, "A"), plain(2)]);
    change(&*store, owner, &[coded(1, "B"), coded(2, "C")], &[]).await;
    assert_eq!(all(&*store, owner).await, [coded(1, "B"), coded(2, "C")]);
    assert_eq!(change(&*store, owner, &[], &[]).await, WatchListChange { total: 2, added: 0, removed: 0 });
}

/// Whether it was on the list before or not.
pub async fn what_is_added_and_removed_is_removed<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    change(&*store, owner, &[plain(1), plain(2)], &[]).await;
    let done = change(&*store, owner, &[plain(1), plain(3), plain(4)], &[1, 3, 3]).await;
    assert_eq!(done, WatchListChange { total: 2, added: 1, removed: 1 });
    assert_eq!(all(&*store, owner).await, [plain(2), plain(4)]);
}

/// All or nothing.
pub async fn a_list_beyond_the_limit_is_not_changed_at_all<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    change(&*store, owner, &[coded(1, "A")], &[]).await;
    let refused =
        store.change(owner, &[coded(1, "B"), plain(2), plain(3)], &[], 2).await.expect_err("three are too many");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
    assert_eq!(all(&*store, owner).await, [coded(1, "A")]);
    // One leaves for one that comes.
    let swapped = store.change(owner, &[plain(2), plain(3)], &[ruc(1)], 2).await.expect("two are not too many");
    assert_eq!(swapped, WatchListChange { total: 2, added: 2, removed: 1 });
}

/// As after a move to a smaller plan.
pub async fn a_list_beyond_a_lower_limit_can_only_shrink<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    change(&*store, owner, &[plain(1), plain(2), plain(3)], &[]).await;
    let smaller = store.change(owner, &[], &[ruc(1)], 1).await.expect("a list that shrinks");
    assert_eq!(smaller, WatchListChange { total: 2, added: 0, removed: 1 });
    assert!(store.change(owner, &[coded(2, "A")], &[], 1).await.is_ok());
    let refused = store.change(owner, &[plain(4)], &[], 1).await.expect_err("a list that grows");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
}

/// Together they add no more than the limit.
pub async fn concurrent_additions_keep_the_limit<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut adders = JoinSet::new();
    for number in 0..16 {
        let store = Arc::clone(&store);
        adders.spawn(async move { store.change(owner, &[plain(number)], &[], 10).await.is_ok() });
    }
    let added = adders.join_all().await.into_iter().filter(|added| *added).count();
    assert_eq!((added, all(&*store, owner).await.len()), (10, 10));
}

/// A change is `Missing`; there is nothing to read.
pub async fn an_unknown_account_watches_nothing<S: Accounts + WatchLists>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1_000);
    let refused = store.change(unknown, &[plain(1)], &[], MAX_WATCHED).await.expect_err("no such account");
    assert_eq!(refused.kind, StoreErrorKind::Missing);
    assert_eq!(all(&*store, unknown).await, []);
}

/// Deleting the account deletes it.
pub async fn a_deleted_accounts_list_is_gone<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    change(&*store, owner, &[plain(1)], &[]).await;
    assert!(store.delete(owner).await.expect("a store that answers"));
    assert_eq!(all(&*store, owner).await, []);
    assert_eq!(store.watched_set(owner).await.expect("a store that answers").rucs(), []);
}

/// A thousand are added at once.
pub async fn a_list_of_thousands_is_read_in_pages_and_whole<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let numbers: Vec<u32> = (0..3_000).collect();
    for part in numbers.chunks(1_000) {
        let add: Vec<_> = part.iter().map(|number| coded(*number, &format!("P-{number}"))).collect();
        change(&*store, owner, &add, &[]).await;
    }
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let (page, total) = store.watched(owner, after, 700).await.expect("a store that answers");
        assert_eq!(total, 3_000);
        let Some(last) = page.last() else { break };
        after = Some(last.ruc);
        found.extend(page);
    }
    assert_eq!(found, numbers.iter().map(|number| coded(*number, &format!("P-{number}"))).collect::<Vec<_>>());
    let set = store.watched_set(owner).await.expect("a store that answers");
    assert_eq!(set, found.into_iter().collect());
    let done = change(&*store, owner, &[], numbers.get(..1_000).unwrap_or_default()).await;
    assert_eq!(done, WatchListChange { total: 2_000, added: 0, removed: 1_000 });
}
