//! The part of a file on the disk, and how it becomes the file.

use std::fs::File;
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use kuraka_registry::FileVersion;
use tokio::fs;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use super::error::DownloadError;
use super::note;
use crate::files::{self, FileError, try_lock};

/// Bytes for recognising a web page.
const HEAD: u64 = 512;

#[derive(Debug)]
pub(super) struct Partial {
    target: PathBuf,
    part: PathBuf,
    note: PathBuf,
    version: PathBuf,
}

#[derive(Debug)]
pub(super) struct Begun {
    /// Bytes it holds, at least one.
    pub(super) bytes: u64,
    pub(super) version: FileVersion,
}

/// `If-Range` of a request for the rest; `None` = the version is unknown.
pub(super) fn if_range(version: &FileVersion) -> Option<&str> {
    // A weak tag does not promise the same bytes.
    let strong = version.etag.as_deref().filter(|etag| etag.starts_with('"'));
    strong.or(version.last_modified.as_deref())
}

pub(crate) fn version_of(target: &Path) -> PathBuf {
    target.with_added_extension("version")
}

pub(crate) fn lock(target: &Path) -> Result<File, DownloadError> {
    let file = try_lock(&target.with_added_extension("lock"))?;
    file.ok_or_else(|| DownloadError::Busy { path: target.to_owned() })
}

impl Partial {
    pub(super) fn beside(target: &Path) -> Self {
        Self {
            target: target.to_owned(),
            part: target.with_added_extension("part"),
            note: target.with_added_extension("part.note"),
            version: version_of(target),
        }
    }

    pub(super) fn whole(&self, name: &str) -> Option<FileVersion> {
        let version = note::read::<FileVersion>(&self.version).filter(|_| self.target.exists());
        version.filter(|version| version.name == name && version.is_versioned())
    }

    pub(super) async fn begun(&self, name: &str) -> Result<Option<Begun>, DownloadError> {
        let Some(part) = self.unless_missing(fs::metadata(&self.part).await)? else { return Ok(None) };
        let version = note::read::<FileVersion>(&self.note);
        let version = version.filter(|version| version.name == name && if_range(version).is_some());
        Ok(version.map(|version| Begun { bytes: part.len(), version }).filter(|begun| begun.bytes > 0))
    }

    /// An empty part of this version.
    pub(super) async fn start(&self, version: &FileVersion) -> Result<fs::File, DownloadError> {
        // In this order, so that a note never describes another version's bytes.
        self.discard().await?;
        self.unless_missing(fs::remove_file(&self.version).await)?;
        self.done(note::write(&self.note, version))?;
        self.done(fs::File::create(&self.part).await)
    }

    /// The part, cut to `bytes` and open for writing from there.
    pub(super) async fn go_on(&self, bytes: u64) -> Result<fs::File, DownloadError> {
        // Not in append mode: a dropped attempt's late write goes to its own offset.
        let mut file = self.done(fs::File::options().write(true).open(&self.part).await)?;
        self.done(file.set_len(bytes).await)?;
        self.done(file.seek(SeekFrom::Start(bytes)).await)?;
        Ok(file)
    }

    pub(super) async fn append(&self, file: &mut fs::File, bytes: &[u8]) -> Result<(), DownloadError> {
        self.done(file.write_all(bytes).await)
    }

    pub(super) async fn flush(&self, file: &mut fs::File) -> Result<(), DownloadError> {
        self.done(file.flush().await)
    }

    pub(super) async fn discard(&self) -> Result<(), DownloadError> {
        self.unless_missing(fs::remove_file(&self.part).await)?;
        self.unless_missing(fs::remove_file(&self.note).await)?;
        Ok(())
    }

    /// Makes the part the file, durably. Its note stays, for a killed import.
    pub(super) async fn finish(&self, file: fs::File) -> Result<(), DownloadError> {
        self.done(file.sync_all().await)?;
        self.done(files::replace(&self.part, &self.target))?;
        self.done(files::replace(&self.note, &self.version))
    }

    /// The first bytes of the whole file.
    pub(super) async fn head(&self) -> Result<Vec<u8>, DownloadError> {
        let (file, mut head) = (self.done(fs::File::open(&self.target).await)?, Vec::new());
        self.done(file.take(HEAD).read_to_end(&mut head).await)?;
        Ok(head)
    }

    fn unless_missing<T>(&self, outcome: io::Result<T>) -> Result<Option<T>, DownloadError> {
        match outcome {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            outcome => self.done(outcome).map(Some),
        }
    }

    fn done<T>(&self, outcome: io::Result<T>) -> Result<T, DownloadError> {
        Ok(outcome.map_err(FileError::at(&self.part))?)
    }
}
