//! Why an update fails.

use kuraka_registry::ImportError;
use kuraka_registry::dataset::Dataset;
use thiserror::Error;

use crate::download::DownloadError;
use crate::registry::downloads::FolderError;

/// Why an update failed. The current edition stays.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// The dataset's URL is not set.
    #[error("{} has no address: set {}", dataset.name, setting(dataset))]
    NoAddress {
        /// The dataset.
        dataset: &'static Dataset,
    },
    /// The file could not be fetched.
    #[error("{dataset} could not be fetched")]
    Download {
        /// The dataset's name.
        dataset: &'static str,
        /// Why not.
        source: DownloadError,
    },
    /// The file was fetched but not published.
    #[error("what was fetched is not published")]
    Import(#[source] ImportError),
    /// The dataset's folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The kept editions cannot be read.
    #[error("the kept editions cannot be read")]
    Editions(#[source] kuraka_registry::OpenError),
    /// The import's thread panicked. The panic is no source, because its message can quote a row.
    #[error("the import stopped in a panic")]
    Stopped(tokio::task::JoinError),
}

impl UpdateError {
    /// Whether the next try may succeed without an operator. A guard and a server that refuses do not change soon.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::NoAddress { .. }
            | Self::Download {
                source: DownloadError::Status { .. } | DownloadError::Redirect { .. } | DownloadError::Address { .. },
                ..
            }
            | Self::Import(ImportError::Guard(_)) => false,
            Self::Download { .. } | Self::Import(_) | Self::Folder(_) | Self::Editions(_) | Self::Stopped(_) => true,
        }
    }
}

/// The setting with a dataset's address.
fn setting(dataset: &Dataset) -> String {
    if dataset.is_padron() { "registry.padron_url".to_owned() } else { format!("datasets.{}.url", dataset.name) }
}
