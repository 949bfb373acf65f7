//! The part on the disk: where it lies, how far it is, and how it becomes the file.

use std::fs::{File, TryLockError};
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use tokio::fs;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use super::DownloadError;
use super::note::Note;

/// How much of a file is looked at to tell a web page.
const HEAD: u64 = 512;

/// A file that is being fetched.
#[derive(Debug)]
pub(super) struct Partial {
    target: PathBuf,
    part: PathBuf,
    note: PathBuf,
}

/// A part that the next request can go on with.
#[derive(Debug)]
pub(super) struct Begun {
    /// Bytes it holds, at least one.
    pub(super) bytes: u64,
    /// What it is a part of.
    pub(super) note: Note,
}

impl Partial {
    /// The part of the file `target`.
    pub(super) fn beside(target: &Path) -> Self {
        Self {
            target: target.to_owned(),
            part: target.with_added_extension("part"),
            note: target.with_added_extension("part.note"),
        }
    }

    /// Keeps other processes away until the result is dropped.
    pub(super) fn lock(&self) -> Result<File, DownloadError> {
        let path = self.target.with_added_extension("lock");
        let locked = File::options().create(true).append(true).open(&path).map(|file| (file.try_lock(), file));
        match locked {
            Ok((Ok(()), file)) => Ok(file),
            Ok((Err(TryLockError::WouldBlock), _)) => Err(DownloadError::Busy { path: self.target.clone() }),
            Ok((Err(TryLockError::Error(source)), _)) | Err(source) => Err(DownloadError::File { path, source }),
        }
    }

    /// What an earlier attempt at `url` has left, if it can be gone on with.
    pub(super) async fn begun(&self, url: &str) -> Result<Option<Begun>, DownloadError> {
        let (Some(text), Some(part)) = (
            self.unless_missing(fs::read_to_string(&self.note).await)?,
            self.unless_missing(fs::metadata(&self.part).await)?,
        ) else {
            return Ok(None);
        };
        let note = Note::read(&text).filter(|note| note.url == url && note.if_range().is_some());
        Ok(note.map(|note| Begun { bytes: part.len(), note }).filter(|begun| begun.bytes > 0))
    }

    /// An empty part of the version that `note` describes.
    pub(super) async fn start(&self, note: &Note) -> Result<fs::File, DownloadError> {
        // In this order, so that a note never describes another version's bytes, whenever the process dies.
        self.discard().await?;
        self.done(fs::write(&self.note, note.write()).await)?;
        self.done(fs::File::create(&self.part).await)
    }

    /// The part, cut to `bytes` and to be written to from there.
    pub(super) async fn go_on(&self, bytes: u64) -> Result<fs::File, DownloadError> {
        self.done(self.open_at(bytes).await)
    }

    async fn open_at(&self, bytes: u64) -> io::Result<fs::File> {
        // Not in append mode: a write that a dropped attempt has left under way then ends up where it belongs.
        let mut file = fs::File::options().write(true).open(&self.part).await?;
        file.set_len(bytes).await?;
        file.seek(SeekFrom::Start(bytes)).await?;
        Ok(file)
    }

    /// Appends bytes.
    pub(super) async fn append(&self, file: &mut fs::File, bytes: &[u8]) -> Result<(), DownloadError> {
        self.done(file.write_all(bytes).await)
    }

    /// Hands over what is still in memory, so that the part's length on the disk is true.
    pub(super) async fn flush(&self, file: &mut fs::File) -> Result<(), DownloadError> {
        self.done(file.flush().await)
    }

    /// Forgets the part.
    pub(super) async fn discard(&self) -> Result<(), DownloadError> {
        self.unless_missing(fs::remove_file(&self.part).await)?;
        self.unless_missing(fs::remove_file(&self.note).await)?;
        Ok(())
    }

    /// Makes the part the file, durably. The first bytes are returned.
    pub(super) async fn finish(&self, file: fs::File) -> Result<Vec<u8>, DownloadError> {
        self.done(self.publish(file).await)
    }

    async fn publish(&self, file: fs::File) -> io::Result<Vec<u8>> {
        file.sync_all().await?;
        fs::rename(&self.part, &self.target).await?;
        // A bare file name has an empty parent.
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::File::open(folder).await?.sync_all().await?;
        fs::remove_file(&self.note).await?;
        let mut head = Vec::new();
        fs::File::open(&self.target).await?.take(HEAD).read_to_end(&mut head).await?;
        Ok(head)
    }

    fn unless_missing<T>(&self, outcome: io::Result<T>) -> Result<Option<T>, DownloadError> {
        match outcome {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            outcome => self.done(outcome).map(Some),
        }
    }

    fn done<T>(&self, outcome: io::Result<T>) -> Result<T, DownloadError> {
        outcome.map_err(|source| DownloadError::File { path: self.part.clone(), source })
    }
}
