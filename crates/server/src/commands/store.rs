//! `kuraka store`: the database of accounts, tokens and usage.

use std::sync::Arc;

use indicatif::HumanCount;
use kuraka_adapters::store::{Contents, Store, StoreAddress, StoreLock, transfer};
use kuraka_server::settings::{self, Settings};
use kuraka_server::wiring;

use super::{Failure, block_on, open_store};
use crate::cli::Store as Command;
use crate::console;

pub(crate) fn run(command: Command, settings: &Settings) -> Result<(), Failure> {
    match command {
        Command::Migrate => block_on(async {
            let store = open_store(settings).await?;
            store.close().await;
            console::line(&format!("{} has the schema of this version", settings.store));
            Ok(())
        }),
        Command::Check => block_on(check(settings)),
        Command::Copy { from, to } => block_on(copy(&from, &to)),
    }
}

async fn check(settings: &Settings) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    // What only reads finds out too late that nothing can be written.
    store.note_uses(&[]).await?;
    let me = wiring::server_id()?;
    let pulse = store.beat(me).await?;
    store.leave(me).await?;
    let contents = store.contents().await?;
    store.close().await;
    console::line(&format!("{} answers and takes writes", settings.store));
    print(&contents);
    if let StoreAddress::Postgres(_) = settings.store {
        console::line(&format!("  servers   {} on it now", pulse.servers.get() - 1));
    }
    Ok(())
}

async fn copy(from: &str, to: &str) -> Result<(), Failure> {
    let (from, to) = (address("--from", from)?, address("--to", to)?);
    // A server that goes on would charge what the copy does not know of.
    let _lock = match &from {
        StoreAddress::Sqlite(file) if !file.is_file() => {
            return Err(format!("there is no file {}", file.display()).into());
        }
        StoreAddress::Sqlite(file) => match file.parent().filter(|folder| folder.is_dir()) {
            Some(folder) => Some(StoreLock::acquire(folder)?),
            None => None,
        },
        StoreAddress::Postgres(_) => None,
    };
    let (source, target) = (from.open().await?, to.open().await?);
    let there = target.contents().await?;
    if there.accounts > 0 {
        return Err(format!("{to} already has {} accounts: give an empty database", there.accounts).into());
    }
    let before = source.contents().await?;
    transfer(source.outgoing().await?, target.incoming().await?).await?;
    let after = target.contents().await?;
    close(source).await;
    close(target).await;
    if before != after {
        return Err(format!("{from} changed while it was copied: stop every server on it, and copy once more").into());
    }
    console::line(&format!("copied {from} to {to}"));
    print(&after);
    Ok(())
}

async fn close(store: Arc<dyn Store>) {
    store.close().await;
}

fn address(argument: &str, text: &str) -> Result<StoreAddress, Failure> {
    settings::store_address(text)
        .ok_or_else(|| format!("{argument} is no address such as {}", settings::STORE_ADDRESS).into())
}

fn print(contents: &Contents) {
    let Contents { accounts, tokens, months, used, history } = *contents;
    console::line(&format!("  accounts  {}", HumanCount(accounts)));
    console::line(&format!("  tokens    {}", HumanCount(tokens)));
    console::line(&format!("  usage     {} queries in {} months of accounts", HumanCount(used), HumanCount(months)));
    console::line(&format!("  history   {} rows", HumanCount(history)));
}
