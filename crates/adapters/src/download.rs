//! Downloads of large files: conditional, resumed where they broke off, and in place only when complete.
//!
//! A transfer goes to `<name>.part`, with a note of the file's version beside it. The next attempt, in this process or
//! a later one, asks for the rest of that version. After a power cut the part is not checked: the importer's own
//! checksums judge the whole file.
//! This module refuses to know what is in the files it fetches, except whether it looks like a web page.

mod answer;
mod downloader;
mod error;
pub(crate) mod note;
mod partial;
mod transfer;

pub use downloader::{DownloadLimits, Downloader};
pub use error::{Broken, DownloadError};
pub use transfer::{Fetched, OnProgress};

/// The `User-Agent` of downloads. SUNAT answers 403 on its lists to clients that do not look like a browser, so this
/// looks like one without hiding its name.
pub const USER_AGENT: &str = concat!("Mozilla/5.0 (X11; Linux x86_64) Kuraka/", env!("CARGO_PKG_VERSION"));
