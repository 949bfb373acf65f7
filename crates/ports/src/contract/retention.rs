//! What [`Retention`] promises of all rows. What is old is in the suite of each port.

use std::sync::Arc;

use super::samples::{HASH, LATER, NOW, account};
use crate::{Accounts, OldRows, Retention, SecretDigest, Sessions};

/// Stores delete in parts.
pub async fn thousands_of_old_rows_are_deleted<S: Accounts + Sessions + Retention>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    let digest = |number: u16| {
        let [high, low] = number.to_be_bytes();
        SecretDigest(std::array::from_fn(|at| if at == 0 { high } else { low }))
    };
    for number in 0..2_100 {
        store.begin(&digest(number), owner, HASH, NOW, None).await.expect("an active account with this password");
    }
    store.delete_old(OldRows::Sessions, LATER).await.expect("a store that answers");
    for number in 0..2_100 {
        assert_eq!(Sessions::find(&*store, &digest(number)).await.expect("a store that answers"), None);
    }
}
