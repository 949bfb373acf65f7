//! Updates the datasets: fetches a published file that changed, and imports it.
//!
//! A file is fetched into `downloads/` of the dataset's folder, with a note of its version. The padrón's stays there, so
//! that a damaged edition can be built again without the network. The others may have persons' data that Kuraka does
//! not keep, so they are removed after the import. One that a guard refused stays: an operator can then force it
//! without another download. The importer, not this module, decides whether to publish an edition.

mod ask;
mod current;
mod error;
mod imported;
mod note;
mod progress;

use std::path::PathBuf;
use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{Clock, chain};
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::{FileVersion, ImportError, SourceFile};
use tokio::sync::Semaphore;

pub use error::UpdateError;
pub use imported::{Imported, published_on};
pub use progress::UpdateProgress;

use super::attempt::{AttemptOutcome, DatasetAttempt, record_attempt};
use super::beside_calls::beside_calls;
use super::downloads::KeptFile;
use crate::address::without_secrets;
use crate::download::{Downloader, Fetched};
use ask::{Ask, Asked};
use error::import_may_pass;
use note::Note;

/// Updates one dataset of a registry.
pub struct DatasetUpdate {
    registry: PathBuf,
    dataset: &'static Dataset,
    address: String,
    downloader: Downloader,
    turns: Arc<Semaphore>,
}

impl DatasetUpdate {
    /// For the dataset of the registry in the folder `registry`, whose file is at `address`; empty = it is not fetched.
    /// Each import takes one of the permits of `turns`, because it needs memory and a processor.
    #[must_use]
    pub fn new(
        registry: PathBuf,
        dataset: &'static Dataset,
        address: String,
        downloader: &Downloader,
        turns: Arc<Semaphore>,
    ) -> Self {
        let downloader = if dataset.is_padron() { downloader.clone() } else { downloader.of(dataset) };
        Self { registry, dataset, address, downloader, turns }
    }

    /// The dataset.
    #[must_use]
    pub const fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// Fetches and imports what has changed, and records the try. `None` = the current edition was made from the file
    /// as it is published now. `force` overrides the importer's guards.
    ///
    /// Safe to call again after an error or a dropped future: received bytes are kept.
    ///
    /// # Errors
    /// [`UpdateError`]; the current edition stays.
    pub async fn run(
        &self,
        clock: &dyn Clock,
        force: bool,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Option<Imported>, UpdateError> {
        // The range of timestamps exceeds the calendar's only by hours.
        let today = Date::in_peru(clock.now().as_second()).unwrap_or(Date::MIN);
        let result = self.update(today, force, progress).await;
        let outcome = match &result {
            Ok(Some(imported)) => imported.outcome(),
            Ok(None) => AttemptOutcome::Unchanged,
            Err(error) => AttemptOutcome::Failed { cause: chain(error) },
        };
        let recorded = record_attempt(&self.registry, self.dataset, &DatasetAttempt { at: clock.now(), outcome });
        let imported = result?;
        recorded?;
        Ok(imported)
    }

    /// Fetches the file at `url` for an import by hand.
    ///
    /// # Errors
    /// [`UpdateError`].
    pub async fn fetch(&self, url: &str, progress: &dyn UpdateProgress) -> Result<SourceFile, UpdateError> {
        let file = KeptFile::new(&self.registry, self.dataset, &format!("by-hand-{}", self.dataset.name))?;
        let ask = Ask { dataset: self.dataset, downloader: &self.downloader, file: &file, force: true, progress };
        let known = FileVersion::unversioned(url);
        match ask.download(&known).await.map_err(|source| ask.not_fetched(source))? {
            Fetched::New { version, .. } => Ok(SourceFile { path: file.path, version: shown(version) }),
            Fetched::Unchanged => Ok(SourceFile { path: file.path, version: shown(known) }),
        }
    }

    async fn update(
        &self,
        today: Date,
        force: bool,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Option<Imported>, UpdateError> {
        let dataset = self.dataset;
        if self.address.is_empty() {
            return Err(UpdateError::NoAddress { dataset });
        }
        // A forced import does not compare the file with the current edition.
        let current = if force { None } else { current::current(&self.registry, dataset).await? };
        let file = KeptFile::new(&self.registry, dataset, dataset.name)?;
        let ask = Ask { dataset, downloader: &self.downloader, file: &file, force, progress: &*progress };
        let version = match ask.newest(&dataset::addresses(&self.address, today), current.as_ref()).await? {
            Asked::Here(version) | Asked::WebPage(version) => version,
            Asked::Imported => {
                self.tidy(&file);
                return Ok(None);
            }
            Asked::Refused(cause) => return Err(UpdateError::Refused { dataset: dataset.name, cause }),
        };
        let source = SourceFile { path: file.path.clone(), version: shown(version.clone()) };
        let turn = self.turns.acquire().await;
        let registry = self.registry.clone();
        let importing = move || imported::import(&registry, dataset, source, today, force, &*progress);
        let imported = beside_calls(importing).await.map_err(UpdateError::Stopped)?;
        drop(turn);
        match &imported {
            Ok(imported) => {
                self.tidy(&file);
                file.write_note(&Note::published(version, imported.label()))?;
            }
            // The same file may be published by the next try.
            Err(ImportError::Guard(_) | ImportError::Busy { .. } | ImportError::Folder(_) | ImportError::Memory(_)) => {
            }
            Err(error) if import_may_pass(error) => {
                file.remove();
                file.remove_note();
            }
            // Without its file, the note makes the next request conditional.
            Err(error) => {
                file.remove();
                file.write_note(&Note::refused(version, chain(error)))?;
            }
        }
        imported.map(Some).map_err(UpdateError::Import)
    }

    /// Removes a file that is imported, unless it is the padrón.
    fn tidy(&self, file: &KeptFile) {
        if !self.dataset.is_padron() {
            file.remove();
        }
    }
}

/// A version as editions and messages name it.
fn shown(version: FileVersion) -> FileVersion {
    FileVersion { name: without_secrets(&version.name), ..version }
}
