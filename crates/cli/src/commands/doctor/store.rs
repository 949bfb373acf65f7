//! Whether the store is reachable, whole, writable and of this version's schema, and its clock.

use std::collections::BTreeSet;

use jiff::Timestamp;
use kuraka_adapters::store::{OpenStoreError, PostgresStore, Schema, Store, StoreAddress};
use kuraka_app::Plans;
use kuraka_ports::StoreError;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::finding::Finding;
use super::network::compare_clocks;
use crate::commands::runtime::{self, Failure};
use crate::commands::store_access::{accounts, heartbeat};

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let store = settings.store_in_words();
    match settings.store.verify().await {
        Err(error) => vec![Finding::error("store", logs::chain(&error), advice(&error))],
        Ok(Schema::None) => {
            let advice = "nothing, if this is a new server; else correct store.url or data_dir";
            vec![Finding::warning("store", format!("{store} does not exist"), advice)]
        }
        Ok(Schema::Older) => {
            let detail = format!("{store} has an older schema, which the next start migrates");
            vec![Finding::warning("store", detail, "make a backup, then run sudo -u kuraka kuraka store migrate")]
        }
        Ok(Schema::Current) => match writes(settings).await {
            Err(error) => {
                let advice = match settings.store {
                    StoreAddress::Sqlite(_) => "free disk space, or end the program that locks the store",
                    StoreAddress::Postgres(_) => "end what makes PostgreSQL read-only, or free its disk space",
                };
                vec![Finding::error("store", logs::chain(error.as_ref()), advice)]
            }
            Ok((now, plans)) => {
                let good = Finding::good("store", format!("{store} is whole and takes writes"));
                let clock = now.map(|now| compare_clocks("clock of the store", now, runtime::now()));
                let plans = (!plans.is_empty()).then(|| {
                    let detail = format!("accounts have plans that are not in the settings: {}", plans.join(", "));
                    let advice = "add them below plans, or move the accounts with kuraka account set-plan";
                    Finding::error("plans", detail, advice)
                });
                [good].into_iter().chain(clock).chain(plans).chain(audit(settings).await).collect()
            }
        },
    }
}

/// A warning if the server could change the audit log. An error is the store's, which is reported already.
async fn audit(settings: &Settings) -> Option<Finding> {
    let StoreAddress::Postgres(address) = &settings.store else { return None };
    let detail = "the server's PostgreSQL user may change and delete lines of the audit log";
    let advice = "let another user own the tables: docs/operations/observe.md#audit-log";
    let is_open = PostgresStore::may_change_audit(address).await.unwrap_or(false);
    is_open.then(|| Finding::warning("audit", detail.to_owned(), advice))
}

/// Writes without changing anything. Returns the store's time, if it has a clock, and plans of accounts that the
/// settings lack.
async fn writes(settings: &Settings) -> Result<(Option<Timestamp>, Vec<String>), Failure> {
    let store = settings.store.open().await?;
    let written = async {
        store.note_uses(&[]).await?;
        Ok((heartbeat(&*store).await?.now, unknown_plans(&*store, &settings.plans).await?))
    };
    let written = written.await;
    store.close().await;
    written
}

async fn unknown_plans(store: &dyn Store, known: &Plans) -> Result<Vec<String>, StoreError> {
    let plans = accounts(store).await?.into_iter().map(|account| account.plan);
    let unknown: BTreeSet<_> = plans.filter(|plan| known.find(plan).is_none()).collect();
    Ok(unknown.iter().map(|plan| plan.as_str().to_owned()).collect())
}

const fn advice(error: &OpenStoreError) -> &'static str {
    match error {
        OpenStoreError::Create { .. } => "give the server's user rights on the folder",
        OpenStoreError::File { .. } => {
            "free disk space; if the file is damaged, run sudo -u kuraka kuraka restore SOURCE"
        }
        OpenStoreError::Server { .. } => "start PostgreSQL, correct store.url, or let its user own the database",
        OpenStoreError::Newer { .. } => "install the newer version, or restore a backup",
        OpenStoreError::Foreign { .. } | OpenStoreError::Altered { .. } => "correct store.url, or restore a backup",
    }
}
