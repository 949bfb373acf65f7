//! Why an update fails.

use kuraka_registry::ImportError;
use thiserror::Error;

use crate::download::DownloadError;
use crate::registry::downloads::FolderError;

/// Why an update failed. The current edition stays.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// The padrón's URL is not set.
    #[error("there is no address of the padrón: set registry.padron_url")]
    NoAddress,
    /// The padrón could not be fetched.
    #[error("the padrón could not be fetched")]
    Download(#[source] DownloadError),
    /// The files were fetched but not published.
    #[error("what was fetched is not published")]
    Import(#[source] ImportError),
    /// The registry's folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The kept editions cannot be read.
    #[error("the kept editions cannot be read")]
    Editions(#[source] kuraka_registry::OpenError),
    /// The import's thread panicked. The panic is no source, because its message can quote a row.
    #[error("the import stopped in a panic")]
    Stopped(tokio::task::JoinError),
}
