//! The contract suites on SQLite, durability, and what of an account's data there is.

use std::collections::BTreeSet;

use kuraka_adapters::store::{SqliteStore, Store};
use kuraka_domain::Ruc;
use kuraka_ports::contract::membership::Meeting;
use kuraka_ports::contract::samples::{LATER, PERIOD, account, digest, latest, token, watch_limits};
use kuraka_ports::{Accounts, NewToken, Tokens, UsageLedger, WatchCode, WatchListId, WatchLists, WatchedRuc};
use tempfile::TempDir;

use super::{open, sqlite, stranger};

/// A fresh store, which only one server uses.
async fn meeting() -> (Meeting<SqliteStore>, TempDir) {
    let (store, folder) = sqlite().await;
    (Meeting { store, most_servers: 1 }, folder)
}

kuraka_ports::contract!(store, SqliteStore, sqlite().await);

mod membership {
    kuraka_ports::contract!(membership, super::SqliteStore, super::meeting().await);
}

#[tokio::test]
async fn stored_data_survives_a_restart() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    let live = Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    let revoked = Tokens::create(&*store, &token(owner.id, 2)).await.unwrap();
    store.revoke(None, revoked.id, LATER).await.unwrap();
    store.lease(owner.id, PERIOD, 100, 40).await.unwrap();
    store.settle(owner.id, PERIOD, 3).await.unwrap();
    let (revision, key) = (latest(&*store).await, store.token_key().await.unwrap());
    store.close().await;

    let store = open(&folder).await;
    assert_eq!(Accounts::find(&*store, &owner.email).await.unwrap(), Some(owner.clone()));
    assert_eq!(Tokens::find(&*store, &digest(1)).await.unwrap().unwrap().token, live.id);
    assert_eq!(Tokens::find(&*store, &digest(2)).await.unwrap(), None);
    assert_eq!(store.used(owner.id, PERIOD).await.unwrap(), 37);
    assert_eq!(latest(&*store).await, revision);
    assert_eq!(store.token_key().await.unwrap(), key);
}

#[tokio::test]
async fn a_deleted_account_leaves_only_its_audit_lines_in_the_files() {
    let (store, folder) = sqlite().await;
    let (owner, other) = (account(&*store, 1).await, account(&*store, 2).await);
    for owner in [&owner, &other] {
        let new = NewToken { name: format!("token of {}", owner.email.as_str()), ..token(owner.id, owner.id.0 as u8) };
        Tokens::create(&*store, &new).await.unwrap();
        let (ruc, code) = (Ruc::parse("20100119227").unwrap(), WatchCode::parse(&format!("P-{}", owner.id.0)).unwrap());
        store
            .change(WatchListId::live(owner.id), &[WatchedRuc { ruc, code }], &[], watch_limits(1))
            .await
            .unwrap()
            .unwrap();
    }
    let found = || {
        let files = ["kuraka.db", "kuraka.db-wal"].map(|file| std::fs::read(folder.path().join(file)).unwrap());
        let bytes = files.concat();
        let has = |text: String| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        [&owner, &other].map(|owner| {
            let email = owner.email.as_str();
            [has(email.to_owned()), has(format!("token of {email}")), has(format!("P-{}", owner.id.0))]
        })
    };
    assert_eq!(found(), [[true; 3]; 2]);
    store.delete(owner.id).await.unwrap();
    // Lines of the audit log outlive their account, with its address.
    assert_eq!(found(), [[true, false, false], [true; 3]]);
}

/// A table that the program does not name would be in no account's data, and in no copy of a store.
#[tokio::test]
async fn every_table_is_known() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    // `change` has the latest changes for caches.
    let owned: Vec<String> = sqlx::query_scalar(
        "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'account'
         WHERE m.type = 'table' AND m.name <> 'change' ORDER BY 1",
    )
    .fetch_all(&mut stranger(&folder).await)
    .await
    .unwrap();
    let owned: BTreeSet<&str> = owned.iter().map(String::as_str).chain(["account"]).collect();
    let data = store.stored_data(owner).await.unwrap();
    assert_eq!(data.iter().map(|(table, _)| *table).collect::<BTreeSet<_>>(), owned);
}

#[tokio::test]
async fn two_stores_have_different_token_keys() {
    let (one, _folder) = sqlite().await;
    let (other, _other_folder) = sqlite().await;
    assert_ne!(one.token_key().await.unwrap(), other.token_key().await.unwrap());
}

#[tokio::test]
async fn a_closed_store_is_one_complete_file() {
    let (store, folder) = sqlite().await;
    account(&*store, 1).await;
    store.close().await;
    assert!(!folder.path().join("kuraka.db-wal").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let (store, folder) = sqlite().await;
    account(&*store, 1).await;
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
        seen += 1;
    }
    assert!(seen >= 4, "the file, its log, the log's index and the lock, not {seen}");
}
