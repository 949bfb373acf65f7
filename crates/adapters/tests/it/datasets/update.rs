//! Updates of the datasets, from a server that plays their publishers' or that has built the editions.

mod builder_lists;
mod by_hand;
mod checksums;
mod downloads;
mod months;
mod refused;
mod without_tls;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_adapters::datasets::last_attempt;
use kuraka_adapters::datasets::update::{DatasetUpdate, ManualUpdate, UpdateError, UpdateProgress, UpdateSource};
use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, USER_AGENT};
use kuraka_domain::Date;
use kuraka_ports::{AttemptOutcome, Clock, DatasetAttempt};
use kuraka_registry::dataset::{ALL, Column, Dataset, PADRON, RETENCION, named};
use kuraka_registry::{
    Accepts, Advance, DateOrigin, Edition, FileVersion, Import, ImportReport, NoProgress, Progress, PublishResult,
    SourceFile, Stage, editions, import,
};
use kuraka_sandbox::sample;
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::files::{company, day_of_files, file_of, import_file};
use super::{CASES, current};
use crate::http::client;
use crate::script::{Answer, Server, answer};

/// Saturday morning in Peru.
fn now() -> Timestamp {
    "2026-11-21T15:00:00Z".parse().unwrap()
}

/// A clock that begins at [`now`] and shows a second more at each look.
#[derive(Default)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        now() + SignedDuration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// A registry in which one dataset is updated.
struct Home {
    folder: Arc<TempDir>,
    dataset: &'static Dataset,
    accepts: Accepts,
}

type Updated = Result<Option<ImportReport>, UpdateError>;

/// Each kind of dataset, from its publisher or from a builder.
fn homes() -> impl Iterator<Item = Home> {
    let kinds = [Accepts::Published, Accepts::Edition, Accepts::Published];
    CASES.into_iter().zip(kinds).map(|(dataset, accepts)| Home { accepts, ..Home::new(dataset) })
}

impl Home {
    /// Updated from its publisher.
    fn new(dataset: &'static Dataset) -> Self {
        Self { folder: Arc::new(TempDir::new().unwrap()), dataset, accepts: Accepts::Published }
    }

    /// What the server has: the published file about this many companies, or the edition of it.
    fn file(&self, companies: u32) -> Vec<u8> {
        file_from(self.accepts, self.dataset, companies)
    }

    fn source(&self, address: &str) -> UpdateSource {
        let (address, accepts) = (address.to_owned(), self.accepts);
        UpdateSource { address, plain_address: None, accepts, changes_url: None, sha256_url: None }
    }

    fn updater(&self, source: UpdateSource, turns: usize) -> (DatasetUpdate, Arc<Semaphore>) {
        let limits = DownloadLimits { attempts: 1, pause: Duration::ZERO, max_bytes: 1 << 20, ..Default::default() };
        let (folder, downloader) = (self.folder.path().to_owned(), Downloader::new(client(USER_AGENT), limits));
        let turns = Arc::new(Semaphore::new(turns));
        (DatasetUpdate::new(folder, self.dataset, source, &downloader, Arc::clone(&turns)), turns)
    }

    async fn run(&self, source: UpdateSource, force: bool) -> Updated {
        self.updater(source, 1).0.run(&Ticking::default(), force, Arc::new(NoProgress)).await
    }

    async fn update(&self, address: &str) -> Updated {
        self.run(self.source(address), false).await
    }

    async fn force(&self, address: &str) -> Updated {
        self.run(self.source(address), true).await
    }

    async fn import(&self, place: &str, by_hand: ManualUpdate) -> Result<ImportReport, UpdateError> {
        self.updater(self.source(""), 1).0.import(place, by_hand, &Ticking::default(), Arc::new(NoProgress)).await
    }

    fn current(&self) -> Edition {
        Edition::open(self.dataset, &current(&self.folder, self.dataset)).unwrap()
    }

    fn last_attempt(&self) -> Option<DatasetAttempt> {
        last_attempt(self.folder.path(), self.dataset)
    }

    /// Why the last attempt failed, with all causes; empty if it did not.
    fn failure(&self) -> String {
        let outcome = self.last_attempt().unwrap().outcome;
        if let AttemptOutcome::Failed { cause, .. } = outcome { cause } else { String::new() }
    }

    fn downloads(&self) -> PathBuf {
        self.folder.path().join(self.dataset.name).join("downloads")
    }

    /// The names of the files in the folder of downloads, in order.
    fn downloaded(&self) -> Vec<String> {
        let entries = fs::read_dir(self.downloads()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Asserts that nothing but the note of the last version is left.
    #[track_caller]
    fn assert_no_download(&self) {
        let [lock, note] = ["lock", "note"].map(|end| format!("{}.{end}", self.dataset.name));
        let mut downloaded = self.downloaded();
        downloaded.retain(|name| name != "checksum.lock");
        let is_left = |name| downloaded.iter().any(|left| left == name);
        assert!(downloaded.len() == 3 && [&*lock, &*note, "last_attempt"].iter().all(is_left), "{downloaded:?}");
    }

    /// Whether any file of the registry contains `text`.
    fn has_stored(&self, text: &str) -> bool {
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if memchr::memmem::find(&fs::read(path).unwrap(), text.as_bytes()).is_some() {
                    return true;
                }
            }
        }
        false
    }
}

