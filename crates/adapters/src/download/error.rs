//! Why a download fails.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::StatusCode;
use thiserror::Error;

use crate::address::without_secrets;
use crate::files::FileError;

#[derive(Debug, Error)]
pub enum DownloadError {
    #[error("cannot request {}: check the address in the settings", without_secrets(url))]
    Address { url: String, source: reqwest::Error },
    #[error("{} answers {status}: {}", without_secrets(url), advice(*status))]
    Status { url: String, status: StatusCode },
    #[error(
        "{} has moved to {location:?}: if that is right, put it in the settings; it is not followed",
        without_secrets(url)
    )]
    Redirect {
        url: String,
        /// Without its query, which may be a signature; empty if none is named.
        location: String,
    },
    #[error("{} is larger than {limit} bytes, the largest file accepted", without_secrets(url))]
    TooLarge { url: String, limit: u64 },
    #[error(
        "the download of {} failed {attempts} times: the part that arrived is kept, try again later",
        without_secrets(url)
    )]
    Transfer { url: String, attempts: u32, source: TransferError },
    #[error("another process is using {}: wait until it is done", path.display())]
    Busy { path: PathBuf },
    #[error(transparent)]
    File(#[from] FileError),
}

/// Why one attempt failed; the next one may succeed.
#[derive(Debug, Error)]
pub enum TransferError {
    #[error("it took too long")]
    Time,
    /// No connection, a timeout, or a connection that ended in the middle.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    #[error("the server announced {announced} bytes, {received} have arrived")]
    Length {
        /// Earlier attempts included.
        received: u64,
        announced: u64,
    },
    #[error("the server answered with another range than the one requested")]
    Range,
    #[error("the server answered {status}{}", asking(*retry_after))]
    Status { status: StatusCode, retry_after: Option<Duration> },
}

impl TransferError {
    /// How long the server asks clients to wait.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            Self::Time | Self::Connection(_) | Self::Length { .. } | Self::Range => None,
        }
    }
}

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
