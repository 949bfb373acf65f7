//! Downloads of large files: conditional, resumable, and visible under their final name only when complete.
//!
//! A transfer writes to `<name>.part` and keeps a note of the file's version next to it. The next attempt, in this
//! process or a later one, requests the rest of that version. The part is not checked after a power cut: the importer's
//! checksums verify the whole file. The note of a whole file stays beside it: if the process is killed before it uses the
//! file, the next one only asks whether the file is still that version.
//! A transfer that breaks off and an answer 5xx are tried again, with waits between; any other refusal is final.
//! This module does not interpret the files it fetches, except to recognise a web page.

mod answer;
mod backoff;
mod downloader;
mod error;
mod limits;
pub(crate) mod note;
mod partial;
mod redirect;
mod retries;
mod transfer;

pub use downloader::Downloader;
pub use error::{DownloadError, TransferError};
pub use limits::DownloadLimits;
pub(crate) use partial::{lock, version_of};
pub use transfer::{Fetched, OnProgress};

/// The `User-Agent` of downloads. SUNAT answers 403 on its lists to clients that do not look like a browser, so this
/// looks like one without hiding its name.
pub const USER_AGENT: &str = concat!("Mozilla/5.0 (X11; Linux x86_64) Kuraka/", env!("CARGO_PKG_VERSION"));