/// The published file about this many companies, or the edition of it that another machine has built.
fn file_from(accepts: Accepts, dataset: &'static Dataset, companies: u32) -> Vec<u8> {
    let (file, builder) = (file_of(dataset, 0..companies), TempDir::new().unwrap());
    if accepts == Accepts::Published {
        return file;
    }
    import_file(builder.path(), dataset, &file);
    fs::read(current(&builder, dataset)).unwrap()
}

/// A file as published, in the version `etag`.
fn published(etag: &str, body: impl AsRef<[u8]>) -> Answer {
    published_on(etag, "20 Nov 2026 04:59:59", body)
}

/// The same with the time of publication in Greenwich.
fn published_on(etag: &str, at: &str, body: impl AsRef<[u8]>) -> Answer {
    let length = format!("Content-Length: {}", body.as_ref().len());
    let (etag, at) = (format!("ETag: \"{etag}\""), format!("Last-Modified: Fri, {at} GMT"));
    answer("200 OK", &[&length, &etag, &at], body)
}

fn unchanged() -> Answer {
    answer("304 Not Modified", &[], "")
}

fn missing() -> Answer {
    answer("404 Not Found", &["Content-Length: 0"], "")
}

fn page() -> Answer {
    published("page", "<!DOCTYPE html><html><body>En mantenimiento</body></html>")
}

/// The condition of each request.
fn conditions(server: &Server) -> Vec<Option<String>> {
    let condition =
        |head: &String| head.lines().find_map(|line| Some(line.strip_prefix("if-none-match: ")?.to_owned()));
    server.asked().iter().map(condition).collect()
}

/// The condition with this version.
fn tag(etag: &str) -> Option<String> {
    Some(format!("\"{etag}\""))
}

/// The day on which [`published`] files were published: still the 19th in Peru.
fn day() -> Date {
    Date::new(2026, 11, 19).unwrap()
}

/// Records what it is told.
#[derive(Default)]
struct Told {
    received: Mutex<Vec<(u64, Option<u64>)>>,
    stages: Mutex<Vec<Stage>>,
}

impl Progress for Told {
    fn stage(&self, stage: Stage) {
        self.stages.lock().unwrap().push(stage);
    }

    fn advanced(&self, _advance: Advance) {}
}

impl UpdateProgress for Told {
    fn received(&self, bytes: u64, total: Option<u64>) {
        self.received.lock().unwrap().push((bytes, total));
    }
}

#[tokio::test]
async fn a_first_update_publishes_what_the_server_has() {
    for home in homes() {
        let (file, is_edition) = (home.file(3), home.accepts == Accepts::Edition);
        let (server, told) = (Server::start([published("a", &file)]), Arc::new(Told::default()));
        let updating = home.updater(home.source(&server.url), 1).0;
        let report = updating.run(&Ticking::default(), false, told.clone()).await.unwrap().unwrap();
        assert_eq!((report.outcome, report.rows, report.adopted), (PublishResult::Published, 3, is_edition));
        let date = if is_edition { (day_of_files(), DateOrigin::Edition) } else { (day(), DateOrigin::Server) };
        assert_eq!((report.date, report.date_origin), date);
        assert_eq!(home.current().meta().rows, 3);
        assert_eq!(home.current().count(company(2)).unwrap(), 1);
        let at = now() + SignedDuration::from_secs(1);
        let outcome = AttemptOutcome::Published { edition: report.label };
        assert_eq!(home.last_attempt(), Some(DatasetAttempt { at, outcome }));
        let bytes = file.len() as u64;
        assert_eq!(told.received.lock().unwrap().last(), Some(&(bytes, Some(bytes))));
        assert_eq!(told.stages.lock().unwrap().last(), Some(&Stage::Publication));
        home.assert_no_download();
    }
}

#[tokio::test]
async fn every_dataset_is_updated_from_its_published_file() {
    let mut home = Home::new(&PADRON);
    for part in sample::datasets().unwrap() {
        home.dataset = named(part.dataset).unwrap();
        let server = Server::start([published("a", &part.bytes), unchanged()]);
        let address = server.url.replace("padron.zip", part.file_name);
        let report = home.update(&address).await.unwrap().unwrap();
        assert_eq!(report.outcome, PublishResult::Published, "{}", part.dataset);
        assert_eq!(home.current().meta().rows, report.rows);
        assert!(home.update(&address).await.unwrap().is_none(), "{}", part.dataset);
        let agent = home.dataset.user_agent.unwrap_or("Mozilla/5.0 (X11").to_lowercase();
        assert!(server.asked()[0].contains(&format!("user-agent: {agent}")), "{:?}", server.asked());
        assert_eq!(conditions(&server), [None, tag("a")], "{}", part.dataset);
    }
    let published = ALL.iter().filter(|dataset| editions(home.folder.path(), dataset).unwrap().len() == 1);
    assert_eq!(published.count(), sample::datasets().unwrap().len(), "none has changed another");
}

