//! Background jobs that panic, fail and hang: they are started again, and readiness and metrics show it.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::{App, test, web::Data};
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry};
use kuraka_adapters::store::SqliteStore;
use kuraka_app::AccountMeters;
use kuraka_ports::{DatasetStatus, Datasets, ExchangeRateRecord};
use kuraka_server::admin::{Admin, ServerParts, routes};
use kuraka_server::background::{Job, JobHealth, Supervisor};
use kuraka_server::metrics::Metrics;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// Time limit of every wait. It is generous, because only a failing test waits this long.
const DEADLINE: Duration = Duration::from_secs(30);
const PERIOD: Duration = Duration::from_millis(100);
const STALLED_AFTER: Duration = Duration::from_secs(2);

/// What a tick does.
#[derive(Clone, Copy)]
enum Tick {
    Succeed,
    Fail,
    Panic,
    Hang,
}

/// A job whose ticks the test chooses.
struct Scripted {
    script: watch::Receiver<Tick>,
    ticks: Arc<AtomicU64>,
    finished: Arc<AtomicU64>,
}

impl Job for Scripted {
    const NAME: &'static str = "scripted";
    const STALLED_AFTER: Option<Duration> = Some(STALLED_AFTER);
    const EVERY: Duration = PERIOD;

    async fn tick(&mut self, _: u64) -> bool {
        self.ticks.fetch_add(1, Ordering::AcqRel);
        let tick = *self.script.borrow();
        match tick {
            Tick::Succeed => true,
            Tick::Fail => false,
            Tick::Panic => panic!("a bug"),
            Tick::Hang => pending().await,
        }
    }

    async fn finish(&mut self) {
        self.finished.fetch_add(1, Ordering::AcqRel);
    }
}

/// A supervised job.
struct Scene {
    script: watch::Sender<Tick>,
    stop: watch::Sender<bool>,
    ticks: Arc<AtomicU64>,
    finished: Arc<AtomicU64>,
    health: Arc<JobHealth>,
    metrics: Arc<Metrics>,
    running: JoinHandle<()>,
}

impl Scene {
    fn start(first: Tick) -> Self {
        let ((script, choosing), (stop, stopping)) = (watch::channel(first), watch::channel(false));
        let (ticks, finished, health) = (Arc::default(), Arc::default(), Arc::<JobHealth>::default());
        let metrics = Arc::new(Metrics::new([]));
        let clock = Arc::new(SystemClock::start());
        let supervisor = Supervisor { health: Arc::clone(&health), metrics: Arc::clone(&metrics), clock, stopping };
        let job = Scripted { script: choosing, ticks: Arc::clone(&ticks), finished: Arc::clone(&finished) };
        let running = tokio::spawn(supervisor.run(job));
        Self { script, stop, ticks, finished, health, metrics, running }
    }

    fn ticks(&self) -> u64 {
        self.ticks.load(Ordering::Acquire)
    }

    fn metric(&self, name: &str) -> u64 {
        let page = self.metrics.print().unwrap();
        let start = format!("{name}{{background_job=\"scripted\"}} ");
        page.lines().find_map(|line| line.strip_prefix(&start)).unwrap().parse().unwrap()
    }

