//! A server to try: its own folder, its own ports, and the scene set as the commands would set it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use config::Environment;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::Store;
use kuraka_app::{ApiToken, calendar};
use kuraka_domain::Date;
use kuraka_ports::{AccountId, Accounts, Clock, Email, NewToken, PlanName, TokenId, Tokens};
use kuraka_registry::{ImportRequest, NoProgress, Origin, SourceFile};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{CLIENT_ID, CLIENT_SECRET, CONSULTANT, Upstream};
use kuraka_server::application::Application;
use kuraka_server::settings::{Settings, Values};
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::request::Request;
use crate::wire::Wire;

/// How long anything that must happen may take. Far more than it takes: only a failure waits so long.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// A plan that never stands in the way.
const GENEROUS: &str = "[plans.free]\nqueries = 1000000\nrate = 1000000\nburst = 1000000\n";

/// Where a server keeps its editions, in its folder.
const REGISTRY: &str = "data/registry";

/// What a server is started with.
pub(crate) struct Scene {
    edition: Option<Edition>,
    plan: String,
    official: String,
    providers: String,
    vouchers: String,
    /// Keys without a table, which come first.
    keys: String,
    clock: Arc<dyn Clock>,
}

enum Edition {
    Imported { padron: Vec<u8>, date: Option<Date>, origin: Origin },
    Copied { registry: PathBuf },
}

/// A running server.
pub(crate) struct App {
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    pub(crate) store: Arc<dyn Store>,
    folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), String>>,
}

/// An account with one token.
pub(crate) struct Owner {
    pub(crate) account: AccountId,
    pub(crate) token_id: TokenId,
    pub(crate) token: String,
}

/// The bundled sample, no source of details, and a plan that never stands in the way.
pub(crate) fn scene() -> Scene {
    let edition = Edition::Imported { padron: sample::PADRON.to_vec(), date: None, origin: Origin::Sample };
    Scene {
        edition: Some(edition),
        plan: GENEROUS.to_owned(),
        official: "[official]\nurl = \"\"\n".to_owned(),
        providers: String::new(),
        vouchers: String::new(),
        keys: String::new(),
        clock: Arc::new(SystemClock::start()),
    }
}

impl Scene {
    /// Nothing was ever imported.
    pub(crate) fn without_edition(mut self) -> Self {
        self.edition = None;
        self
    }

    /// These bytes were published as a padrón on this day; `None` = today.
    pub(crate) fn published(mut self, padron: &[u8], date: Option<Date>) -> Self {
        self.edition = Some(Edition::Imported { padron: padron.to_vec(), date, origin: Origin::Published });
        self
    }

    /// The editions of another server, copied: an import takes longer than most tests.
    pub(crate) fn with_editions_of(mut self, app: &App) -> Self {
        self.edition = Some(Edition::Copied { registry: app.folder.path().join(REGISTRY) });
        self
    }

    /// Whoever calls from this machine is a proxy that says whom it speaks for.
    pub(crate) fn behind_a_proxy(mut self) -> Self {
        self.keys.push_str("http.trusted_proxies = \"127.0.0.1\"\n");
        self
    }

    /// Accounts, tokens and usage are in this database instead of a file.
    pub(crate) fn store(mut self, address: &str) -> Self {
        self.keys.push_str(&format!("store.url = {address:?}\n"));
        self
    }

    /// The machine has another clock.
    pub(crate) fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// One of the times under `sources`.
    pub(crate) fn time(mut self, name: &str, time: &str) -> Self {
        self.keys.push_str(&format!("sources.{name} = {time:?}\n"));
        self
    }

    /// The plan of every account.
    pub(crate) fn plan(mut self, queries: u64, rate: u64, burst: u64) -> Self {
        self.plan = format!("[plans.free]\nqueries = {queries}\nrate = {rate}\nburst = {burst}\n");
        self
    }

    /// One more plan, which nobody has yet.
    pub(crate) fn another_plan(mut self, name: &str, queries: u64) -> Self {
        self.plan.push_str(&format!("[plans.{name}]\nqueries = {queries}\nrate = 1000000\nburst = 1000000\n"));
        self
    }

