//! Why a download fails.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::StatusCode;
use thiserror::Error;

use crate::address::without_secrets;
use crate::files::FileError;

/// Why a file could not be fetched.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// No request can be made of the URL.
    #[error("cannot request {}: check the address in the settings", without_secrets(url))]
    Address {
        /// The URL.
        url: String,
        /// The cause.
        source: reqwest::Error,
    },
    /// The server refuses.
    #[error("{} answers {status}: {}", without_secrets(url), advice(*status))]
    Status {
        /// The URL.
        url: String,
        /// The answer's status.
        status: StatusCode,
    },
    /// The server redirects elsewhere.
    #[error(
        "{} has moved to {location:?}: if that is right, put it in the settings; it is not followed",
        without_secrets(url)
    )]
    Redirect {
        /// The URL.
        url: String,
        /// Without its query, which may be a signature; empty if none is named.
        location: String,
    },
    /// The file is larger than the limit.
    #[error("{} is larger than {limit} bytes, the largest file accepted", without_secrets(url))]
    TooLarge {
        /// The URL.
        url: String,
        /// The limit.
        limit: u64,
    },
    /// Every attempt broke off.
    #[error(
        "the download of {} failed {attempts} times: the part that arrived is kept, try again later",
        without_secrets(url)
    )]
    Transfer {
        /// The URL.
        url: String,
        /// How many attempts were made.
        attempts: u32,
        /// The last attempt's error.
        source: TransferError,
    },
    /// Another process is fetching or importing the same file.
    #[error("another process is using {}: wait until it is done", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Why one attempt failed; the next one may succeed.
#[derive(Debug, Error)]
pub enum TransferError {
    /// The time for all attempts is over.
    #[error("it took too long")]
    Time,
    /// No connection, a timeout, or a connection that ended in the middle.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    /// The server sent another number of bytes than it announced.
    #[error("the server announced {announced} bytes, {received} have arrived")]
    Length {
        /// Received bytes, earlier attempts included.
        received: u64,
        /// Announced bytes of the whole file.
        announced: u64,
    },
    /// The server sent another range than the one requested.
    #[error("the server answered with another range than the one requested")]
    Range,
    /// The server failed.
    #[error("the server answered {status}{}", asking(*retry_after))]
    Status {
        /// The answer's status, 500 or above.
        status: StatusCode,
        /// The requested wait, if any.
        retry_after: Option<Duration>,
    },
}

impl TransferError {
    /// How long the server asks clients to wait.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            Self::Time | Self::Connection(_) | Self::Length { .. } | Self::Range => None,
        }
    }
}

/// What an operator can do about a refusal.
fn advice(status: StatusCode) -> &'static str {
    match status.as_u16() {
        404 | 410 => "no file is published there, check the address",
        // 418 is a firewall's answer.
        401 | 403 | 418 => "the server refused this client, by its User-Agent or its address",
        _ => "check the address",
    }
}

fn asking(retry_after: Option<Duration>) -> String {
    retry_after.map(|wait| format!(" and asks to wait {} s", wait.as_secs())).unwrap_or_default()
}
