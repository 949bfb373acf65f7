//! Downloads of large files: conditional, resumed where they broke off, and in place only when complete.
//!
//! A transfer goes to `<name>.part`, with a note beside it that says which version of the file it is a part of; the
//! next attempt, in this process or a later one, asks for the rest of that version. What a power cut leaves of a
//! part is not checked: the importer's own checksums are the judge of the whole file.
//! This module refuses to know what is in the files it fetches, except whether it looks like a web page.

mod answer;
mod error;
mod note;
mod partial;
mod transfer;

use std::path::Path;
use std::time::Duration;

use kuraka_ports::chain;
use reqwest::Client;

pub use error::{Broken, DownloadError};

use partial::Partial;
use transfer::{Attempt, Transfer};

/// What the downloads call themselves. The tax authority answers 403 on its lists to what does not look like a
/// browser, so that this looks like one without hiding its name.
pub const USER_AGENT: &str = concat!("Mozilla/5.0 (X11; Linux x86_64) Kuraka/", env!("CARGO_PKG_VERSION"));

/// The longest wait between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// What a server says about the version of a file; to be asked with next time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`, quotes included.
    pub etag: Option<String>,
    /// `Last-Modified`, an HTTP date.
    pub last_modified: Option<String>,
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait after the first broken attempt; it doubles with each, up to a minute.
    pub pause: Duration,
    /// Bytes of the largest file that is accepted.
    pub max_bytes: u64,
}

/// What a download came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// The file is in place.
    New {
        /// What the server says about this version.
        validators: Validators,
        /// Bytes of the file.
        bytes: u64,
        /// Whether its content type or its first bytes say that it is a web page: an error page, most likely.
        html: bool,
    },
    /// The server says that its file is the one already known.
    Unchanged,
}

/// Fetches files.
#[derive(Clone, Debug)]
pub struct Downloader {
    client: Client,
    limits: DownloadLimits,
}

/// Bytes of the file that are on the disk, and of the whole file if the server says how many.
pub type OnProgress<'a> = &'a (dyn Fn(u64, Option<u64>) + Send + Sync);

impl Default for DownloadLimits {
    /// Five attempts within about fifteen seconds of pauses, and 4 GiB: the zip's own limit.
    fn default() -> Self {
        Self { attempts: 5, pause: Duration::from_secs(1), max_bytes: 4 << 30 }
    }
}

impl Downloader {
    /// Fetches with `client`, which must not follow redirects (see [`crate::http::client`]).
    #[must_use]
    pub const fn new(client: Client, limits: DownloadLimits) -> Self {
        Self { client, limits }
    }

    /// Fetches `url` into the file `into`, whose folder exists, unless the server says that `known` is still current.
    ///
    /// `into` is replaced only by a complete file. Safe to call again after an error, a dropped future or a killed
    /// process: what has arrived is kept for as long as the server has the same version.
    ///
    /// # Errors
    /// [`DownloadError`].
    pub async fn fetch(
        &self,
        url: &str,
        known: &Validators,
        into: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Fetched, DownloadError> {
        let partial = Partial::beside(into);
        let _lock = partial.lock()?;
        let mut transfer = Transfer {
            client: &self.client,
            url,
            known,
            partial: &partial,
            max_bytes: self.limits.max_bytes,
            on_progress,
        };
        let mut pause = self.limits.pause;
        let mut attempt = 1;
        loop {
            match transfer.attempt().await? {
                Attempt::Done(fetched) => return Ok(fetched),
                Attempt::Broken(source) if attempt >= self.limits.attempts => {
                    return Err(DownloadError::Transfer { url: url.to_owned(), attempts: attempt, source });
                }
                Attempt::Broken(cause) => {
                    tracing::warn!(url, attempt, cause = chain(&cause), "a download broke off and is tried again");
                    tokio::time::sleep(pause).await;
                    pause = pause.saturating_mul(2).min(MAX_PAUSE);
                    attempt += 1;
                }
            }
        }
    }
}
