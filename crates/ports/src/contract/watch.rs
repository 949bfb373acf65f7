//! What [`WatchLists`] promises.

use std::sync::Arc;

use kuraka_domain::{Ruc, RucKind};

use super::samples::{LATER, NOW, PERIOD, account, watch_limits};
use super::together;
use crate::{
    AccountId, Accounts, Period, StoreErrorKind, TokenKind, UnpaidRucsError, WatchCode, WatchLimits, WatchListChange,
    WatchListId, WatchLists, WatchedRuc,
};

const MAX_WATCHED: u64 = 5_000;

fn ruc(number: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, number).expect("a RUC")
}

pub(super) fn plain(number: u32) -> WatchedRuc {
    WatchedRuc { ruc: ruc(number), code: None }
}

fn coded(number: u32, code: &str) -> WatchedRuc {
    WatchedRuc { code: WatchCode::parse(code).expect("a code"), ..plain(number) }
}

async fn list<S: Accounts>(store: &S, number: u32) -> WatchListId {
    WatchListId::live(account(store, number).await.id)
}

pub(super) async fn change<S: WatchLists>(
    store: &S,
    owner: WatchListId,
    add: &[WatchedRuc],
    remove: &[u32],
) -> WatchListChange {
    let remove: Vec<_> = remove.iter().map(|number| ruc(*number)).collect();
    let changed = store.change(owner, add, &remove, watch_limits(MAX_WATCHED)).await;
    changed.expect("a store that answers").expect("free additions")
}

/// Total, added, removed.
const fn counts(change: WatchListChange) -> [u64; 3] {
    [change.total, change.added, change.removed]
}

pub(super) async fn all<S: WatchLists>(store: &S, owner: WatchListId) -> Vec<WatchedRuc> {
    let (page, total) = store.watched(owner, None, 1_000).await.expect("a store that answers");
    assert_eq!(total, page.len() as u64);
    page.into_iter().map(|entry| entry.watched).collect()
}

/// By RUC, a person's too.
pub async fn watched_rucs_come_in_order_with_their_codes<S: Accounts + WatchLists>(store: Arc<S>) {
    let (owner, other) = (list(&*store, 1).await, list(&*store, 2).await);
    let person = WatchedRuc { ruc: Ruc::from_parts(RucKind::NaturalPerson, 99_999_901).expect("a RUC"), code: None };
    let done = change(&*store, owner, &[coded(3, "P-0042"), plain(1), person.clone(), coded(2, "ñandú '")], &[]).await;
    assert_eq!(counts(done), [4, 4, 0]);
    change(&*store, other, &[coded(1, "X")], &[]).await;
    assert_eq!(all(&*store, owner).await, [person, plain(1), coded(2, "ñandú '"), coded(3, "P-0042")]);
}

/// A code stays unless another one is given.
pub async fn adding_twice_and_removing_what_is_not_there_change_nothing<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    change(&*store, owner, &[coded(1, "A"), plain(2)], &[]).await;
    let again = change(&*store, owner, &[plain(1), plain(2), plain(2)], &[7]).await;
    assert_eq!(counts(again), [2, 0, 0]);
    assert_eq!(all(&*store, owner).await, [coded(1, "A"), plain(2)]);
    change(&*store, owner, &[coded(1, "B"), coded(2, "C")], &[]).await;
    assert_eq!(all(&*store, owner).await, [coded(1, "B"), coded(2, "C")]);
    assert_eq!(counts(change(&*store, owner, &[], &[]).await), [2, 0, 0]);
    let done = change(&*store, owner, &[coded(1, "D"), plain(3), plain(4)], &[1, 3, 3]).await;
    assert_eq!(counts(done), [2, 1, 1], "what is added and removed is removed");
    assert_eq!(all(&*store, owner).await, [coded(2, "C"), plain(4)]);
    let unknown = WatchListId::live(AccountId(owner.account.0 + 1_000));
    let refused = store.change(unknown, &[plain(1)], &[], watch_limits(9)).await.expect_err("no such account");
    assert_eq!((refused.kind, all(&*store, unknown).await), (StoreErrorKind::Missing, vec![]));
}

pub async fn a_list_beyond_the_limit_is_not_changed_at_all<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    change(&*store, owner, &[coded(1, "A")], &[]).await;
    let refused = store
        .change(owner, &[coded(1, "B"), plain(2), plain(3)], &[], watch_limits(2))
        .await
        .expect_err("three are too many");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
    assert_eq!(all(&*store, owner).await, [coded(1, "A")]);
    let swapped = store.change(owner, &[plain(2), plain(3)], &[ruc(1)], watch_limits(2)).await;
    let swapped = swapped.expect("two are not too many");
    assert_eq!(swapped.map(counts), Ok([2, 2, 1]));
    // As after a move to a smaller plan, it can only shrink.
    change(&*store, owner, &[plain(4)], &[]).await;
    let smaller = store.change(owner, &[], &[ruc(4)], watch_limits(1)).await.expect("a list that shrinks");
    assert_eq!(smaller.map(counts), Ok([2, 0, 1]));
    assert!(store.change(owner, &[coded(2, "A")], &[], watch_limits(1)).await.is_ok());
    let refused = store.change(owner, &[plain(4)], &[], watch_limits(1)).await.expect_err("a list that grows");
    assert_eq!(refused.kind, StoreErrorKind::LimitReached);
}

