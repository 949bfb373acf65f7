//! The store takes no writes for a while: its file is locked by another process, its disk is full, or its PostgreSQL is
//! read-only. Calls that need a lease fail quickly and uncharged, held blocks answer, and no restart is needed.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

use kuraka_adapters::store::StoreAddress;
use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::history::History;
use kuraka_sandbox::sample;
use sqlx::{Connection, Executor, SqliteConnection};
use tokio::time::Instant;

use super::files::versions;
use super::http::{Answer, get, lookup};
use super::postgres::{database, shell};
use super::program::{Home, Serving, eventually, pass, used_in};
use super::reliability::{figure, number};
use super::small_disk::SmallDisk;

/// Callers at a time that need a lease.
const CALLERS: usize = 40;
/// The promises, and what a busy machine may add to each.
const FAILS_WITHIN: Duration = Duration::from_secs(1);
const NOTICED_WITHIN: Duration = Duration::from_secs(2);
const SLACK: Duration = Duration::from_millis(700);

/// Bytes on the disk of what a publication writes besides an edition, a list of changes and a history, and the server meanwhile.
const SMALL_FILES: u64 = 18 * 4_096;

/// Several, because leases of different accounts are written together.
const SMALL: [&str; 3] = ["small-1@example.pe", "small-2@example.pe", "small-3@example.pe"];
const LARGE: &str = "large@example.pe";

/// A server with accounts that lease single queries, and one that leases more than the test can spend: a held block
/// answers until it is spent.
struct Scene {
    home: Home,
    serving: Serving,
    small: [String; SMALL.len()],
    large: String,
    /// Answered calls of the small accounts and of the large one.
    answered: [u64; 2],
}

impl Scene {
    fn new(home: Home) -> Self {
        let home = home.plan(9_999, 1_000_000).named_plan("LARGE", 100_000_000, 1_000_000);
        home.import(sample::PADRON);
        let small = SMALL.map(|email| home.token(email));
        home.run(&["account", "create", "--email", LARGE, "--plan", "large"]).succeeded();
        let large = home.run(&["token", "create", "--email", LARGE, "--name", "t"]).succeeded().trim_end().to_owned();
        let serving = home.serve();
        let mut scene = Self { home, serving, small, large, answered: [0; 2] };
        scene.crowd_of_small(200);
        scene.call_large();
        assert_eq!(get(scene.serving.admin, "/readyz").status, 200);
        scene
    }

    /// The status of a call that needs a lease, and how long it took.
    fn call_small(&mut self) -> (u16, Duration) {
        let called = call(self.serving.api, &self.small[0]);
        self.answered[0] += u64::from(called.0 == 200);
        called
    }

    /// A call that a held block answers. Returns how long it took.
    fn call_large(&mut self) -> Duration {
        let (status, took) = call(self.serving.api, &self.large);
        assert_eq!(status, 200);
        self.answered[1] += 1;
        took
    }

    /// The longest of many concurrent calls that need a lease. All are answered with this status.
    fn crowd_of_small(&mut self, expected: u16) -> Duration {
        let callers: Vec<_> = (self.small.iter().cycle().take(CALLERS).cloned())
            .map(|token| {
                let api = self.serving.api;
                thread::spawn(move || call(api, &token))
            })
            .collect();
        self.answered[0] += if expected == 200 { CALLERS as u64 } else { 0 };
        let called = callers.into_iter().map(|caller| caller.join().unwrap());
        called.map(|(status, took)| if status == expected { took } else { panic!("{status}") }).max().unwrap()
    }

    /// The store took no writes at `since`, and does not until this function returns.
    async fn without_writes(&mut self, since: Instant) -> String {
        let mut failed = Duration::ZERO;
        let mut held = self.call_large();
        let (status, took) = self.call_small();
        assert_eq!(status, 503);
        failed = failed.max(took).max(self.crowd_of_small(503));
        // A connection that PostgreSQL has ended is out of reach once.
        let takes_none = |told: &Answer| told.status == 503 && told.body.contains("\"store\":\"takes no writes\"");
        eventually("not ready", || Some(get(self.serving.admin, "/readyz")).filter(takes_none)).await;
        let noticed = since.elapsed();
        // Longer than a block may idle.
        pass(Duration::from_millis(1_500)).await;
        let pause = Duration::from_secs(number("UNWRITABLE", 3));
        while since.elapsed() < pause {
            held = held.max(self.call_large());
            failed = failed.max(self.crowd_of_small(503));
            assert_eq!(get(self.serving.admin, "/readyz").status, 503);
        }
        held = held.max(self.call_large());
        assert!(failed <= FAILS_WITHIN + SLACK, "{failed:?}");
        assert!(noticed <= NOTICED_WITHIN + SLACK, "{noticed:?}");
        format!("503 within {failed:.2?}, /readyz 503 after {noticed:.2?}, held blocks answered within {held:.2?}")
    }

