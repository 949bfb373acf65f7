//! Requests the newest published file, unless the current edition was made from it.

use kuraka_registry::FileVersion;
use kuraka_registry::dataset::Dataset;
use reqwest::StatusCode;

use super::current::Current;
use super::error::UpdateError;
use super::note::Note;
use super::progress::UpdateProgress;
use crate::address::without_secrets;
use crate::download::{DownloadError, Downloader, Fetched};
use crate::registry::downloads::KeptFile;

/// A published file, after a request to its server.
pub(super) enum Asked {
    /// The current edition was made from it.
    Imported,
    /// It was refused before, for this reason.
    Refused(String),
    /// Its bytes are here, in this version.
    Here(FileVersion),
    /// There is a web page instead, which is here.
    WebPage(FileVersion),
}

/// What every request for a dataset's file needs.
pub(super) struct Ask<'a> {
    pub(super) dataset: &'static Dataset,
    pub(super) downloader: &'a Downloader,
    pub(super) file: &'a KeptFile,
    /// Whether a file that was refused before is fetched again.
    pub(super) force: bool,
    pub(super) progress: &'a dyn UpdateProgress,
}

impl Ask<'_> {
    /// Requests the first of these addresses that exists. They are those of one file, or of its months, the newest
    /// first. `current` is the edition to compare with.
    pub(super) async fn newest(&self, urls: &[String], current: Option<&Current>) -> Result<Asked, UpdateError> {
        let (is_months, mut missing) = (urls.len() > 1, None);
        for url in urls {
            // A month that is not newer than the current edition's is not fetched again.
            let is_last = is_months && current.is_some_and(|current| current.is_of_file(url));
            match self.one(url, current, is_last).await {
                Err(DownloadError::Status { status: StatusCode::NOT_FOUND | StatusCode::GONE, .. }) if is_last => {
                    return Ok(Asked::Imported);
                }
                Err(error @ DownloadError::Status { status: StatusCode::NOT_FOUND | StatusCode::GONE, .. }) => {
                    missing = Some(self.not_fetched(error));
                }
                Err(error) => return Err(self.not_fetched(error)),
                Ok(Asked::WebPage(_)) if is_months => {
                    self.file.remove();
                    missing = Some(UpdateError::WebPage { dataset: self.dataset.name, url: url.clone() });
                    if is_last {
                        break;
                    }
                }
                // The importer says what a page in place of the only file is.
                Ok(Asked::WebPage(version) | Asked::Here(version)) => {
                    self.file.write_note(&Note::fetched(version.clone()))?;
                    return Ok(Asked::Here(version));
                }
                Ok(asked @ (Asked::Imported | Asked::Refused(_))) => return Ok(asked),
            }
        }
        Err(missing.unwrap_or(UpdateError::NoAddress { dataset: self.dataset }))
    }

    /// Requests the file at `url`, conditional on the version that is here, that was refused, or that the current edition was made from.
    async fn one(&self, url: &str, current: Option<&Current>, is_last: bool) -> Result<Asked, DownloadError> {
        let note = self.file.read_note::<Note>().filter(|note| note.version.name == url);
        let made = current.and_then(|current| current.made_from(url, note.as_ref()));
        let is_here = self.file.exists();
        let refused = note.as_ref().filter(|_| !is_here && !self.force);
        let refused = refused.and_then(|note| Some((note.version.clone(), note.why_refused()?.to_owned())));
        let (refused, why) = refused.unzip();
        let here = note.filter(|_| is_here).map(|note| note.version);
        let known = here.clone().or(refused).or_else(|| made.clone()).unwrap_or_else(|| FileVersion::unversioned(url));
        if is_last && !known.is_versioned() {
            return Ok(Asked::Imported);
        }
        let version = match self.download(&known).await? {
            Fetched::New { version, html: true, .. } => return Ok(Asked::WebPage(version)),
            Fetched::New { version, .. } => version,
            Fetched::Unchanged if here.is_none() => return Ok(why.map_or(Asked::Imported, Asked::Refused)),
            Fetched::Unchanged => known,
        };
        let is_made = version.is_versioned() && made.as_ref() == Some(&version);
        Ok(if is_made { Asked::Imported } else { Asked::Here(version) })
    }

    /// Requests a file unless it is the known version.
    pub(super) async fn download(&self, known: &FileVersion) -> Result<Fetched, DownloadError> {
        let report = |bytes, total| self.progress.received(self.dataset.name, bytes, total);
        let fetched = self.downloader.fetch(known, &self.file.path, &report).await?;
        if matches!(fetched, Fetched::New { html: true, .. }) {
            let (url, name) = (without_secrets(&known.name), self.dataset.name);
            tracing::warn!(url, "what was fetched for the {name} looks like a web page");
        }
        Ok(fetched)
    }

    pub(super) const fn not_fetched(&self, source: DownloadError) -> UpdateError {
        UpdateError::Download { dataset: self.dataset.name, source }
    }
}
