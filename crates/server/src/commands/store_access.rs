//! Opens the store and finds accounts, for commands.

use std::sync::Arc;

use kuraka_adapters::store::Store;
use kuraka_ports::{Account, Accounts, Email};
use kuraka_server::settings::Settings;

use super::runtime::Failure;

/// Opens the store of the settings.
pub(crate) async fn open_store(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    Ok(settings.store.open().await?)
}

/// The account with an e-mail address, or an error that names the command to create it.
pub(crate) async fn account_of(store: &dyn Store, email: &str) -> Result<Account, Failure> {
    let address = Email::parse(email)?;
    Accounts::find(store, &address).await?.ok_or_else(|| {
        format!("there is no account {}: create it with kuraka account create --email {0}", address.as_str()).into()
    })
}
