//! One download: attempts until the file is complete.

use std::path::Path;
use std::time::Duration;

use kuraka_registry::FileVersion;
use reqwest::Client;

use super::error::DownloadError;
use super::partial::Partial;
use super::transfer::{Attempt, Fetched, OnProgress, Transfer};
use kuraka_ports::chain;

/// The longest wait between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// How many attempts to make, how long to wait between them, and how large a file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait after the first broken attempt; it doubles with each, up to a minute.
    pub pause: Duration,
    /// Bytes of the largest file that is accepted.
    pub max_bytes: u64,
}

impl Default for DownloadLimits {
    /// Five attempts within about fifteen seconds of pauses, and 4 GiB: the zip's own limit.
    fn default() -> Self {
        Self { attempts: 5, pause: Duration::from_secs(1), max_bytes: 4 << 30 }
    }
}

/// Fetches files.
#[derive(Clone, Debug)]
pub struct Downloader {
    client: Client,
    limits: DownloadLimits,
}

impl Downloader {
    /// Fetches with `client`, which must not follow redirects (see [`crate::http::client`]).
    #[must_use]
    pub const fn new(client: Client, limits: DownloadLimits) -> Self {
        Self { client, limits }
    }

    /// Fetches the file at the URL `known.name` into the file `into`, whose folder exists, unless the server says that
    /// the known version is still the current one.
    ///
    /// `into` is replaced only by a complete file. Safe to call again after an error, a dropped future or a killed
    /// process: received bytes are kept as long as the server has the same version.
    ///
    /// # Errors
    /// [`DownloadError`].
    pub async fn fetch(
        &self,
        known: &FileVersion,
        into: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Fetched, DownloadError> {
        let url = &known.name;
        let partial = Partial::beside(into);
        let _lock = partial.lock()?;
        let transfer =
            Transfer { client: &self.client, known, partial: &partial, max_bytes: self.limits.max_bytes, on_progress };
        let mut pause = self.limits.pause;
        let mut attempt = 1;
        loop {
            match transfer.attempt().await? {
                Attempt::Done(fetched) => return Ok(fetched),
                Attempt::Broken(source) if attempt >= self.limits.attempts => {
                    return Err(DownloadError::Transfer { url: url.clone(), attempts: attempt, source });
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
