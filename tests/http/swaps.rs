//! Editions that are swapped during calls: every call is answered, and the files of old editions are freed.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_app::calendar;
use kuraka_domain::{EditionOrigin, Ruc};
use kuraka_ports::{ProfileParts, TaxpayerRegistry};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Import, NoProgress, PublishResult, SourceFile, import};
use kuraka_sandbox::sample;
use tempfile::TempDir;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, interval};

use crate::app::{App, DEADLINE, now, scene};
use crate::reliability::{figure, number};
use crate::request::Request;
use crate::wire::Wire;

/// Lookups a second of the promise. They are made in memory; the calls over HTTP come on top, as fast as they go.
const RATE: u64 = 5_000;
/// Connections that make calls.
const CLIENTS: usize = 4;

/// An edition of the sample and these lines, as a file.
fn edition(folder: &Path, name: &str, lines: &str) -> (PathBuf, String) {
    let (registry, padron) = (folder.join(name), folder.join(format!("{name}.txt")));
    std::fs::write(&padron, [sample::PADRON, lines.as_bytes()].concat()).unwrap();
    let request =
        Import { origin: EditionOrigin::Sample, ..Import::new(SourceFile::local(padron), calendar::today(now())) };
    let label = import(&registry, &PADRON, &request, &NoProgress).unwrap().label;
    (registry.join(format!("padron/editions/{label}.kuraka")), label)
}

/// Files in this folder that this process has open, and maps of them.
fn held(folder: &Path) -> (usize, usize) {
    let folder = folder.to_str().unwrap();
    let files = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok);
    // Another test may close its file meanwhile.
    let files = files.filter_map(|file| std::fs::read_link(file.path()).ok());
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    (
        files.filter(|target| target.to_string_lossy().contains(folder)).count(),
        maps.lines().filter(|line| line.contains(folder)).count(),
    )
}

/// As [`held`] for the app's registry, once the editions that were replaced are closed and one of each dataset is left.
/// The server's job does it within a second.
async fn held_at_last(app: &App) -> (usize, usize) {
    let (began, mut ticks) = (Instant::now(), interval(Duration::from_millis(1)));
    while held(&app.registry_dir()) != one_of_each(app) && began.elapsed() < DEADLINE {
        ticks.tick().await;
    }
    held(&app.registry_dir())
}

/// Two open files for each dataset, its edition and its history, and one map: a history is not mapped.
fn one_of_each(app: &App) -> (usize, usize) {
    let served = app.registry.states().iter().filter(|(.., edition)| edition.is_some()).count();
    (2 * served, served)
}

/// Calls for a RUC of both editions and one that only `with` has, until told to stop. Returns the time of each call.
async fn call(api: SocketAddr, requests: [Request; 2], with: String, stop: Arc<AtomicBool>) -> Vec<Duration> {
    let mut wire = Wire::open(api).await;
    let mut took = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        for (nth, request) in requests.iter().enumerate() {
            let began = Instant::now();
            let answer = wire.ask(request).await;
            took.push(began.elapsed());
            let is_found = nth == 0 || answer.header("x-registry-edition") == Some(&with);
            assert_eq!(answer.status, if is_found { 200 } else { 404 }, "{answer:?}");
        }
    }
    took
}

/// Makes [`RATE`] lookups a second in memory until the other end of `stop` is dropped. Returns their number.
fn look_up(registry: &EmbeddedRegistry, with: &str, stop: &Receiver<()>) -> u64 {
    let [company, absent] = [sample::COMPANY, sample::ABSENT].map(|ruc| Ruc::parse(ruc).unwrap());
    let began = Instant::now();
    let mut lookups = 0;
    loop {
        for _ in 0..20 {
            let snapshot = registry.snapshot().unwrap();
            assert!(snapshot.profile(company, ProfileParts::NONE).unwrap().is_some());
            let found = snapshot.profile(absent, ProfileParts::NONE).unwrap();
            assert_eq!(found.is_some(), &*snapshot.edition().label == with);
            lookups += 2;
        }
        // A tenth more than promised, because a wait takes longer than it should.
        let due = Duration::from_micros(lookups * 1_000_000 / (RATE * 11 / 10));
        if stop.recv_timeout(due.saturating_sub(began.elapsed())) == Err(RecvTimeoutError::Disconnected) {
            return lookups;
        }
    }
}

/// Publishes this edition and waits until the server answers from it.
async fn swap(app: &App, file: &Path, label: &str) {
    let (folder, registry) = (app.registry_dir(), Arc::clone(&app.registry));
    let request = Import { force: true, ..Import::new(SourceFile::local(file), calendar::today(now())) };
    let publishing = move || {
        let report = import(&folder, &PADRON, &request, &NoProgress).unwrap();
        assert!(registry.refresh().iter().all(|(_, refreshed)| refreshed.is_ok()));
        report.outcome
    };
    assert_eq!(spawn_blocking(publishing).await.unwrap(), PublishResult::Published);
    // The server's own job may have begun to open it first.
    let (began, mut ticks) = (Instant::now(), interval(Duration::from_millis(1)));
    while &*app.registry.edition().unwrap().label != label {
        assert!(began.elapsed() < DEADLINE, "{label} is not served");
        ticks.tick().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn swaps_during_calls_fail_no_call_and_free_the_old_files() {
    // `make reliability` sets a higher number.
    let swaps = number("SWAPS", 4);
    let mut app = scene().plan(1_000_000_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let builder = TempDir::new().unwrap();
    let without = edition(builder.path(), "without", "");
    let line = format!("{}|EMPRESA NUEVA INVENTADA S.A.C.|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|\n", sample::ABSENT);
    let with = edition(builder.path(), "with", &line);
    swap(&app, &without.0, &without.1).await;
    let before = held_at_last(&app).await;

    let stop = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for _ in 0..CLIENTS {
        let requests = [sample::COMPANY, sample::ABSENT].map(|ruc| app.post("/ruc").token(&owner.token).ruc(ruc));
        callers.spawn(call(app.api, requests, with.1.clone(), Arc::clone(&stop)));
    }
    let (stop_lookups, stopped) = channel();
    let looking_up = spawn_blocking({
        let (registry, with) = (Arc::clone(&app.registry), with.1.clone());
        move || look_up(&registry, &with, &stopped)
    });
    let began = Instant::now();
    for nth in 0..swaps {
        let (file, label) = if nth % 2 == 0 { &with } else { &without };
        swap(&app, file, label).await;
    }
    stop.store(true, Ordering::Relaxed);
    drop::<Sender<()>>(stop_lookups);
    let lookups = looking_up.await.unwrap();
    let mut took = callers.join_all().await.concat();
    let seconds = began.elapsed().as_secs_f64();
    took.sort_unstable();
    let p99 = took[took.len() * 99 / 100];
    let after = held_at_last(&app).await;
    let (calls, lookups) = (took.len() as f64 / seconds, lookups as f64 / seconds);
    figure(
        "C9",
        &format!("{swaps} swaps in {seconds:.1} s under load"),
        &format!(
            "{calls:.0} calls/s over HTTP and {lookups:.0} lookups/s in memory, 0 errors; p99 of the calls {p99:.1?}; \
             {before:?} open files and maps before, {after:?} after"
        ),
    );
    assert_eq!((before, after), (one_of_each(&app), one_of_each(&app)), "open files and maps");
    assert!(took.len() as u64 > swaps, "{} calls", took.len());
    app.stop().await;
}
