//! What [`Accounts`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{LATER, NOW, account, email, plan};
use crate::{AccountId, AccountStatus, Accounts, StoreErrorKind};

/// Makes each promise of [`Accounts`] a test; takes an expression that gives `(Arc<impl Accounts>, guard)`.
#[macro_export]
macro_rules! accounts_contract {
    ($fresh:expr) => {
        $crate::contract_tests!(
            accounts,
            $fresh,
            [
                a_new_account_is_found_as_it_was_made,
                an_unknown_address_is_absent_not_an_error,
                accounts_have_numbers_of_their_own,
                an_address_is_given_once,
                of_many_who_want_an_address_one_gets_it,
                a_password_can_be_replaced,
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

/// Setting a password again is setting it.
pub async fn a_password_can_be_replaced<S: Accounts>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    store.set_password_hash(id, "$argon2id$one").await.expect("an account that exists");
    store.set_password_hash(id, "$argon2id$two").await.expect("an account that exists");
}

/// A password belongs to somebody.
pub async fn a_password_without_an_account_is_missing<S: Accounts>(store: Arc<S>) {
    let nobody = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = store.set_password_hash(nobody, "$argon2id$one").await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}
