//! `kuraka store`: migrates, checks and copies the database of accounts, tokens and usage.

use indicatif::HumanCount;
use kuraka_adapters::store::{Contents, Store, StoreAddress, StoreLock, transfer};
use kuraka_ports::{Changes, NewAuditLine, Origin, Revision};
use kuraka_server::settings::{self, Settings};

use super::owner;
use super::runtime::{Failure, block_on};
use super::store_access::{existing_store, heartbeat, open_store};
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
        Command::Copy { from, to } => block_on(copy(&from, &to, settings)),
    }
}

async fn check(settings: &Settings) -> Result<(), Failure> {
    let store = existing_store(settings).await?;
    // An empty write shows whether the store accepts writes.
    store.note_uses(&[]).await?;
    let heartbeat = heartbeat(&*store).await?;
    let contents = store.contents().await?;
    store.close().await;
    console::line(&format!("{} answers and takes writes", settings.store));
    print(&contents);
    if let StoreAddress::Postgres(_) = settings.store {
        console::line(&format!("  servers   {} on it now", heartbeat.servers.get() - 1));
    }
    Ok(())
}

async fn copy(from: &str, to: &str, settings: &Settings) -> Result<(), Failure> {
    let (from, to) = (address("--from", from)?, address("--to", to)?);
    owner::check_store(&from)?;
    owner::check_store(&to)?;
    if let StoreAddress::Sqlite(file) = &from
        && !file.is_file()
    {
        return Err(format!("there is no file {}", file.display()).into());
    }
    let (source, target) = (from.open().await?, to.open().await?);
    let _locks = refuse_if_served(&from, &*source).await?;
    let existing = target.contents().await?;
    if existing.accounts > 0 {
        return Err(format!("{to} already has {} accounts: give an empty database", existing.accounts).into());
    }
    let state = async || {
        let Changes { latest, .. } = source.changes(Revision::UNREACHED).await?;
        Ok::<_, Failure>((latest, source.contents().await?))
    };
    let before = state().await?;
    let (mut export, mut import) = (source.export().await?, target.import().await?);
    let record = transfer(export.as_mut(), import.as_mut()).await?;
    drop(export);
    if state().await? != before {
        return Err(format!(
            "{from} changed during the copy, so nothing was copied: stop every server on it and try again"
        )
        .into());
    }
    import.finish(record).await?;
    let line = NewAuditLine { action: "store.copy", object: "store".to_owned(), ..NewAuditLine::default() };
    target.keep_lines(settings.audit_kept_days);
    target.add_line(&line, &Origin::current()).await?;
    let after = target.contents().await;
    source.close().await;
    target.close().await;
    let after = after.map_err(|error| format!("{to} was filled, but its contents cannot be counted: {error}"))?;
    if before.1 != after {
        return Err(format!("the contents of {to} differ from {from}: empty it and try again").into());
    }
    console::line(&format!("copied {from} to {to}"));
    print(&after);
    Ok(())
}

/// Refuses a store in use, and locks a file so that no server starts on it: the copy would miss its charges.
async fn refuse_if_served(from: &StoreAddress, source: &dyn Store) -> Result<Vec<StoreLock>, Failure> {
    let locks = from.lock(None)?;
    match heartbeat(source).await?.servers.get() - 1 {
        0 => Ok(locks),
        servers => Err(format!("servers are on {from} ({servers} of them): stop them first").into()),
    }
}

fn address(argument: &str, text: &str) -> Result<StoreAddress, Failure> {
    settings::store_address(text)
        .ok_or_else(|| format!("{argument} must be an address such as {}", settings::STORE_ADDRESS).into())
}

pub(super) fn print(contents: &Contents) {
    let Contents { accounts, tokens, months, used, history, watched, lists, webhooks } = *contents;
    console::line(&format!("  accounts  {}", HumanCount(accounts)));
    console::line(&format!("  tokens    {}", HumanCount(tokens)));
    console::line(&format!("  usage     {} queries in {} months of accounts", HumanCount(used), HumanCount(months)));
    console::line(&format!("            {} rows of usage by day", HumanCount(history)));
    console::line(&format!("  watched   {} RUCs", HumanCount(watched)));
    console::line(&format!("  lists     {}", HumanCount(lists)));
    console::line(&format!("  webhooks  {}", HumanCount(webhooks)));
}
