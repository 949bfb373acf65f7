//! Why a download does not come to its end.

use std::io;
use std::path::PathBuf;

use reqwest::StatusCode;
use thiserror::Error;

/// Why a file could not be fetched.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// The address is not one that can be asked.
    #[error("cannot ask {url}: check the address in the settings")]
    Address {
        /// The address asked.
        url: String,
        /// What lies behind it.
        source: reqwest::Error,
    },
    /// The server refuses.
    #[error("{url} answers {status}: check the address, and whether the server accepts the user agent")]
    Status {
        /// The address asked.
        url: String,
        /// The answer's status.
        status: StatusCode,
    },
    /// The server names another address.
    #[error("{url} has moved to {location:?}: if that is right, put it in the settings; redirects are not followed")]
    Redirect {
        /// The address asked.
        url: String,
        /// The address named; empty if none is.
        location: String,
    },
    /// The file is larger than accepted.
    #[error("{url} is larger than {limit} bytes, the largest file accepted")]
    TooLarge {
        /// The address asked.
        url: String,
        /// The limit.
        limit: u64,
    },
    /// Every attempt broke off.
    #[error("the transfer of {url} broke off {attempts} times: what has arrived is kept, try again later")]
    Transfer {
        /// The address asked.
        url: String,
        /// Attempts made.
        attempts: u32,
        /// How the last one ended.
        source: Broken,
    },
    /// Another process is fetching the same file.
    #[error("another process is fetching {}: wait until it is done", path.display())]
    Busy {
        /// The file to be written.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write {}: check the disk's free space and the folder's permissions", path.display())]
    File {
        /// The file that cannot be written.
        path: PathBuf,
        /// What lies behind it.
        source: io::Error,
    },
}

/// How an attempt broke off; the next one may succeed.
#[derive(Debug, Error)]
pub enum Broken {
    /// No connection, silence, or an end in the middle.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    /// The server's figures do not agree.
    #[error("the server announced {announced} bytes, {received} have arrived")]
    Length {
        /// Bytes that have arrived, earlier attempts included.
        received: u64,
        /// Bytes of the whole file, as announced.
        announced: u64,
    },
    /// The server has not given the range that was asked for.
    #[error("the server answered with another range than the one asked for")]
    Range,
}
