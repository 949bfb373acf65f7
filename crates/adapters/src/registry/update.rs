//! Bringing the registry up to date: ask for the three files, fetch what has changed, import it.
//!
//! The files stay in `downloads/` of the registry's folder, each with a note of its version, so that a refused import
//! can be forced and a changed list be imported without fetching the padrón again. Whether an edition is good enough
//! to be published is the importer's business, not this module's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_registry::{
    ImportError, ImportReport, ImportRequest, Meta, NoProgress, Origin, Progress, SourceFile, SourceMeta,
};
use thiserror::Error;

use super::note::{self, Version};
use crate::download::{DownloadError, Downloader, Fetched, Validators};

/// Where the three files are published; an empty address = the file is not fetched.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// The padrón.
    pub padron: String,
    /// The list of withholding agents.
    pub withholding: String,
    /// The list of good taxpayers.
    pub good_taxpayers: String,
}

/// Told how an update goes: what an import tells, and before it the bytes of each file.
pub trait UpdateProgress: Progress + Send + Sync {
    /// So many of so many bytes of a file have come.
    fn received(&self, file: &'static str, bytes: u64, total: Option<u64>);
}

/// Nobody watches: how it ended is enough.
impl UpdateProgress for NoProgress {
    fn received(&self, _file: &'static str, _bytes: u64, _total: Option<u64>) {}
}

/// What an update came to.
#[derive(Debug)]
pub struct Updated {
    /// What was imported; `None` = the edition that answers was made from the files as they are published now.
    pub imported: Option<ImportReport>,
    /// Lists that could not be fetched: the previous edition's are carried over.
    pub missing_lists: Vec<(&'static str, DownloadError)>,
}

/// Why an update did not succeed. The edition that answered still does.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// There is no address for the padrón.
    #[error("there is no address of the padrón: set registry.padron_url")]
    NoAddress,
    /// The padrón could not be fetched.
    #[error("the padrón could not be fetched")]
    Download(#[source] DownloadError),
    /// The files were fetched but not published.
    #[error("what was fetched is not published")]
    Import(#[source] ImportError),
    /// The registry's folder cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The kept editions cannot be read.
    #[error("the kept editions cannot be read")]
    Editions(#[source] kuraka_registry::OpenError),
    /// The import's thread died.
    #[error("the import stopped")]
    Stopped(#[source] tokio::task::JoinError),
}

/// Brings one registry folder up to date.
pub struct RegistryUpdate {
    folder: PathBuf,
    addresses: Addresses,
    downloader: Downloader,
}

/// One of the three files after it was asked for.
struct Asked {
    version: Version,
    /// Where its bytes are; `None` = they were not kept, and the edition that answers has them.
    path: Option<PathBuf>,
}

impl RegistryUpdate {
    /// For the registry in `folder`.
    #[must_use]
    pub fn new(folder: PathBuf, addresses: Addresses, downloader: Downloader) -> Self {
        Self { folder, addresses, downloader }
    }

    /// Asks, fetches and imports. `today` is Peru's; `force` overrides the importer's guards.
    ///
    /// Safe to call again after an error or a dropped future: what has arrived is kept.
    ///
    /// # Errors
    /// [`UpdateError`].
    pub async fn run(
        &self,
        today: Date,
        force: bool,
        progress: Arc<dyn UpdateProgress>,
    ) -> Result<Updated, UpdateError> {
        let Addresses { padron, withholding, good_taxpayers } = &self.addresses;
        if padron.is_empty() {
            return Err(UpdateError::NoAddress);
        }
        let downloads = self.folder.join("downloads");
        fs::create_dir_all(&downloads).map_err(|source| UpdateError::Folder { path: downloads.clone(), source })?;
        let meta = self.current()?;
        let of = |list: fn(&Meta) -> Option<&SourceMeta>| meta.as_ref().and_then(list);
        let known = of(|meta| Some(&meta.padron));
        let progress_of = progress.as_ref();
        let mut asked = self.ask("padrón", padron, &downloads.join("padron"), known, progress_of).await?;

        let mut missing_lists = Vec::new();
        let lists = [
            ("withholding agents", withholding, "withholding", of(|meta| meta.withholding.as_ref().map(|l| &l.source))),
            (
                "good taxpayers",
                good_taxpayers,
                "good_taxpayers",
                of(|meta| meta.good_taxpayers.as_ref().map(|l| &l.source)),
            ),
        ];
        let mut listed = Vec::new();
        let mut lists_changed = false;
        for (name, url, file, known) in lists {
            let outcome = match url.as_str() {
                "" => None,
                url => match self.ask(name, url, &downloads.join(file), known, progress_of).await {
                    Ok(asked) => Some(asked),
                    Err(UpdateError::Download(error)) => {
                        missing_lists.push((name, error));
                        None
                    }
                    Err(error) => return Err(error),
                },
            };
            lists_changed |= outcome.as_ref().is_some_and(|asked| !asked.is(known));
            listed.push(outcome.and_then(Asked::into_source));
        }
        if asked.is(known) && !lists_changed && !force {
            return Ok(Updated { imported: None, missing_lists });
        }
        if asked.path.is_none() {
            // The edition has the padrón's rows, but a changed list needs the file itself once more.
            asked = self.ask("padrón", padron, &downloads.join("padron"), None, progress_of).await?;
        }
        let (good_taxpayers, withholding) = (listed.pop().flatten(), listed.pop().flatten());
        let date = asked.version.last_modified.as_deref().and_then(published_on).map(|date| date.min(today));
        let padron = asked.into_source().ok_or(UpdateError::NoAddress)?;
        let request =
            ImportRequest { padron, withholding, good_taxpayers, date, today, origin: Origin::Published, force };
        let folder = self.folder.clone();
        let import = tokio::task::spawn_blocking(move || kuraka_registry::import(&folder, &request, progress.as_ref()));
        let report = import.await.map_err(UpdateError::Stopped)?.map_err(UpdateError::Import)?;
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
        let downloads = self.folder.join("downloads");
        fs::create_dir_all(&downloads).map_err(|source| UpdateError::Folder { path: downloads.clone(), source })?;
        let asked = self.ask(name, url, &downloads.join(format!("by-hand-{name}")), None, progress).await?;
        asked.into_source().ok_or(UpdateError::NoAddress)
    }

    fn current(&self) -> Result<Option<Meta>, UpdateError> {
        let kept = kuraka_registry::editions(&self.folder).map_err(UpdateError::Editions)?;
        Ok(kept.into_iter().find(|kept| kept.current).map(|kept| kept.meta))
    }

    /// Asks for one file: conditionally on what is kept of it, else on what the edition that answers was made from.
    async fn ask(
        &self,
        name: &'static str,
        url: &str,
        path: &Path,
        imported: Option<&SourceMeta>,
        progress: &dyn UpdateProgress,
    ) -> Result<Asked, UpdateError> {
        let note_path = path.with_extension("note");
        let kept: Option<Version> = path.exists().then(|| note::read(&note_path)).flatten();
        let kept = kept.filter(|version| version.url == url);
        let known = match (&kept, imported) {
            (Some(version), _) => version.validators(),
            (None, Some(source)) if source.name == url => {
                Validators { etag: source.etag.clone(), last_modified: source.last_modified.clone() }
            }
            (None, Some(_) | None) => Validators::default(),
        };
        let report = |bytes, total| progress.received(name, bytes, total);
        match self.downloader.fetch(url, &known, path, &report).await.map_err(UpdateError::Download)? {
            Fetched::New { validators, html, .. } => {
                if html {
                    tracing::warn!(url, "what was fetched for the {name} looks like a web page");
                }
                let version = Version::new(url, validators);
                note::write(&note_path, &version).map_err(|source| UpdateError::Folder { path: note_path, source })?;
                Ok(Asked { version, path: Some(path.to_owned()) })
            }
            Fetched::Unchanged => {
                let is_kept = kept.is_some();
                Ok(Asked { version: Version::new(url, known), path: is_kept.then(|| path.to_owned()) })
            }
        }
    }
}

impl Asked {
    /// Whether this is the very version that an edition was made from.
    fn is(&self, imported: Option<&SourceMeta>) -> bool {
        let Version { url, etag, last_modified } = &self.version;
        let versioned = etag.is_some() || last_modified.is_some();
        versioned
            && imported.is_some_and(|source| {
                source.name == *url && source.etag == *etag && source.last_modified == *last_modified
            })
    }

    fn into_source(self) -> Option<SourceFile> {
        let Version { url, etag, last_modified } = self.version;
        self.path.map(|path| SourceFile { path, name: url, etag, last_modified })
    }
}

/// The day in Peru of an HTTP date.
fn published_on(last_modified: &str) -> Option<Date> {
    let seconds = jiff::fmt::rfc2822::parse(last_modified).ok()?.timestamp().as_second();
    Date::in_peru(seconds)
}
