//! Opens the store and finds accounts, for commands.

use std::sync::Arc;

use kuraka_adapters::store::Store;
use kuraka_ports::{Account, Accounts, Email, Heartbeat, Membership, NewAuditLine, Origin, StoreError};
use kuraka_server::bootstrap;
use kuraka_server::settings::Settings;

use super::owner;
use super::runtime::Failure;
use crate::console;

/// Accounts that are read at a time.
const PAGE: u32 = 1_000;

/// For a command that writes. Reports a created store: the operator may have meant another one.
pub(crate) async fn open_store(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    owner::check_store(&settings.store)?;
    let store = settings.store.open().await?;
    store.keep_lines(settings.audit_kept_days);
    if store.is_new() {
        console::note(&format!("created the new store {}; {}", settings.store_in_words(), settings.file_in_words()));
    }
    Ok(store)
}

/// For a command that changes something, so the store must exist.
pub(crate) async fn existing_store(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    owner::check_store(&settings.store)?;
    if settings.store.is_missing() { Err(no_store(settings)) } else { open_store(settings).await }
}

/// In a new store if there is none.
pub(crate) async fn add_line(settings: &Settings, line: &NewAuditLine) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    store.add_line(line, &Origin::current()).await?;
    store.close().await;
    Ok(())
}

/// For a command that only reads.
pub(crate) async fn read_store(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    let store = settings.store.open_to_read().await?;
    store.ok_or_else(|| no_store(settings))
}

fn no_store(settings: &Settings) -> Failure {
    format!("there is no store {}; {}", settings.store_in_words(), settings.file_in_words()).into()
}

/// Registers this command as a server and removes it.
pub(crate) async fn heartbeat(store: &dyn Store) -> Result<Heartbeat, Failure> {
    let id = bootstrap::server_id()?;
    let heartbeat = store.beat(id).await?;
    Membership::leave(store, id).await?;
    Ok(heartbeat)
}

pub(crate) async fn accounts(store: &dyn Store) -> Result<Vec<Account>, StoreError> {
    let mut accounts: Vec<Account> = Vec::new();
    loop {
        let page = store.page(accounts.last().map(|last| last.id), PAGE).await?;
        if page.is_empty() {
            return Ok(accounts);
        }
        accounts.extend(page);
    }
}

pub(crate) async fn account_of(store: &dyn Store, email: &str) -> Result<Account, Failure> {
    let address = Email::parse(email)?;
    Accounts::find(store, &address).await?.ok_or_else(|| {
        format!(
            "there is no account {}: kuraka account list shows all, kuraka account create --email EMAIL makes one",
            address.as_str()
        )
        .into()
    })
}