/// All or none. A RUC on the list counts for nothing; one removed and added again counts twice.
pub async fn what_is_added_beyond_the_free_rucs_of_a_month_must_be_paid<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    let free = WatchLimits { free: 3, ..watch_limits(MAX_WATCHED) };
    let change = async |add: &[u32], remove: &[u32], limits| {
        let add: Vec<_> = add.iter().map(|number| plain(*number)).collect();
        let remove: Vec<_> = remove.iter().map(|number| ruc(*number)).collect();
        let changed = store.change(owner, &add, &remove, limits).await.expect("a store that answers");
        changed.map(|change| (change.total, change.free_left)).map_err(|UnpaidRucsError { queries }| queries)
    };
    assert_eq!(change(&[1, 2], &[], free).await, Ok((2, 1)));
    assert_eq!(change(&[2, 3, 4, 5], &[1], free).await, Err(2));
    assert_eq!(all(&*store, owner).await, [plain(1), plain(2)]);
    assert_eq!(change(&[2, 3, 4, 5], &[1], WatchLimits { paid: 1, ..free }).await, Err(2));
    assert_eq!(change(&[2, 3, 4, 5], &[1], WatchLimits { paid: 2, ..free }).await, Ok((4, 0)));
    assert_eq!(change(&[2], &[3], free).await, Ok((3, 0)));
    assert_eq!(change(&[3], &[], free).await, Err(1));
    let december = WatchLimits { month: Period { month: 12, ..PERIOD }, ..free };
    assert_eq!(change(&[1, 3, 7, 8], &[], december).await, Err(1));
    assert_eq!(change(&[1, 3, 7], &[], december).await, Ok((6, 0)));
    assert_eq!(change(&[8], &[], december).await, Err(1));
}

pub async fn a_ruc_keeps_the_time_of_its_addition<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    let add = async |number, now| {
        let limits = WatchLimits { now, ..watch_limits(MAX_WATCHED) };
        let added = store.change(owner, &[coded(number, "A")], &[], limits).await.expect("a store that answers");
        added.expect("free additions");
    };
    let times = async || {
        let (page, _) = store.watched(owner, None, 9).await.expect("a store that answers");
        page.into_iter().map(|entry| entry.added).collect::<Vec<_>>()
    };
    add(1, NOW).await;
    add(2, LATER).await;
    add(1, LATER).await;
    assert_eq!(times().await, [NOW, LATER]);
    change(&*store, owner, &[], &[1]).await;
    add(1, LATER).await;
    assert_eq!(times().await, [LATER; 2]);
}

pub async fn concurrent_additions_keep_the_limit<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    let added = together(&store, 0..16, |store, number| async move {
        store.change(owner, &[plain(number)], &[], watch_limits(10)).await.is_ok()
    });
    let added = added.await.into_iter().filter(|added| *added).count();
    assert_eq!((added, all(&*store, owner).await.len()), (10, 10));
}

/// No RUC of it must be paid, and none counts among the free ones.
pub async fn the_list_of_test_tokens_is_apart<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
    let test = WatchListId { kind: TokenKind::Test, ..owner };
    let free = WatchLimits { free: 2, ..watch_limits(MAX_WATCHED) };
    let added =
        store.change(test, &[coded(1, "A"), plain(2), plain(3)], &[], free).await.expect("a store that answers");
    assert_eq!(added.map(counts), Ok([3, 3, 0]));
    let added = store.change(owner, &[coded(1, "B"), plain(4)], &[], free).await.expect("a store that answers");
    assert_eq!(added.map(counts), Ok([2, 2, 0]));
    change(&*store, test, &[], &[2, 4]).await;
    assert_eq!(all(&*store, owner).await, [coded(1, "B"), plain(4)]);
    assert_eq!(all(&*store, test).await, [coded(1, "A"), plain(3)]);
    assert_eq!(store.watched_set(test).await.expect("a store that answers").rucs(), [ruc(1), ruc(3)]);
}

pub async fn a_list_of_thousands_is_read_in_pages_and_whole<S: Accounts + WatchLists>(store: Arc<S>) {
    let owner = list(&*store, 1).await;
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
        after = Some(last.watched.ruc);
        found.extend(page.into_iter().map(|entry| entry.watched));
    }
    assert_eq!(found, numbers.iter().map(|number| coded(*number, &format!("P-{number}"))).collect::<Vec<_>>());
    let set = store.watched_set(owner).await.expect("a store that answers");
    assert_eq!(set, found.into_iter().collect());
    let done = change(&*store, owner, &[], numbers.get(..1_000).unwrap_or_default()).await;
    assert_eq!(counts(done), [2_000, 0, 1_000]);
}
