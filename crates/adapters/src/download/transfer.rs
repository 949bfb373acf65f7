//! One attempt: request, headers, body.

use futures_util::StreamExt;
use kuraka_registry::FileVersion;
use reqwest::header::{ACCEPT_ENCODING, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, RANGE, USER_AGENT};
use reqwest::{Client, IntoUrl, Response, Url};

use super::answer::{self, Answer};
use super::error::{DownloadError, TransferError};
use super::partial::{Begun, Partial, if_range};
use crate::address::without_secrets;

/// The redirects that one request follows, because publishers hand out temporary addresses. Such an address may have a
/// signature, so it is in no note, log or error.
const HOPS: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    New {
        /// By the server.
        version: FileVersion,
        /// Whether it is a web page, by content type or first bytes; a zip is none.
        html: bool,
    },
    Unchanged,
}

/// Bytes on the disk, and of the whole file if announced.
pub type OnProgress<'a> = &'a (dyn Fn(u64, Option<u64>) + Send + Sync);

pub(super) struct Transfer<'a> {
    pub(super) client: &'a Client,
    /// Replaces the client's.
    pub(super) user_agent: Option<&'static str>,
    pub(super) url: &'a str,
    /// The version that is not fetched again.
    pub(super) known: Option<&'a FileVersion>,
    /// The whole file's version in place, which is then the known one.
    pub(super) whole: Option<&'a FileVersion>,
    pub(super) partial: &'a Partial,
    pub(super) max_bytes: u64,
    pub(super) on_progress: OnProgress<'a>,
}

pub(super) enum Attempt {
    Done(Fetched),
    Broken(TransferError),
}

impl Transfer<'_> {
    pub(super) async fn attempt(&self) -> Result<Attempt, DownloadError> {
        let url = || self.url.to_owned();
        let name = without_secrets(self.url);
        let begun = self.partial.begun(&name).await?;
        let response = match self.ask(begun.as_ref()).await {
            Ok(response) => response,
            Err(error) if error.is_builder() => {
                return Err(DownloadError::Address { url: url(), source: error.without_url() });
            }
            Err(error) => return Ok(Attempt::Broken(TransferError::Connection(error.without_url()))),
        };
        let have = begun.as_ref().map_or(0, |begun| begun.bytes);
        match (answer::read(response.status(), response.headers(), have), begun) {
            (Answer::Rest { total }, Some(Begun { version, .. })) => self.take(response, version, have, total).await,
            (Answer::Whole { total }, _) => {
                let version = answer::version(name, response.headers());
                self.take(response, version, 0, total).await
            }
            (Answer::Unchanged, _) if !self.known.is_some_and(FileVersion::is_versioned) => {
                Err(DownloadError::Status { url: url(), status: response.status() })
            }
            (Answer::Unchanged, _) => {
                self.partial.discard().await?;
                match self.whole {
                    Some(version) => self.whole_file(version.clone(), false).await,
                    None => Ok(Attempt::Done(Fetched::Unchanged)),
                }
            }
            (Answer::WrongRange | Answer::Rest { .. }, _) => {
                self.partial.discard().await?;
                Ok(Attempt::Broken(TransferError::Range))
            }
            (Answer::Failed { status, retry_after }, _) => {
                Ok(Attempt::Broken(TransferError::Status { status, retry_after }))
            }
            (Answer::Moved(location), _) => Err(DownloadError::Redirect { url: url(), location: shown(&location) }),
            (Answer::Refused(status), _) => Err(DownloadError::Status { url: url(), status }),
        }
    }

    async fn ask(&self, begun: Option<&Begun>) -> Result<Response, reqwest::Error> {
        let mut response = self.send(self.url, begun).await?;
        let mut hops = HOPS;
        while hops > 0
            && let Answer::Moved(location) = answer::read(response.status(), response.headers(), 0)
            && let Some(next) = redirect_target(response.url(), &location)
        {
            response = self.send(next, begun).await?;
            hops -= 1;
        }
        Ok(response)
    }

    async fn send(&self, url: impl IntoUrl, begun: Option<&Begun>) -> Result<Response, reqwest::Error> {
        // A compressed transfer can be neither resumed nor measured.
        let mut request = self.client.get(url).header(ACCEPT_ENCODING, "identity");
        if let Some(user_agent) = self.user_agent {
            request = request.header(USER_AGENT, user_agent);
        }
        if let Some(etag) = self.known.and_then(|known| known.etag.as_ref()) {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(last_modified) = self.known.and_then(|known| known.last_modified.as_ref()) {
            request = request.header(IF_MODIFIED_SINCE, last_modified);
        }
        if let Some((begun, version)) = begun.and_then(|begun| Some((begun, if_range(&begun.version)?))) {
            request = request.header(RANGE, format!("bytes={}-", begun.bytes)).header(IF_RANGE, version);
        }
        request.send().await
    }

    /// Behind `received` bytes of the part.
    async fn take(
        &self,
        response: Response,
        version: FileVersion,
        mut received: u64,
        total: Option<u64>,
    ) -> Result<Attempt, DownloadError> {
        let calls_itself_html = answer::is_html(response.headers());
        self.refuse_over_limit(total.unwrap_or(received)).await?;
        let mut file =
            if received == 0 { self.partial.start(&version).await? } else { self.partial.go_on(received).await? };
        let mut body = response.bytes_stream();
        while let Some(bytes) = body.next().await {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.partial.flush(&mut file).await?;
                    return Ok(Attempt::Broken(TransferError::Connection(error.without_url())));
                }
            };
            received += bytes.len() as u64;
            self.refuse_over_limit(received).await?;
            self.partial.append(&mut file, &bytes).await?;
            (self.on_progress)(received, total);
        }
        self.partial.flush(&mut file).await?;
        if let Some(announced) = total.filter(|&announced| announced != received) {
            return Ok(Attempt::Broken(TransferError::Length { received, announced }));
        }
        self.partial.finish(file).await?;
        self.whole_file(version, calls_itself_html).await
    }

    async fn whole_file(&self, version: FileVersion, calls_itself_html: bool) -> Result<Attempt, DownloadError> {
        let head = self.partial.head().await?;
        // Some servers call every file a page.
        let html = calls_itself_html && !head.starts_with(b"PK\x03\x04") || answer::begins_like_html(&head);
        Ok(Attempt::Done(Fetched::New { version, html }))
    }

    async fn refuse_over_limit(&self, bytes: u64) -> Result<(), DownloadError> {
        if bytes <= self.max_bytes {
            return Ok(());
        }
        self.partial.discard().await?;
        Err(DownloadError::TooLarge { url: self.url.to_owned(), limit: self.max_bytes })
    }
}

/// The address to follow, if allowed: on the same host or from https to https, so that the network does not choose the
/// file; never away from https.
fn redirect_target(from: &Url, location: &str) -> Option<Url> {
    let to = from.join(location).ok()?;
    let (was_safe, is_safe) = (from.scheme() == "https", to.scheme() == "https");
    let is_same_host = from.host_str() == to.host_str();
    (from.origin() == to.origin() || is_safe && (was_safe || is_same_host)).then_some(to)
}

/// For errors: without user, password, query and fragment.
fn shown(location: &str) -> String {
    without_secrets(location.split(['?', '#']).next().unwrap_or_default())
}
