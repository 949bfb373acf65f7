//! Updates the datasets: fetches a changed file, of the publisher or of another server, and imports it.
//!
//! A file is fetched into `downloads/` of the dataset's folder and removed when its import ends. A note of its version
//! stays, so that the next request is conditional and a refused version is not fetched again without force. The
//! importer decides whether to publish.

mod backfill;
mod error;
mod lists;
mod note;
mod request;
mod required;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{AttemptOutcome, Clock, DatasetAttempt, chain, today};
use kuraka_registry::dataset::{self, Dataset, FieldKind};
use kuraka_registry::{
    Accepts, Checksum, FileVersion, Import, ImportError, ImportReport, Meta, PublishResult, SourceFile,
    run_at_idle_priority,
};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

pub use backfill::MonthOutcome;
pub use error::UpdateError;
pub use request::UpdateProgress;

use super::attempt::record_attempt;
use super::downloads::DownloadedFile;
use crate::download::{Downloader, Fetched};
use crate::files::FileError;
use error::import_may_pass;
use note::{Note, judge};
use request::{Answer, Request};
use required::RequiredChecksums;

#[derive(Clone, Debug)]
pub struct UpdateSource {
    /// Its URL; empty = it is not fetched. `{AAAAMM}` stands for a month.
    pub address: String,
    /// The URL to try if no TLS connection to that one can be made.
    pub plain_address: Option<String>,
    pub accepts: Accepts,
    /// The URL of the change lists that lead to an edition, if they are fetched.
    pub changes_url: Option<String>,
    /// The URL of the required SHA-256 of the file and of change lists, as `sha256sum` writes them.
    pub sha256_url: Option<String>,
}

pub struct DatasetUpdate {
    registry: PathBuf,
    dataset: &'static Dataset,
    source: UpdateSource,
    downloader: Downloader,
    turns: Arc<Semaphore>,
}

/// An operator's options for an import by hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct ManualUpdate {
    pub date: Option<Date>,
    pub sha256: Option<Checksum>,
    pub force: bool,
}

impl DatasetUpdate {
    /// For the dataset of the registry in this folder. Each import takes one of the permits of `turns`, because it
    /// needs memory and a processor.
    pub fn new(
        registry: PathBuf,
        dataset: &'static Dataset,
        source: UpdateSource,
        downloader: &Downloader,
        turns: Arc<Semaphore>,
    ) -> Self {
        Self { registry, dataset, source, downloader: downloader.for_dataset(dataset), turns }
    }

