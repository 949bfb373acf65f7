//! Downloads, from a scripted server on the loopback.

mod broken;
mod per_dataset;
mod plain;
mod redirected;
mod refused;
mod retried;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, Fetched, USER_AGENT};
use kuraka_registry::FileVersion;
use kuraka_registry::dataset::Dataset;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use tempfile::TempDir;
use tokio::time::Instant;

use crate::http::{client, limits};
use crate::script::Server;
use crate::unchecked_tls;

/// The file that is fetched, and its folder.
struct Target {
    folder: TempDir,
}

impl Target {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("padron.zip")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    /// The names of the files in the folder, the lock aside.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".lock"));
        names.sort();
        names
    }
}

/// Pauses of a millisecond.
fn quick() -> DownloadLimits {
    DownloadLimits { pause: Duration::from_millis(1), ..DownloadLimits::default() }
}

fn downloader(attempts: u32) -> Downloader {
    let limits = DownloadLimits { attempts, max_bytes: 1_000, ..quick() };
    Downloader::new(client(USER_AGENT), limits)
}

/// A downloader whose requests time out after half a second of silence.
fn impatient(attempts: u32) -> Downloader {
    let client = kuraka_adapters::http::client(
        USER_AGENT,
        kuraka_adapters::http::ClientLimits { read: Duration::from_millis(500), ..limits() },
    );
    let limits = DownloadLimits { attempts, max_bytes: 1_000, ..quick() };
    Downloader::new(client.unwrap(), limits)
}

/// A client that looks up names so and checks no certificate.
#[expect(
    clippy::disallowed_methods,
    reason = "the program has no client that looks up no names, or checks no certificate"
)]
fn client_with(resolver: impl Resolve + 'static) -> reqwest::Client {
    let builder = reqwest::Client::builder().tls_backend_preconfigured(unchecked_tls::client());
    builder.redirect(Policy::none()).no_proxy().dns_resolver(Arc::new(resolver)).build().unwrap()
}

/// No name has an address, so that each attempt fails at once, without a connection.
struct Nameless;

impl Resolve for Nameless {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Err::<Addrs, Box<dyn Error + Send + Sync>>("there is no such name".into()) })
    }
}

/// Downloads from a server that cannot be found. Without a connection, paused time passes by waits alone.
async fn fetch_from_nowhere(limits: DownloadLimits, of: Option<&Dataset>) -> (Duration, DownloadError) {
    let downloader = Downloader::new(client_with(Nameless), limits);
    let downloader = of.map_or_else(|| downloader.clone(), |dataset| downloader.for_dataset(dataset));
    let started = Instant::now();
    let error = fetch(&downloader, "http://nowhere.example.pe/padron.zip", &Target::new()).await.unwrap_err();
    (started.elapsed(), error)
}

async fn fetch(downloader: &Downloader, url: &str, target: &Target) -> Result<Fetched, DownloadError> {
    downloader.fetch(url, None, &target.path(), &|_, _| {}).await
}

/// What the server says about its file.
fn version(server: &Server, etag: Option<&str>, last_modified: Option<&str>) -> FileVersion {
    let (etag, last_modified) = (etag.map(str::to_owned), last_modified.map(str::to_owned));
    FileVersion { name: server.url.clone(), etag, last_modified }
}
