//! Updates the registry: fetches the published files that changed, and imports them.
//!
//! The files stay in `downloads/` of the registry's folder, each with a note of its version. An operator can then force
//! a refused import, or import a changed list, without downloading the padrón again. The importer, not this module,
//! decides whether to publish an edition.

mod ask;
mod error;
mod progress;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_registry::{
    DatasetImport, FileVersion, ImportReport, ImportRequest, List, Meta, Origin, SourceFile, import_dataset,
};

pub use error::UpdateError;
pub use progress::UpdateProgress;

use super::beside_calls::{beside_calls, is_intact};
use super::downloads::KeptFile;
use crate::download::{DownloadError, Downloader};
use ask::{Asked, ask};

/// Where the files are published; an empty URL = the file is not fetched.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// The padrón.
    pub padron: String,
    /// The lists.
    pub lists: BTreeMap<List, String>,
}

/// How an update ended.
#[derive(Debug)]
pub struct Updated {
    /// What was imported; `None` = the current edition was made from the files as they are published now.
    pub imported: Option<ImportReport>,
    /// Lists that could not be fetched: the previous edition's are carried over.
    pub missing_lists: Vec<(List, DownloadError)>,
}

/// Updates one registry folder.
pub struct RegistryUpdate {
    folder: PathBuf,
    addresses: Addresses,
    downloader: Downloader,
}

impl RegistryUpdate {
    /// For the registry in `folder`.
    #[must_use]
    pub const fn new(folder: PathBuf, addresses: Addresses, downloader: Downloader) -> Self {
        Self { folder, addresses, downloader }
    }

    /// Fetches and imports. `today` is the date in Peru; `force` overrides the importer's guards.
    ///
    /// Safe to call again after an error or a dropped future: received bytes are kept.
    ///
    /// # Errors
    /// [`UpdateError`].
    pub async fn run(
        &self,
        today: Date,
        force: bool,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Updated, UpdateError> {
        if self.addresses.padron.is_empty() {
            return Err(UpdateError::NoAddress);
        }
        let meta = self.current().await?;
        let imported = meta.as_ref().map(|meta| &meta.padron.version);
        let mut padron = self.ask_padron(imported, &*progress).await?;

        let mut lists = BTreeMap::new();
        let mut missing_lists = Vec::new();
        let mut lists_changed = false;
        for (&list, url) in self.addresses.lists.iter().filter(|(_, url)| !url.is_empty()) {
            let imported = meta.as_ref().and_then(|meta| Some(&meta.lists.get(&list)?.source.version));
            match self.ask(list.code, url, list.title, imported, &*progress).await {
                Ok(asked) => {
                    lists_changed |= !asked.is(imported);
                    lists.extend(asked.into_source().map(|source| (list, source)));
                }
                Err(UpdateError::Download(error)) => missing_lists.push((list, error)),
                Err(error) => return Err(error),
            }
        }
        if padron.is(imported) && !lists_changed && !force {
            return Ok(Updated { imported: None, missing_lists });
        }
        if padron.path.is_none() {
            // The padrón did not change and its file was not kept, but importing a changed list needs it.
            padron = self.ask_padron(None, &*progress).await?;
        }
        let date = padron.version.last_modified.as_deref().and_then(published_on).map(|date| date.min(today));
        let padron = padron.into_source().ok_or(UpdateError::NoAddress)?;
        let origin = Origin::Published;
        let request = ImportRequest { padron, date, today, origin, force };
        let folder = self.folder.clone();
        let importing = move || {
            for (list, source) in lists {
                let request = DatasetImport { source, date: None, today, origin, force };
                import_dataset(&folder, list.dataset(), &request, &*progress)?;
            }
            kuraka_registry::import(&folder, &request, &*progress)
        };
        let report = beside_calls(importing).await.map_err(UpdateError::Stopped)?.map_err(UpdateError::Import)?;
        Ok(Updated { imported: Some(report), missing_lists })
    }

    /// Fetches one file for an import by hand, into the downloads of the registry's folder.
    ///
    /// # Errors
    /// As [`RegistryUpdate::run`].
    pub async fn fetch(
        &self,
        name: &'static str,
        url: &str,
        progress: &dyn UpdateProgress,
    ) -> Result<SourceFile, UpdateError> {
        let asked = self.ask(&format!("by-hand-{name}"), url, name, None, progress).await?;
        asked.into_source().ok_or(UpdateError::NoAddress)
    }

    /// The facts of the current edition; `None` = there is none, or it is damaged and has to be imported again.
    async fn current(&self) -> Result<Option<Meta>, UpdateError> {
        let kept = kuraka_registry::editions(&self.folder).map_err(UpdateError::Editions)?;
        let Some(kept) = kept.into_iter().find(|kept| kept.current) else { return Ok(None) };
        Ok(is_intact(kept.path).await.map_err(UpdateError::Stopped)?.then_some(kept.meta))
    }

    async fn ask_padron(
        &self,
        imported: Option<&FileVersion>,
        progress: &dyn UpdateProgress,
    ) -> Result<Asked, UpdateError> {
        self.ask("padron", &self.addresses.padron, "padrón", imported, progress).await
    }

    async fn ask(
        &self,
        file: &str,
        url: &str,
        title: &'static str,
        imported: Option<&FileVersion>,
        progress: &dyn UpdateProgress,
    ) -> Result<Asked, UpdateError> {
        let file = KeptFile::new(&self.folder, file)?;
        ask(&self.downloader, file, url, title, imported, progress).await
    }
}

/// The day in Peru of an HTTP date.
fn published_on(last_modified: &str) -> Option<Date> {
    let seconds = jiff::fmt::rfc2822::parse(last_modified).ok()?.timestamp().as_second();
    Date::in_peru(seconds)
}
