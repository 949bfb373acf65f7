//! What [`Accounts`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{LATER, NOW, account, email, plan};
use crate::{Account, AccountId, AccountStatus, Accounts, PlanName, StoreErrorKind};

/// Makes each promise of [`Accounts`] a test; takes the type and an expression that gives
/// `(Arc<impl Accounts>, guard)`.
#[macro_export]
macro_rules! accounts_contract {
    ($subject:ty, $fresh:expr) => {
        $crate::contract_tests!(
            accounts,
            $subject,
            $fresh,
            [
                a_new_account_is_found_as_it_was_made,
                an_unknown_address_is_absent_not_an_error,
                accounts_have_numbers_of_their_own,
                an_address_is_given_once,
                of_many_who_want_an_address_one_gets_it,
                an_account_is_found_by_its_number_too,
                accounts_are_paged_by_number,
                a_password_can_be_replaced,
                a_plan_and_a_status_can_be_changed,
                a_change_of_nobody_is_missing,
                a_deleted_account_is_gone_and_its_number_is_not_given_again,
                a_password_without_an_account_is_missing,
            ]
        );
    };
}

/// What `create` returns is what `find` finds.
pub async fn a_new_account_is_found_as_it_was_made<S: Accounts>(store: Arc<S>) {
    let made = store.create(&email(1), &plan(), NOW).await.expect("an address that is free");
    assert_eq!(made.email, email(1));
    assert_eq!(made.plan, plan());
    assert_eq!(made.status, AccountStatus::Active);
    assert_eq!(made.created, NOW);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), Some(made));
}

/// Nobody there is a value.
pub async fn an_unknown_address_is_absent_not_an_error<S: Accounts>(store: Arc<S>) {
    account(&*store, 1).await;
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), None);
}

/// Two accounts never share a number.
pub async fn accounts_have_numbers_of_their_own<S: Accounts>(store: Arc<S>) {
    assert_ne!(account(&*store, 1).await.id, account(&*store, 2).await.id);
}

/// The second to want an address is refused, and the first keeps it.
pub async fn an_address_is_given_once<S: Accounts>(store: Arc<S>) {
    let first = account(&*store, 1).await;
    let refusal = store.create(&email(1), &plan(), LATER).await.expect_err("a taken address");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), Some(first));
}

/// So it is when all come at once.
pub async fn of_many_who_want_an_address_one_gets_it<S: Accounts>(store: Arc<S>) {
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let store = Arc::clone(&store);
        callers.spawn(async move { store.create(&email(1), &plan(), NOW).await });
    }
    let mut made = 0;
    for outcome in callers.join_all().await {
        match outcome {
            Ok(_) => made += 1,
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Conflict),
        }
    }
    assert_eq!(made, 1);
}

/// Whichever way one asks.
pub async fn an_account_is_found_by_its_number_too<S: Accounts>(store: Arc<S>) {
    let made = account(&*store, 1).await;
    assert_eq!(store.by_id(AccountId(made.id.0 + 1000)).await.expect("a store that answers"), None);
    assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(made));
}

/// Each once, however the pages are cut.
pub async fn accounts_are_paged_by_number<S: Accounts>(store: Arc<S>) {
    let mut made = Vec::new();
    for number in 1..=5 {
        made.push(account(&*store, number).await);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.page(after, 2).await.expect("a store that answers");
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        seen.extend(page);
    }
    assert_eq!(seen, made);
}

/// Setting a password again is setting it; without one there is none.
pub async fn a_password_can_be_replaced<S: Accounts>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    assert_eq!(store.password_hash(id).await.expect("a store that answers"), None);
    for hash in ["$argon2id$one", "$argon2id$two"] {
        store.set_password_hash(id, hash).await.expect("an account that exists");
        assert_eq!(store.password_hash(id).await.expect("a store that answers").as_deref(), Some(hash));
    }
}

/// As an operator does.
pub async fn a_plan_and_a_status_can_be_changed<S: Accounts>(store: Arc<S>) {
    let made = account(&*store, 1).await;
    let gold = PlanName::parse("gold").expect("a good name");
    store.set_plan(made.id, &gold).await.expect("an account that exists");
    store.set_status(made.id, AccountStatus::Suspended).await.expect("an account that exists");
    let changed = Account { plan: gold, status: AccountStatus::Suspended, ..made.clone() };
    assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(changed));
    store.set_status(made.id, AccountStatus::Active).await.expect("an account that exists");
    let status = store.by_id(made.id).await.expect("a store that answers").map(|account| account.status);
    assert_eq!(status, Some(AccountStatus::Active));
}

/// Not quietly nothing.
pub async fn a_change_of_nobody_is_missing<S: Accounts>(store: Arc<S>) {
    let nobody = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusals = [
        store.set_plan(nobody, &plan()).await.expect_err("no such account"),
        store.set_status(nobody, AccountStatus::Active).await.expect_err("no such account"),
    ];
    assert_eq!(refusals.map(|refusal| refusal.kind), [StoreErrorKind::Missing; 2]);
}

/// Whoever comes after is somebody else.
pub async fn a_deleted_account_is_gone_and_its_number_is_not_given_again<S: Accounts>(store: Arc<S>) {
    let (gone, stays) = (account(&*store, 1).await, account(&*store, 2).await);
    store.set_password_hash(gone.id, "$argon2id$one").await.expect("an account that exists");
    assert!(store.delete(gone.id).await.expect("a store that answers"));
    assert!(!store.delete(gone.id).await.expect("a store that answers"));
    assert_eq!(store.by_id(gone.id).await.expect("a store that answers"), None);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), None);
    assert_eq!(store.password_hash(gone.id).await.expect("a store that answers"), None);
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), Some(stays.clone()));
    let next = account(&*store, 1).await;
    assert!(next.id != gone.id && next.id != stays.id);
}

/// A password belongs to somebody.
pub async fn a_password_without_an_account_is_missing<S: Accounts>(store: Arc<S>) {
    let nobody = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = store.set_password_hash(nobody, "$argon2id$one").await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}