    /// The store takes writes again. Returns the server's home after a stop.
    async fn healed(mut self) -> (Home, [u64; 2], Duration) {
        let (_, back) = eventually("ready", || (get(self.serving.admin, "/readyz").status == 200).then_some(())).await;
        assert!(back <= NOTICED_WITHIN + SLACK, "{back:?}");
        for _ in 0..3 {
            assert_eq!(self.call_small().0, 200);
            self.crowd_of_small(200);
            self.call_large();
        }
        self.serving.stop();
        (self.home, self.answered, back)
    }
}

fn call(api: SocketAddr, token: &str) -> (u16, Duration) {
    let began = Instant::now();
    let answer = lookup(api, token, sample::COMPANY).unwrap();
    assert!(answer.status == 200 || answer.body.contains("service_unavailable"), "{answer:?}");
    (answer.status, began.elapsed())
}

/// The calls that the daily usage of an embedded store counts as answered.
async fn counted(file: &Path) -> i64 {
    let mut store = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let found = "SELECT coalesce(sum(count), 0) FROM history WHERE code = 'found'";
    sqlx::query_scalar(found).fetch_one(&mut store).await.unwrap()
}

/// Checks that every answered call, and no other, is in the ledger.
fn exactly(row: &str, tried: &str, measured: &str, back: Duration, answered: [u64; 2], used: [u64; 2]) {
    assert_eq!(used, answered, "{row}");
    let [small, large] = answered;
    figure(row, tried, &format!("{measured}, ready after {back:.2?}; {small} and {large} answered, as many used"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_store_fails_leases_within_a_second_and_heals() {
    let mut scene = Scene::new(Home::new());
    let file = format!("sqlite:{}", scene.home.data("kuraka.db").display());
    let mut other = SqliteConnection::connect(&file).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let measured = scene.without_writes(Instant::now()).await;
    other.close().await.unwrap();
    let (home, answered, back) = scene.healed().await;
    let used = used_by_both(async |email| home.used(email).await).await;
    assert_eq!(counted(&home.data("kuraka.db")).await as u64, answered.iter().sum::<u64>());
    exactly("C4, Q5", "the embedded store locked by another process", &measured, back, answered, used);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_started_on_a_locked_store_becomes_ready() {
    let home = Home::new();
    home.import(sample::PADRON);
    let token = home.token(SMALL[0]);
    let file = format!("sqlite:{}", home.data("kuraka.db").display());
    let mut other = SqliteConnection::connect(&file).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let serving = home.serve();
    assert_eq!(get(serving.admin, "/readyz").status, 503);
    assert_eq!(call(serving.api, &token).0, 503);
    other.close().await.unwrap();
    eventually("ready", || (get(serving.admin, "/readyz").status == 200).then_some(())).await;
    assert_eq!(call(serving.api, &token).0, 200);
    serving.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_fails_leases_within_a_second_and_heals() {
    let home = Home::new();
    let disk = SmallDisk::mount(&home.data(""));
    let mut scene = Scene::new(home.through(disk.launcher()));
    disk.fill();
    let measured = scene.without_writes(Instant::now()).await;
    disk.free();
    let (home, answered, back) = scene.healed().await;
    // The disk is visible in its namespace only, so the stopped server's store is copied out of it.
    let copy = home.path("copy.db");
    assert!(!disk.path("kuraka.db-wal").exists(), "the stopped server left its log behind");
    fs::copy(disk.path("kuraka.db"), &copy).unwrap();
    let copied = StoreAddress::Sqlite(copy.clone());
    let used = used_by_both(async |email| used_in(&copied, email).await).await;
    assert_eq!(counted(&copy).await as u64, answered.iter().sum::<u64>());
    exactly("C4", "the embedded store on a full disk", &measured, back, answered, used);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_postgresql_fails_leases_within_a_second_and_heals() {
    let address = database().await;
    let mut scene = Scene::new(Home::new().store(&address));
    let name = address.rsplit('/').next().unwrap();
    let set = async |read_only: &str| {
        let mut operator = shell(&address).await;
        operator.execute("SET default_transaction_read_only = off").await.unwrap();
        let statement = format!("ALTER DATABASE {name} SET default_transaction_read_only = {read_only}");
        operator.execute(sqlx::AssertSqlSafe(statement)).await.unwrap();
        operator
            .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            .await
            .unwrap();
    };
    set("on").await;
    let measured = scene.without_writes(Instant::now()).await;
    set("off").await;
    let (home, answered, back) = scene.healed().await;
    let used = used_by_both(async |email| home.used(email).await).await;
    exactly("C4, C12", "PostgreSQL read-only", &measured, back, answered, used);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_on_a_full_disk_is_refused_and_keeps_the_edition() {
    let home = Home::new();
    let disk = SmallDisk::mount(&home.data(""));
    let scene = Scene::new(home.through(disk.launcher()));
    for case in versions() {
        let name = case.dataset.name;
        let answering = |scene: &Scene| case.answering(scene.serving.api, &scene.large);
        // The sample of the padrón is there.
        if name != "padron" {
            case.import(&scene.home, 0);
            eventually("the first edition", || (answering(&scene) == Some(0)).then_some(())).await;
        }
        let files = || {
            let folders =
                ["editions", "rejects", "changes"].map(|folder| disk.path(&format!("registry/{name}/{folder}")));
            folders.map(|folder| fs::read_dir(folder).unwrap().count())
        };
        let before = files();
        let file = scene.home.write(case.file_name, &case.files[1]);
        let import = ["dataset", "import", name, &file];
        disk.fill();
        for _ in 0..3 {
            let line = scene.home.run(&import).failed();
            assert!(line.contains("No space left on device"), "{line}");
            assert_eq!((files(), answering(&scene)), (before, Some(0)));
            assert_eq!(lookup(scene.serving.api, &scene.large, sample::COMPANY).unwrap().status, 200);
        }
        disk.free();
        scene.home.run(&import).succeeded();
        let (_, swapped) = eventually("the new edition", || (answering(&scene) == Some(1)).then_some(())).await;
        assert_eq!(files()[0], 2);
        figure(
            "C4",
            &format!("3 imports of {name} on a full disk, then one after space returned"),
            &format!("3 refused, 0 files left, served after {swapped:.1?}"),
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_too_full_for_the_history_takes_the_edition_and_the_next_one_makes_up() {
    let home = Home::new();
    let disk = SmallDisk::mount(&home.data(""));
    let home = home.through(disk.launcher());
    home.import(&renamed(1));
    let serving = home.serve();
    let lacks = async |expected: bool| {
        let part = format!("\"lacks_history\":{expected}");
        let first = |body: &str| body.find("\"lacks_history\":").is_some_and(|at| body[at..].starts_with(&part));
        eventually("readyz tells", || first(&get(serving.admin, "/readyz").body).then_some(())).await;
    };
    lacks(false).await;
    let import = ["dataset", "import", "padron", &home.write("next", renamed(2))];
    disk.fill();
    // Room for the edition, its list of changes and small files. The history needs more.
    let without_limit = Home::new();
    let length = |folder: &str| {
        let files = fs::read_dir(without_limit.data("registry/padron").join(folder)).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).max().unwrap()
    };
    [1, 2].iter().for_each(|day| drop(without_limit.import(&renamed(*day))));
    let history = History::path(&without_limit.data("registry"), &PADRON).metadata().unwrap().len();
    assert!(history > 2 * SMALL_FILES, "{history}");
    disk.give_back((length("editions") + length("changes") + SMALL_FILES).next_multiple_of(4_096));
    let report = home.run(&import).succeeded();
    assert!(report.contains("not extended: ") && report.contains("No space left on device"), "{report}");
    lacks(true).await;
    disk.free();
    home.import(&renamed(3));
    lacks(false).await;
    let history = History::open(&disk.path("registry"), &PADRON).unwrap();
    assert_eq!(history.editions().len(), 3);
}

/// A padrón of companies that have other names each day, so that a history of them takes several blocks of the disk.
fn renamed(day: u64) -> Vec<u8> {
    let company = |n: u32| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + n).unwrap();
        let name = [3, 5].map(|salt| (u64::from(n) * 8 + day + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        format!("{ruc}|{:x} {:x}|ACTIVO|HABIDO|150101|AV.|GRAU|-|-|1|-|-|-|-|-|\n", name[0], name[1])
    };
    [sample::PADRON, (0..9_000).map(company).collect::<String>().as_bytes()].concat()
}

/// The queries of the small accounts and of the large one.
async fn used_by_both(used: impl AsyncFn(&str) -> u64) -> [u64; 2] {
    let mut small = 0;
    for email in SMALL {
        small += used(email).await;
    }
    [small, used(LARGE).await]
}