    /// The official page is the stand-in's; questions need not be spaced out.
    pub(crate) fn official(self, upstream: &Upstream) -> Self {
        self.official_at(&upstream.official_url())
    }

    /// The official page is at this address; questions need not be spaced out.
    pub(crate) fn official_at(mut self, url: &str) -> Self {
        self.official = format!("[official]\nurl = {url:?}\nmin_interval_ms = 0\n");
        self
    }

    /// One provider, a preset, as the stand-in plays it.
    pub(crate) fn provider(self, upstream: &Upstream, preset: &str) -> Self {
        self.provider_at(preset, &upstream.provider_url(preset).unwrap())
    }

    /// One provider, a preset, at this address.
    pub(crate) fn provider_at(mut self, preset: &str, url: &str) -> Self {
        self.providers =
            format!("[providers]\nchain = {preset:?}\n[providers.{preset}]\nurl = {url:?}\ntoken = \"token\"\n");
        self
    }

    /// The voucher service is the stand-in's, with the credentials it takes.
    pub(crate) fn vouchers(self, upstream: &Upstream) -> Self {
        self.vouchers_with(upstream, CLIENT_SECRET)
    }

    /// The voucher service is the stand-in's, asked with this secret.
    pub(crate) fn vouchers_with(self, upstream: &Upstream, secret: &str) -> Self {
        self.voucher_settings(&upstream.token_url(), &upstream.vouchers_url(), secret)
    }

    /// The voucher service is the stand-in's, asked by way of another address; its tokens come straight.
    pub(crate) fn vouchers_at(self, upstream: &Upstream, address: &str) -> Self {
        let there = upstream.vouchers_url().replace(&upstream.address().to_string(), address);
        self.voucher_settings(&upstream.token_url(), &there, CLIENT_SECRET)
    }

    /// Tokens and answers about vouchers are asked for at these addresses, with the stand-in's id and this secret.
    pub(crate) fn voucher_settings(mut self, token_url: &str, api_url: &str, secret: &str) -> Self {
        self.vouchers = format!(
            "[vouchers]\ntoken_url = {token_url:?}\napi_url = {api_url:?}\nruc = {CONSULTANT:?}\n\
             client_id = {CLIENT_ID:?}\nclient_secret = {secret:?}\n"
        );
        self
    }

    /// Starts the server.
    pub(crate) async fn start(self) -> App {
        let folder = tempfile::tempdir().unwrap();
        if let Some(edition) = self.edition {
            import(folder.path(), edition);
        }
        let settings =
            settings(folder.path(), &[self.keys, self.plan, self.official, self.providers, self.vouchers].concat());
        // Every test wants one, whichever begins; a client without it would be refused.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = settings.store.clone();
        let application = Application::build_by(self.clock, settings).await.unwrap();
        let (api, admin) = (application.api_address, application.admin_address);
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            // A test that panics drops the sender: that stops the server too.
            let _ = stopped.await;
        };
        let serving =
            tokio::spawn(async move { application.run_until(stopped).await.map_err(|error| error.to_string()) });
        let store = address.open().await.unwrap();
        App { api, admin, store, folder, stop: Some(stop), serving }
    }
}

fn settings(folder: &Path, more: &str) -> Settings {
    let file = folder.join("kuraka.toml");
    let data = folder.join("data");
    let text = format!(
        "data_dir = {data:?}\nhttp.bind = \"127.0.0.1:0\"\nhttp.workers = 2\nadmin.bind = \"127.0.0.1:0\"\n{more}"
    );
    std::fs::write(&file, text).unwrap();
    // Whatever the environment of the tests says.
    let nothing = Environment::with_prefix("KURAKA").source(Some(Default::default()));
    Settings::read(&Values::lay(Some(file), nothing, &[]).unwrap()).unwrap()
}

