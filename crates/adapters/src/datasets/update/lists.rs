//! Fetches the lists of changes that lead to an edition of another server, before the edition is published. Without them
//! the editions are compared here, and the next edition's lists replace the result.

use std::fs;
use std::time::SystemTime;

use jiff::Timestamp;
use kuraka_ports::chain;
use kuraka_registry::changes::{FetchedList, adopt_lists, missing_lists};

use super::current::beside_calls;
use super::{DatasetUpdate, UpdateProgress};
use crate::download::Fetched;

/// The most lists that a server may have.
const MAX_LISTS: usize = 100_000;

type Failure = Box<dyn std::error::Error + Send + Sync>;

impl DatasetUpdate {
    /// Fetches the lists that are missing here. A failure is logged.
    pub(super) async fn fetch_lists(&self, now: Timestamp, progress: &dyn UpdateProgress) {
        let Some(url) = &self.source.changes_url else { return };
        if let Err(error) = self.lists_from(url, now, progress).await {
            let (dataset, cause) = (self.dataset.name, chain(&*error));
            tracing::warn!(dataset, cause, "the change lists of the builder are not fetched");
        }
    }

    async fn lists_from(&self, url: &str, now: Timestamp, progress: &dyn UpdateProgress) -> Result<(), Failure> {
        let (registry, dataset) = (self.registry.clone(), self.dataset);
        let index = self.download("changes", now)?;
        self.request(&index, None, None, progress).fetch(url, None).await?;
        let names: Vec<String> = fs::read_to_string(&index.path)?.lines().take(MAX_LISTS).map(str::to_owned).collect();
        drop(index);
        // Also without a missing one: lists that only this server has are removed.
        let mut missing = missing_lists(&registry, dataset, &names)?.into_iter();
        loop {
            let Some(name) = missing.next() else { break self.adopt(&names, None).await? };
            let file = self.download("changes", now)?;
            let answer = self.request(&file, None, None, progress).fetch(&format!("{url}/{name}"), None).await?;
            let Fetched::New { version, .. } = answer else { continue };
            let written = version.last_modified.as_deref().and_then(|at| jiff::fmt::rfc2822::parse(at).ok());
            let written = written.map(|at| SystemTime::from(at.timestamp()));
            self.adopt(&names, Some(FetchedList { name, file: file.path.clone(), written })).await?;
        }
        Ok(())
    }

    async fn adopt(&self, names: &[String], fetched: Option<FetchedList>) -> Result<(), Failure> {
        let (registry, dataset, names) = (self.registry.clone(), self.dataset, names.to_owned());
        let _turn = self.turns.acquire().await;
        beside_calls(move || adopt_lists(&registry, dataset, &names, fetched.as_slice())).await??;
        Ok(())
    }
}
