//! Whether the store can be reached, is whole, accepts writes and has the schema of this version, and its clock.

use jiff::Timestamp;
use kuraka_adapters::store::{OpenStoreError, Schema};
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::finding::Finding;
use super::network::{clock, compare_clocks};
use crate::commands::runtime::Failure;
use crate::commands::store_access::heartbeat;

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
            vec![Finding::warning("store", detail, "make a backup, then run kuraka store migrate")]
        }
        Ok(Schema::Current) => match writes(settings).await {
            Err(error) => {
                let advice = "free disk space, or end the program that locks the store";
                vec![Finding::error("store", logs::chain(error.as_ref()), advice)]
            }
            Ok(now) => {
                let good = Finding::good("store", format!("{store} is whole and takes writes"));
                let clock = now.map(|now| compare_clocks("clock of the store", now, clock().now()));
                [good].into_iter().chain(clock).collect()
            }
        },
    }
}

/// Writes to the store what changes nothing. Returns its time, if it has a clock.
async fn writes(settings: &Settings) -> Result<Option<Timestamp>, Failure> {
    let store = settings.store.open().await?;
    let written = async {
        store.note_uses(&[]).await?;
        heartbeat(&*store).await
    };
    let written = written.await;
    store.close().await;
    Ok(written?.now)
}

const fn advice(error: &OpenStoreError) -> &'static str {
    match error {
        OpenStoreError::Create { .. } => "give the server's user rights on the folder",
        OpenStoreError::File { .. } => "free disk space; if the file is damaged, run kuraka store restore FILE",
        OpenStoreError::Server { .. } => "start PostgreSQL, or correct store.url",
        OpenStoreError::Newer { .. } => "install the newer version, or restore a backup",
        OpenStoreError::Foreign { .. } | OpenStoreError::Altered { .. } => "correct store.url, or restore a backup",
    }
}