fn import(folder: &Path, edition: Edition) {
    let registry = folder.join(REGISTRY);
    let (padron, date, origin) = match edition {
        Edition::Imported { padron, date, origin } => (padron, date, origin),
        Edition::Copied { registry: from } => return copy(&from, &registry),
    };
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        SourceFile::local(path)
    };
    let request = ImportRequest {
        padron: write("padron_reducido_ruc.txt", &padron),
        withholding: Some(write("AgenRet_TXT.txt", sample::WITHHOLDING)),
        good_taxpayers: Some(write("BueCont_TXT.txt", sample::GOOD_TAXPAYERS)),
        date,
        today: calendar::today(now()),
        origin,
        force: false,
    };
    kuraka_registry::import(&registry, &request, &NoProgress).unwrap();
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// The system's time, which is the server's.
pub(crate) fn now() -> jiff::Timestamp {
    SystemClock::start().now()
}

impl App {
    /// `POST` to this path.
    pub(crate) fn post(&self, path: &str) -> Request {
        Request::new(self.api, "POST", path)
    }

    /// Any method to this path.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.api, method, path)
    }

    /// `GET` from the admin listener.
    pub(crate) fn admin(&self, path: &str) -> Request {
        Request::new(self.admin, "GET", path)
    }

    /// One connection to the API.
    pub(crate) async fn connect(&self) -> Wire {
        Wire::open(self.api).await
    }

    /// An account of the plan `free`, with one token.
    pub(crate) async fn owner(&self) -> Owner {
        self.owner_under("free").await
    }

    /// An account of any plan, with one token.
    pub(crate) async fn owner_under(&self, plan: &str) -> Owner {
        let unique = ApiToken::generate(getrandom::fill).unwrap();
        let email = format!("owner-{}@kuraka.example", unique.prefix().trim_start_matches("kur_"));
        let email = Email::parse(&email).unwrap();
        let account = Accounts::create(&*self.store, &email, &PlanName::parse(plan).unwrap(), now()).await.unwrap();
        let (token, token_id) = self.token_of(account.id).await;
        Owner { account: account.id, token_id, token }
    }

    /// One more token of an account.
    pub(crate) async fn token_of(&self, account: AccountId) -> (String, TokenId) {
        let token = ApiToken::generate(getrandom::fill).unwrap();
        let new = NewToken {
            account,
            name: "acceptance".to_owned(),
            digest: token.digest(),
            prefix: token.prefix().to_owned(),
            created: now(),
            expires: None,
            allowed: Vec::new(),
        };
        let made = Tokens::create(&*self.store, &new).await.unwrap();
        (token.reveal().to_owned(), made.id)
    }

    /// Queries of this month that the ledger holds against the account: used, or leased by the server.
    pub(crate) async fn used(&self, owner: &Owner) -> u64 {
        self.store.used(owner.account, calendar::period(now())).await.unwrap()
    }

    /// Changes the store beneath the server, as an operator with an SQL shell would.
    pub(crate) async fn sql(&self, statement: &'static str) {
        let mut shell = self.shell().await;
        sqlx::raw_sql(statement).execute(&mut shell).await.unwrap();
        shell.close().await.unwrap();
    }

    /// Keeps everybody else from writing to the store until it is closed.
    pub(crate) async fn hold_writes(&self) -> SqliteConnection {
        let mut shell = self.shell().await;
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut shell).await.unwrap();
        shell
    }

    /// A connection to the store that knows nothing of the server.
    pub(crate) async fn shell(&self) -> SqliteConnection {
        SqliteConnection::connect(&format!("sqlite:{}", self.store_file().display())).await.unwrap()
    }

    /// The store's file.
    pub(crate) fn store_file(&self) -> PathBuf {
        self.folder.path().join("data/kuraka.db")
    }

    /// Stops the server and waits until it has: leases are back then.
    pub(crate) async fn stop(&mut self) {
        let stop = self.stop.take().unwrap();
        stop.send(()).unwrap();
        (&mut self.serving).await.unwrap().unwrap();
    }
}

/// Tries until it gives something, and gives that.
pub(crate) async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, mut attempt: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + DEADLINE;
    let mut beat = interval(Duration::from_millis(20));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        if let Some(done) = attempt().await {
            return done;
        }
        assert!(Instant::now() < deadline, "{what}: not within {DEADLINE:?}");
    }
}
