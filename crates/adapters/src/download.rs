//! Downloads of large files: conditional, resumable, and under their final name only when complete.
//!
//! A transfer writes to `<name>.part`, with a note of the file's version beside it; the next attempt, of any process,
//! requests the rest of that version. The importer's checksums verify the whole file. The note of a whole file stays:
//! after a kill, the next process only asks whether the file is still that version. A broken transfer and a 5xx are
//! tried again after a wait; other refusals are final.

mod answer;
mod downloader;
mod error;
pub(crate) mod note;
mod partial;
mod retries;
mod transfer;

pub use downloader::Downloader;
pub use error::{DownloadError, TransferError};
pub(crate) use partial::{lock, version_of};
pub use retries::DownloadLimits;
pub use transfer::{Fetched, OnProgress};

/// SUNAT answers 403 on its lists to clients that do not look like a browser; this looks like one without hiding its
/// name.
pub const USER_AGENT: &str = concat!("Mozilla/5.0 (X11; Linux x86_64) Kuraka/", env!("CARGO_PKG_VERSION"));