#[tokio::test]
async fn an_update_without_changes_makes_one_conditional_request() {
    for home in homes() {
        let server = Server::start([published("a", home.file(3)), unchanged(), unchanged()]);
        home.update(&server.url).await.unwrap();
        for _ in 0..2 {
            assert!(home.update(&server.url).await.unwrap().is_none());
            assert_eq!(home.last_attempt().unwrap().outcome, AttemptOutcome::Unchanged);
            if home.accepts == Accepts::Published {
                // The edition knows the file that it was made from.
                fs::remove_dir_all(home.downloads()).unwrap();
            }
        }
        assert_eq!(conditions(&server), [None, tag("a"), tag("a")]);
    }
}

#[tokio::test]
async fn the_same_file_in_another_version_of_the_server_is_unchanged() {
    for home in homes() {
        let file = home.file(3);
        let later = published_on("b", "20 Nov 2026 14:59:59", &file);
        let server = Server::start([published("a", &file), later, unchanged()]);
        let first = home.update(&server.url).await.unwrap().unwrap();
        let second = home.update(&server.url).await.unwrap().unwrap();
        assert_eq!((second.outcome, second.label), (PublishResult::Unchanged, first.label));
        assert_eq!(home.last_attempt().unwrap().outcome, AttemptOutcome::Unchanged);
        assert!(home.update(&server.url).await.unwrap().is_none());
        assert_eq!(conditions(&server), [None, tag("a"), tag("b")]);
    }
}

#[tokio::test]
async fn a_server_that_fails_changes_nothing() {
    for home in homes() {
        let unavailable = answer("503 Service Unavailable", &["Content-Length: 0", "Retry-After: 7200"], "");
        let server = Server::start([published("a", home.file(3)), unavailable]);
        home.update(&server.url).await.unwrap();
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(error, UpdateError::Download { source: DownloadError::Transfer { .. }, .. }), "{error:?}");
        assert_eq!((error.may_pass(), error.retry_after()), (true, Some(Duration::from_secs(7_200))), "{error:?}");
        assert_eq!(home.current().meta().rows, 3);
        let start = format!("{} could not be fetched: ", home.dataset.name);
        assert!(home.failure().starts_with(&start) && home.failure().contains("503"), "{}", home.failure());
        assert_eq!(server.asked().len(), 2, "a server that asks for a long wait is left alone");
    }
}

#[tokio::test]
async fn a_damaged_edition_or_a_lost_pointer_is_mended_by_one_download() {
    for (home, is_damaged) in homes().zip([true; 6]).chain(homes().zip([false; 6])) {
        let whole = || published("a", home.file(3));
        let server = Server::start([whole(), whole(), unchanged()]);
        home.update(&server.url).await.unwrap();
        if is_damaged {
            let path = current(&home.folder, home.dataset);
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(path, bytes).unwrap();
        } else {
            fs::remove_file(home.folder.path().join(home.dataset.name).join("CURRENT")).unwrap();
        }
        assert!(home.update(&server.url).await.unwrap().is_some());
        assert!(home.update(&server.url).await.unwrap().is_none());
        assert_eq!((conditions(&server), home.current().meta().rows), (vec![None, None, tag("a")], 3));
    }
}

#[tokio::test]
async fn an_edition_of_a_version_that_read_fewer_fields_is_built_again() {
    static FEWER: Dataset = Dataset { columns: &COLUMNS, ..RETENCION };
    const COLUMNS: [Column; 4] = [
        Column::ruc("Ruc"),
        Column::dropped("Nombre/Razon"),
        Column::dropped("A partir del"),
        Column::text("Resolucion", "resolucion"),
    ];
    let file = file_of(&RETENCION, 0..3);
    let (server, home) = (Server::start([published("a", &file), unchanged()]), Home::new(&RETENCION));
    let path = home.folder.path().join("list");
    fs::write(&path, file).unwrap();
    let version = FileVersion {
        name: server.url.clone(),
        etag: Some("\"a\"".to_owned()),
        last_modified: Some("Fri, 20 Nov 2026 04:59:59 GMT".to_owned()),
    };
    let request = Import::new(SourceFile { path, version }, day());
    import(home.folder.path(), &FEWER, &request, &NoProgress).unwrap();
    assert!(!home.current().has_all_fields());
    let report = home.update(&server.url).await.unwrap().unwrap();
    assert_eq!(report.outcome, PublishResult::Published);
    assert!(home.current().has_all_fields());
    assert!(home.update(&server.url).await.unwrap().is_none());
    assert_eq!(conditions(&server), [None, tag("a")]);
}

#[tokio::test]
async fn an_update_without_an_address_names_the_setting() {
    for home in homes() {
        let error = home.update("").await.unwrap_err();
        assert!(matches!(error, UpdateError::NoAddress { .. }) && !error.may_pass(), "{error:?}");
        assert!(error.to_string().contains(&format!("datasets.{}.url", home.dataset.name)), "{error}");
    }
}
