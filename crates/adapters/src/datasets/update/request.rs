//! Requests the newest file, unless the active edition was made from it.

use kuraka_registry::dataset::Dataset;
use kuraka_registry::{FileVersion, Meta, NoProgress, Progress};

use super::error::UpdateError;
use super::note::Note;
use crate::address::without_secrets;
use crate::datasets::downloads::DownloadedFile;
use crate::download::{Downloader, Fetched};

/// Receives the progress of an update: downloaded bytes, then what [`Progress`] receives.
pub trait UpdateProgress: Progress + Send + Sync {
    /// The bytes received, and the file's size if announced.
    fn received(&self, bytes: u64, total: Option<u64>);
}

impl UpdateProgress for NoProgress {
    fn received(&self, _bytes: u64, _total: Option<u64>) {}
}

pub(super) enum Answer {
    /// The active edition was made from it.
    Imported,
    /// It was refused before, for this reason.
    Refused { cause: String, by_guard: bool },
    /// Its bytes are here, in this version.
    New(FileVersion),
}

pub(super) struct Request<'a> {
    pub(super) dataset: &'static Dataset,
    pub(super) downloader: &'a Downloader,
    pub(super) file: &'a DownloadedFile,
    pub(super) current: Option<&'a Meta>,
    /// The last download's note, if it still counts.
    pub(super) note: Option<&'a Note>,
    pub(super) progress: &'a dyn UpdateProgress,
}

impl Request<'_> {
    /// Requests the first of these URLs that exists: the only file, or its months, newest first.
    pub(super) async fn newest(&self, urls: &[String]) -> Result<Answer, UpdateError> {
        let (is_months, mut missing) = (urls.len() > 1, None);
        for url in urls {
            // Months up to the active edition's are not fetched again.
            let is_last = is_months && self.current.is_some_and(|current| is_of_file(current, url));
            match self.one(url, is_last).await {
                Err(error) if error.is_not_found() && is_last => return Ok(Answer::Imported),
                Err(error) if error.is_not_found() => missing = Some(error),
                Err(error) => return Err(error),
                // The importer names a page in place of the only file.
                Ok((_, true)) if is_months => {
                    missing = Some(UpdateError::WebPage { dataset: self.dataset.name, url: url.clone() });
                    if is_last {
                        break;
                    }
                }
                Ok((answer, _)) => return Ok(answer),
            }
        }
        Err(missing.unwrap_or(UpdateError::NoAddress { dataset: self.dataset }))
    }

    /// Requests `url`, conditional on the version that was refused or imported. Also returns whether a web page was
    /// sent instead.
    async fn one(&self, url: &str, is_last: bool) -> Result<(Answer, bool), UpdateError> {
        let note = self.note.filter(|note| note.version.name == without_secrets(url));
        let made = self.current.and_then(|current| made_from(current, url));
        let known = note.map(|note| &note.version).or(made);
        if is_last && !known.is_some_and(FileVersion::is_versioned) {
            return Ok((Answer::Imported, false));
        }
        Ok(match self.fetch(url, known).await? {
            Fetched::New { version, html, .. } => (Answer::New(version), html),
            Fetched::Unchanged => {
                let refused = note.and_then(|note| Some((note.refused.clone()?, note.by_guard)));
                (refused.map_or(Answer::Imported, |(cause, by_guard)| Answer::Refused { cause, by_guard }), false)
            }
        })
    }

    /// Fetches `url` unless it is the known version.
    pub(super) async fn fetch(&self, url: &str, known: Option<&FileVersion>) -> Result<Fetched, UpdateError> {
        let report = |bytes, total| self.progress.received(bytes, total);
        let fetched = self.downloader.fetch(url, known, &self.file.path, &report).await;
        let fetched = fetched.map_err(|source| UpdateError::Download { dataset: self.dataset.name, source })?;
        if matches!(fetched, Fetched::New { html: true, .. }) {
            let (url, dataset) = (without_secrets(url), self.dataset.name);
            tracing::warn!(url, dataset, "the server sent an HTML page");
        }
        Ok(fetched)
    }
}

fn made_from<'a>(edition: &'a Meta, url: &str) -> Option<&'a FileVersion> {
    Some(&edition.source.version).filter(|version| version.name == without_secrets(url))
}

fn is_of_file(edition: &Meta, url: &str) -> bool {
    file_name(&edition.source.version.name) == file_name(url)
}

fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}