    async fn stop(self) {
        self.stop.send(true).unwrap();
        self.running.await.unwrap();
        assert_eq!(self.finished.load(Ordering::Acquire), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_that_panics_is_started_again_after_a_second() {
    let scene = Scene::start(Tick::Panic);
    sleep(Duration::from_millis(2_500)).await;
    assert_eq!(scene.ticks(), 3, "at 0, 1 and 2 seconds");
    assert_eq!(scene.metric("kuraka_job_panics_total"), 3);
    assert_eq!(scene.metric("kuraka_job_last_success_timestamp_seconds"), 0);
    scene.script.send(Tick::Succeed).unwrap();
    sleep(Duration::from_secs(2)).await;
    assert!(scene.ticks() > 10, "it ticks with its period again");
    assert!(scene.metric("kuraka_job_last_success_timestamp_seconds") > 1_700_000_000);
    scene.script.send(Tick::Panic).unwrap();
    sleep(PERIOD).await;
    // The stop does not wait for the end of the pause.
    let began = Instant::now();
    scene.stop().await;
    assert!(began.elapsed() < Duration::from_millis(500));
}

#[tokio::test(start_paused = true)]
async fn a_job_that_fails_or_hangs_stalls_until_it_succeeds() {
    for bad in [Tick::Fail, Tick::Panic] {
        let scene = Scene::start(Tick::Succeed);
        sleep(STALLED_AFTER * 2).await;
        assert_eq!(scene.health.stalled(), [""; 0]);
        scene.script.send(bad).unwrap();
        sleep(STALLED_AFTER - PERIOD).await;
        assert_eq!(scene.health.stalled(), [""; 0], "it has time to recover");
        sleep(PERIOD * 3).await;
        assert_eq!(scene.health.stalled(), ["scripted"]);
        scene.script.send(Tick::Succeed).unwrap();
        sleep(Duration::from_secs(2)).await;
        assert_eq!(scene.health.stalled(), [""; 0]);
        scene.stop().await;
    }
    let scene = Scene::start(Tick::Hang);
    sleep(STALLED_AFTER + PERIOD).await;
    assert_eq!((scene.ticks(), scene.health.stalled()), (1, vec!["scripted"]));
}

const LONG_PERIOD: Duration = Duration::from_secs(600);
const LONG_TICK: Duration = Duration::from_secs(1_000);

/// A job of long ticks.
struct Long {
    succeeds: bool,
    began: Arc<Mutex<Vec<Instant>>>,
}

impl Job for Long {
    const NAME: &'static str = "long";
    const EVERY: Duration = LONG_PERIOD;

    async fn tick(&mut self, _: u64) -> bool {
        self.began.lock().unwrap().push(Instant::now());
        sleep(LONG_TICK).await;
        self.succeeds
    }
}

#[tokio::test(start_paused = true)]
async fn the_pause_after_a_failed_tick_counts_from_its_end() {
    for (succeeds, between) in [(true, LONG_TICK), (false, LONG_TICK + LONG_PERIOD)] {
        let ((_stop, stopping), clock) = (watch::channel(false), Arc::new(SystemClock::start()));
        let supervisor = Supervisor { health: Arc::default(), metrics: Arc::new(Metrics::new([])), clock, stopping };
        let began = Arc::new(Mutex::default());
        let running = supervisor.run(Long { succeeds, began: Arc::clone(&began) });
        assert!(timeout(3 * (LONG_TICK + LONG_PERIOD), running).await.is_err());
        let began = began.lock().unwrap();
        assert_eq!(began[1] - began[0], between, "{succeeds}");
    }
}

/// Datasets with a bug.
struct Bug;

impl Datasets for Bug {
    fn statuses(&self) -> Vec<DatasetStatus> {
        panic!("a bug")
    }

    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        panic!("a bug")
    }
}

/// The state of an admin listener that is ready apart from its jobs.
async fn admin(has_bug: bool, jobs: &Arc<JobHealth>) -> (Data<Admin>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (store, clock) = (Arc::new(store), Arc::new(SystemClock::start()));
    let (registry, _) = EmbeddedRegistry::open_with(&folder.path().join("registry"), &[]).unwrap();
    let datasets_dir = folder.path().join("registry");
    let statuses = DatasetStatuses::new(Arc::new(registry), datasets_dir.clone(), clock.clone(), BTreeMap::new());
    let parts = ServerParts {
        datasets: if has_bug { Arc::new(Bug) } else { Arc::new(statuses) },
        concurrency: Arc::new([]),
        breakers: Vec::new(),
        store: store.clone(),
        meters: Arc::new(AccountMeters::new(store, clock, Handle::current())),
        draining: Arc::default(),
        jobs: Arc::clone(jobs),
    };
    let admin = Admin { metrics: Arc::new(Metrics::new([])), datasets_dir, server: parts.into() };
    (Data::new(admin), folder)
}

#[actix_web::test]
async fn readiness_fails_with_the_name_of_a_stalled_job() {
    let scene = Scene::start(Tick::Hang);
    let (admin, _folder) = admin(false, &scene.health).await;
    let app = test::init_service(App::new().app_data(admin).configure(routes)).await;
    let ready = async || {
        let response = test::call_service(&app, test::TestRequest::get().uri("/readyz").to_request()).await;
        let status = response.status();
        (status.as_u16(), test::read_body_json::<Value, _>(response).await)
    };
    let began = Instant::now();
    let (status, body) = ready().await;
    assert_eq!((status, &body["stalled_jobs"]), (200, &serde_json::json!([])), "{body}");
    loop {
        let (status, body) = ready().await;
        if status == 503 {
            assert_eq!(body["stalled_jobs"], serde_json::json!(["scripted"]), "{body}");
            assert!(began.elapsed() >= STALLED_AFTER - Duration::from_secs(1));
            break;
        }
        assert!(began.elapsed() < DEADLINE, "{body}");
        sleep(PERIOD).await;
    }
    let response = test::call_service(&app, test::TestRequest::get().uri("/metrics").to_request()).await;
    let page = test::read_body(response).await;
    assert!(String::from_utf8_lossy(&page).contains("\nkuraka_ready 0\n"));
}

#[actix_web::test]
async fn a_panic_of_the_admin_listener_is_answered() {
    let (admin, _folder) = admin(true, &Arc::default()).await;
    let app = test::init_service(App::new().app_data(admin).configure(routes)).await;
    let status = async |path: &str| {
        let request = test::TestRequest::get().uri(path).to_request();
        match test::try_call_service(&app, request).await {
            Ok(response) => response.status().as_u16(),
            // The server sends an error of a middleware as its response.
            Err(error) => error.error_response().status().as_u16(),
        }
    };
    let head = test::TestRequest::default().method(Method::HEAD).uri("/healthz").to_request();
    assert_eq!(test::call_service(&app, head).await.status(), 200);
    for (path, expected) in [("/readyz", 500), ("/metrics", 500), ("/healthz", 200)] {
        assert_eq!(status(path).await, expected, "{path}");
    }
}
