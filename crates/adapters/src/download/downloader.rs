//! One download: attempts until the file is complete.

use std::path::Path;
use std::time::Duration;

use kuraka_registry::FileVersion;
use kuraka_registry::dataset::Dataset;
use reqwest::Client;

use super::error::DownloadError;
use super::partial::Partial;
use super::retries::{DownloadLimits, Retries};
use super::transfer::{Attempt, Fetched, OnProgress, Transfer};
use crate::address::without_secrets;

/// For texts, all attempts included; 50,000 names of change lists.
const TEXT: (u64, Duration) = (4 << 20, Duration::from_secs(30));

#[derive(Clone, Debug)]
pub struct Downloader {
    client: Client,
    limits: DownloadLimits,
    user_agent: Option<&'static str>,
}

impl Downloader {
    /// Fetches with `client`, which must not follow redirects (see [`crate::http::client`]).
    pub const fn new(client: Client, limits: DownloadLimits) -> Self {
        Self { client, limits, user_agent: None }
    }

    pub fn for_dataset(&self, dataset: &Dataset) -> Self {
        let limits = self.limits.for_dataset(dataset);
        Self { client: self.client.clone(), limits, user_agent: dataset.user_agent }
    }

    /// For a text, such as checksums: at most 4 MiB, within 30 seconds.
    pub fn for_text(&self) -> Self {
        let limits = DownloadLimits { max_bytes: TEXT.0, total: self.limits.total.min(TEXT.1), ..self.limits };
        Self { limits, ..self.clone() }
    }

    pub(crate) const fn pause(&self) -> Duration {
        self.limits.pause
    }

    /// Fetches `url` into the file `into`, whose folder exists and which nothing else writes, unless the known version
    /// is current. Follows redirects on the same host and from https to https, because a publisher may hand out
    /// temporary addresses.
    ///
    /// `into` is replaced only by a complete file. Safe to call again after an error, a dropped future or a kill:
    /// received bytes are kept while the server has the same version, and a whole file is not received again.
    ///
    /// # Errors
    /// [`DownloadError`].
    pub async fn fetch(
        &self,
        url: &str,
        known: Option<&FileVersion>,
        into: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Fetched, DownloadError> {
        let partial = Partial::beside(into);
        let whole = partial.whole(&without_secrets(url));
        let transfer = Transfer {
            client: &self.client,
            user_agent: self.user_agent,
            url,
            known: whole.as_ref().or(known),
            whole: whole.as_ref(),
            partial: &partial,
            max_bytes: self.limits.max_bytes,
            on_progress,
        };
        let mut retries = Retries::new(self.limits);
        loop {
            let attempt = match retries.within(transfer.attempt()).await {
                Ok(attempt) => attempt?,
                Err(over) => Attempt::Broken(over),
            };
            match attempt {
                Attempt::Done(fetched) => return Ok(fetched),
                Attempt::Broken(cause) => {
                    let ended = |(attempts, source)| DownloadError::Transfer { url: url.to_owned(), attempts, source };
                    retries.pause(url, cause).await.map_err(ended)?;
                }
            }
        }
    }
}
