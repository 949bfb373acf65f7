//! Fetches the change lists that lead to another server's edition. The import verifies them once the edition has
//! passed. Without them the editions are compared here; later lists replace the result only if checksums are required.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use jiff::Timestamp;
use kuraka_ports::chain;
use kuraka_registry::Checksum;
use kuraka_registry::changes::{BuilderLists, FetchedList};

use super::{DatasetUpdate, UpdateProgress, beside_calls};
use crate::datasets::downloads::{DownloadedFile, downloads_of};
use crate::download::Fetched;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Removed when this is dropped.
pub(super) struct DownloadedLists {
    pub(super) lists: BuilderLists,
    folder: PathBuf,
    /// Keeps other processes from fetching lists.
    _index: DownloadedFile,
}

impl Drop for DownloadedLists {
    fn drop(&mut self) {
        // The next update removes it, too.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl DatasetUpdate {
    pub(super) async fn fetch_lists(
        &self,
        sha256: Option<&HashMap<String, Checksum>>,
        now: Timestamp,
        progress: &dyn UpdateProgress,
    ) -> Option<DownloadedLists> {
        let url = self.source.changes_url.as_ref()?;
        let index = self.list_index(url, sha256, now).await;
        let mut found = index.inspect_err(|error| self.report(&**error)).ok()?;
        if let Err(error) = self.lists_from(url, &mut found, now, progress).await {
            self.report(&*error);
        }
        Some(found)
    }

    async fn list_index(
        &self,
        url: &str,
        sha256: Option<&HashMap<String, Checksum>>,
        now: Timestamp,
    ) -> Result<DownloadedLists, Failure> {
        let index = self.download("changes", now)?;
        self.downloader.for_text().fetch(url, None, &index.path, &|_, _| {}).await?;
        let names = fs::read_to_string(&index.path)?.lines().map(str::to_owned).collect();
        let folder = downloads_of(&self.registry, self.dataset).join("lists");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder)?;
        let lists = BuilderLists { names, fetched: Vec::new(), sha256: sha256.cloned() };
        Ok(DownloadedLists { lists, folder, _index: index })
    }

    /// Fetches the newest list first: without a hole, those fetched before a failure are useful.
    async fn lists_from(
        &self,
        url: &str,
        found: &mut DownloadedLists,
        now: Timestamp,
        progress: &dyn UpdateProgress,
    ) -> Result<(), Failure> {
        let (registry, dataset, lists) = (self.registry.clone(), self.dataset, found.lists.clone());
        let missing = beside_calls(move || lists.missing(&registry, dataset)).await??;
        for name in missing.into_iter().rev() {
            let file = self.download("list", now)?;
            let answer = self.request(&file, None, None, progress).fetch(&format!("{url}/{name}"), None).await?;
            let Fetched::New { version, .. } = answer else { continue };
            let written = version.last_modified.as_deref().and_then(|at| jiff::fmt::rfc2822::parse(at).ok());
            let written = written.map(|at| SystemTime::from(at.timestamp()));
            let kept = found.folder.join(&name);
            fs::rename(&file.path, &kept)?;
            found.lists.fetched.push(FetchedList { name, file: kept, written });
        }
        Ok(())
    }

    pub(super) fn report(&self, error: &(dyn std::error::Error + 'static)) {
        let (dataset, cause) = (self.dataset.name, chain(error));
        tracing::warn!(dataset, cause, "change lists of the builder are not used");
    }
}