    pub const fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// Fetches and imports what has changed, and records the attempt. `None` = the active edition was made from the
    /// published file. `force` requests the file unconditionally and overrides the importer's guards.
    ///
    /// Safe to call again after an error or a dropped future: received bytes are kept for a day.
    ///
    /// # Errors
    /// [`UpdateError`]; the active edition stays.
    pub async fn run(
        &self,
        clock: &dyn Clock,
        force: bool,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Option<ImportReport>, UpdateError> {
        let result = self.update(clock.now(), force, &progress).await;
        let outcome = match &result {
            Ok(Some(report)) => outcome(report),
            Ok(None) => AttemptOutcome::Unchanged,
            Err(error) => AttemptOutcome::Failed {
                cause: chain(error),
                reason: error.in_spanish().to_owned(),
                needs_operator: !error.may_pass(),
                force_helps: error.is_by_guard(),
            },
        };
        let recorded = record_attempt(&self.registry, self.dataset, &DatasetAttempt { at: clock.now(), outcome });
        let report = result?;
        recorded?;
        Ok(report)
    }

    /// Imports a published file or a finished edition from a path or URL. A success is recorded as an attempt; a
    /// refusal is not.
    ///
    /// # Errors
    /// [`UpdateError`]; the active edition stays.
    pub async fn import(
        &self,
        place: &str,
        manual: ManualUpdate,
        clock: &dyn Clock,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<ImportReport, UpdateError> {
        let ManualUpdate { date, sha256, force } = manual;
        let is_address = place.starts_with("http://") || place.starts_with("https://");
        let mut fetched = None;
        let source = if is_address {
            let name = format!("by-hand-{}", self.dataset.name);
            let file = fetched.insert(self.download(&name, clock.now())?);
            let version = match self.request(file, None, None, &*progress).fetch(place, None).await? {
                Fetched::New { version, .. } => version,
                Fetched::Unchanged => FileVersion::unversioned(place),
            };
            SourceFile { path: file.path.clone(), version }
        } else {
            SourceFile::local(place)
        };
        let served_on = published_on(self.dataset, &source.version);
        let request = Import { date, sha256, served_on, force, ..Import::new(source, today(clock.now())) };
        let report = self.publish(request, progress).await?.map_err(UpdateError::Import)?;
        let attempt = DatasetAttempt { at: clock.now(), outcome: outcome(&report) };
        record_attempt(&self.registry, self.dataset, &attempt)?;
        Ok(report)
    }

    async fn update(
        &self,
        now: Timestamp,
        force: bool,
        progress: &Arc<dyn UpdateProgress>,
    ) -> Result<Option<ImportReport>, UpdateError> {
        let required = self.required_sha256(now).await?;
        let updated = self.update_to(required.clone(), now, force, progress).await;
        if !matches!(updated, Err(UpdateError::Import(ImportError::Checksum { .. }))) {
            return updated;
        }
        // Both may have been replaced between the two requests.
        let replaced = self.required_sha256(now).await?;
        if replaced == required { updated } else { self.update_to(replaced, now, force, progress).await }
    }

    async fn update_to(
        &self,
        required: Option<RequiredChecksums>,
        now: Timestamp,
        force: bool,
        progress: &Arc<dyn UpdateProgress>,
    ) -> Result<Option<ImportReport>, UpdateError> {
        let (dataset, today) = (self.dataset, today(now));
        let sha256 = required.as_ref().map(|required| required.file);
        if self.source.address.is_empty() {
            return Err(UpdateError::NoAddress { dataset });
        }
        let (file, accepts) = (self.download(dataset.name, now)?, self.source.accepts);
        let current = current(&self.registry, dataset).await?;
        let label = current.as_ref().map(|current| current.label.clone());
        let note = file.read_note::<Note>().filter(|note| note.counts(label.as_deref(), accepts));
        // A forced import is unconditional. A file whose checksum is required is conditional only if it was required
        // before.
        let is_checked = sha256.is_none() || note.as_ref().is_some_and(|note| note.sha256 == sha256);
        let is_compared = is_checked && !force;
        let (known, note) = (current.as_ref().filter(|_| is_compared), note.filter(|_| is_compared));
        let request = self.request(&file, known, note.as_ref(), &**progress);
        let (answer, without_tls) = match request.newest(&dataset::addresses(&self.source.address, today)).await {
            Err(error)
                if error.is_unconnected()
                    && let Some(plain) = &self.source.plain_address =>
            {
                let (dataset, cause) = (dataset.name, chain(&error));
                tracing::warn!(dataset, cause, "no TLS connection could be made, so the file is fetched over http");
                (request.newest(std::slice::from_ref(plain)).await?, true)
            }
            answer => (answer?, false),
        };
        let version = match answer {
            Answer::New(version) => version,
            Answer::Imported => return Ok(None),
            Answer::Refused { cause, by_guard } => {
                return Err(UpdateError::Refused { dataset: dataset.name, cause, by_guard });
            }
        };
        let lists = self.fetch_lists(required.as_ref().map(|required| &required.lists), now, &**progress).await;
        let source = SourceFile { path: file.path.clone(), version: version.clone() };
        let served_on = published_on(dataset, &version);
        let builder = lists.as_ref().map(|downloaded| downloaded.lists.clone());
        let request = Import { accepts, sha256, served_on, force, lists: builder, ..Import::new(source, today) };
        let result = self.publish(request, Arc::clone(progress)).await?;
        if let Ok(ImportReport { lists_error: Some(error), .. }) = &result {
            self.report(error);
        }
        // The clock may not be set yet: then the previous note stays, too.
        let is_early = current.is_some_and(|current| today < current.date);
        if !result.as_ref().is_err_and(|error| is_early || import_may_pass(error)) {
            let label = result.as_ref().map_or(label, |report| Some(report.label.clone()));
            let refused = result.as_ref().err().map(|error| chain(error));
            let by_guard = matches!(result, Err(ImportError::Guard { .. }));
            let note = Note { version, label, sha256, by: judge(accepts), refused, by_guard };
            self.write_note(&file, &note);
        }
        result.map(|report| Some(ImportReport { without_tls, ..report })).map_err(UpdateError::Import)
    }

    fn write_note(&self, file: &DownloadedFile, note: &Note) {
        if let Err(error) = file.write_note(note) {
            // A lost note costs one download.
            let (dataset, cause) = (self.dataset.name, chain(&error));
            tracing::warn!(dataset, cause, "the note of the download is not written");
        }
    }

    fn download(&self, name: &str, now: Timestamp) -> Result<DownloadedFile, UpdateError> {
        let dataset = self.dataset;
        let file = DownloadedFile::new(&self.registry, dataset, name, now);
        file.map_err(|source| UpdateError::Download { dataset: dataset.name, source })
    }

    /// Imports a file when it is this dataset's turn. The outer error is a panic.
    async fn publish(
        &self,
        request: Import,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Result<ImportReport, ImportError>, UpdateError> {
        let _turn = self.turns.acquire().await;
        let (registry, dataset) = (self.registry.clone(), self.dataset);
        let importing = move || kuraka_registry::import(&registry, dataset, &request, &*progress);
        beside_calls(importing).await.map_err(UpdateError::Stopped)
    }

    /// The required checksums, if the settings have a URL.
    async fn required_sha256(&self, now: Timestamp) -> Result<Option<RequiredChecksums>, UpdateError> {
        let (dataset, Some(url)) = (self.dataset.name, self.source.sha256_url.as_ref()) else { return Ok(None) };
        let file = self.download("checksum", now)?;
        let fetched = self.downloader.for_text().fetch(url, None, &file.path, &|_, _| {}).await;
        let read = fetched.and_then(|_| Ok(fs::read(&file.path).map_err(FileError::at(&file.path))?));
        let text = read.map_err(|source| UpdateError::Checksum { dataset, source })?;
        let required = RequiredChecksums::parse(&String::from_utf8_lossy(&text));
        required.map(Some).ok_or_else(|| UpdateError::NoChecksum { dataset, url: url.clone() })
    }

    fn request<'a>(
        &'a self,
        file: &'a DownloadedFile,
        current: Option<&'a Meta>,
        note: Option<&'a Note>,
        progress: &'a dyn UpdateProgress,
    ) -> Request<'a> {
        Request { dataset: self.dataset, downloader: &self.downloader, file, current, note, progress }
    }
}

/// The active edition; `None` = there is none, or it must be imported again: it is damaged, or lacks fields that this
/// version reads.
async fn current(registry: &Path, dataset: &'static Dataset) -> Result<Option<Meta>, UpdateError> {
    let registry = registry.to_owned();
    let reading = move || {
        let kept = kuraka_registry::editions(&registry, dataset)?.into_iter().find(|kept| kept.current);
        let usable = kept.filter(|kept| is_usable(dataset, &kept.path));
        Ok(usable.map(|kept| kept.meta))
    };
    beside_calls(reading).await.map_err(UpdateError::Stopped)?.map_err(UpdateError::Editions)
}

fn is_usable(dataset: &'static Dataset, path: &Path) -> bool {
    kuraka_registry::Edition::open(dataset, path).is_ok_and(|edition| edition.has_all_fields())
}

async fn beside_calls<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    spawn_blocking(|| run_at_idle_priority(work)).await
}

fn outcome(report: &ImportReport) -> AttemptOutcome {
    match report.outcome {
        PublishResult::Published => AttemptOutcome::Published { edition: report.label.clone() },
        PublishResult::Unchanged => AttemptOutcome::Unchanged,
    }
}

/// The publication day in Peru of a downloaded file; `None` = unknown, or the file itself states its month.
fn published_on(dataset: &Dataset, version: &FileVersion) -> Option<Date> {
    if dataset.fields().any(|(_, kind)| matches!(kind, FieldKind::Month)) {
        return None;
    }
    let modified = jiff::fmt::rfc2822::parse(version.last_modified.as_deref()?).ok()?;
    Date::in_peru(modified.timestamp().as_second())
}
