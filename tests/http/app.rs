//! A server under test, with its own folder and ports. Its data is made as the commands make it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_adapters::store::Store;
use kuraka_app::{ApiToken, calendar};
use kuraka_domain::{Date, EditionOrigin};
use kuraka_ports::{AccountId, Accounts, Clock, Email, NewToken, PlanName, TokenId, TokenKind, Tokens};
use kuraka_sandbox::upstream::{CLIENT_ID, CLIENT_SECRET, REQUESTER_RUC, Upstream};
use kuraka_server::application::Application;
use kuraka_server::bootstrap::test_instance::TestData;
use kuraka_server::http::{ENDPOINTS, Endpoint};
use kuraka_server::settings::Settings;
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::datasets;
pub(crate) use crate::eventually::{DEADLINE, eventually};
use crate::imported::Files;
pub(crate) use crate::published::{REGISTRY, publish};
use crate::published::{SAMPLE, import};
use crate::request::Request;
use crate::test_data::{read_settings, test_data};
use crate::wire::Wire;

/// A plan whose limits no test reaches.
const GENEROUS: &str = "[plans.free]\nqueries = 1000000\nrate = 1000000\nburst = 1000000\n";

type SettingsChange = Box<dyn FnOnce(&mut Settings) + Send>;

/// Settings and data that a server starts with.
pub(crate) struct Scene {
    edition: Option<Edition>,
    plan: String,
    official: String,
    providers: String,
    vouchers: String,
    /// Keys without a table. TOML wants them first.
    keys: String,
    changes: Vec<SettingsChange>,
    endpoints: Vec<Endpoint>,
    /// Answers test tokens instead of the sample.
    pub(crate) test_data: Option<TestData>,
    clock: Arc<dyn Clock>,
}

enum Edition {
    /// The sample of today, with its lists.
    Sample,
    Imported {
        padron: Vec<u8>,
        date: Option<Date>,
        origin: EditionOrigin,
    },
    Copied {
        registry: PathBuf,
    },
}

/// A running server under test.
pub(crate) struct App {
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    /// The registry that the server serves.
    pub(crate) registry: Arc<EmbeddedRegistry>,
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

/// The bundled sample, no detail source, and a plan whose limits no test reaches.
pub(crate) fn scene() -> Scene {
    Scene {
        edition: Some(Edition::Sample),
        plan: GENEROUS.to_owned(),
        official: "[official]\nurl = \"\"\n".to_owned(),
        providers: String::new(),
        vouchers: String::new(),
        keys: "datasets.update_every = \"off\"\n".to_owned(),
        changes: Vec::new(),
        endpoints: ENDPOINTS.to_vec(),
        test_data: None,
        clock: Arc::new(SystemClock::start()),
    }
}

impl Scene {
    /// Starts without any edition.
    pub(crate) fn without_edition(mut self) -> Self {
        self.edition = None;
        self
    }

    /// Fetches the datasets from a builder with this admin address.
    pub(crate) fn fetching(mut self, builder: SocketAddr) -> Self {
        self.keys = format!("datasets.builder_url = \"http://{builder}/edition\"\n");
        self
    }

    /// Publishes these bytes as a padrón of this day; `None` means today.
    pub(crate) fn published(mut self, padron: &[u8], date: Option<Date>) -> Self {
        self.edition = Some(Edition::Imported { padron: padron.to_vec(), date, origin: EditionOrigin::Published });
        self
    }

    /// Copies the editions of another server, because an import takes longer than most tests.
    pub(crate) fn with_editions_of(mut self, app: &App) -> Self {
        self.edition = Some(Edition::Copied { registry: app.folder.path().join(REGISTRY) });
        self
    }

    /// Publishes every dataset of the sample, not only the padrón and its lists.
    pub(crate) fn with_datasets(mut self) -> Self {
        self.edition = Some(Edition::Copied { registry: datasets::registry() });
        self
    }

    /// Keeps `/ruc-official` from the open data. To be called after the official page is set.
    pub(crate) fn without_open_data(mut self) -> Self {
        self.official.push_str("open_data = false\n");
        self
    }

    /// Uses another clock than the system's.
    pub(crate) fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets a setting.
    pub(crate) fn set(mut self, key: &str, value: &str) -> Self {
        self.keys.push_str(&format!("{key} = {value:?}\n"));
        self
    }

    /// Changes what an operator cannot set, such as the times of the sources.
    pub(crate) fn changed(mut self, change: impl FnOnce(&mut Settings) + Send + 'static) -> Self {
        self.changes.push(Box::new(change));
        self
    }

    /// Sets the most calls in progress of an operation.
    pub(crate) fn calls(mut self, operation: &str, calls: u32) -> Self {
        self.endpoints.iter_mut().find(|endpoint| endpoint.operation.name == operation).unwrap().calls = calls as usize;
        self
    }

    /// Sets the plan of every account.
    pub(crate) fn plan(mut self, queries: u64, rate: u64, burst: u64) -> Self {
        self.plan = format!("[plans.free]\nqueries = {queries}\nrate = {rate}\nburst = {burst}\n");
        self
    }

    /// Sets the most items in one call of every account's plan. To be called after the plan is set.
    pub(crate) fn batches(mut self, rucs: usize, vouchers: usize) -> Self {
        self.plan.push_str(&format!("batch = {rucs}\nbatch_vouchers = {vouchers}\n"));
        self
    }

    /// Sets the most watched RUCs of every account's plan. To be called after the plan is set.
    pub(crate) fn watched(mut self, most: u64) -> Self {
        self.plan.push_str(&format!("watched = {most}\n"));
        self
    }

    /// Adds a plan that no account has yet.
    pub(crate) fn another_plan(mut self, name: &str, queries: u64) -> Self {
        self.plan.push_str(&format!("[plans.{name}]\nqueries = {queries}\nrate = 1000000\nburst = 1000000\n"));
        self
    }

    /// Uses the official page of the sandbox, without a pause between requests.
    pub(crate) fn official(self, upstream: &Upstream) -> Self {
        self.official_at(&upstream.official_url())
    }

    /// Uses the official page at this address, without a pause between requests.
    pub(crate) fn official_at(mut self, url: &str) -> Self {
        self.official = format!("[official]\nurl = {url:?}\nmin_interval_ms = 0\n");
        self
    }

    /// Adds a preset provider, served by the sandbox.
    pub(crate) fn provider(self, upstream: &Upstream, preset: &str) -> Self {
        self.provider_at(preset, &upstream.provider_url(preset).unwrap())
    }

    /// Adds a preset provider at this address.
    pub(crate) fn provider_at(mut self, preset: &str, url: &str) -> Self {
        self.providers =
            format!("[providers]\nchain = {preset:?}\n[providers.{preset}]\nurl = {url:?}\ntoken = \"token\"\n");
        self
    }

    /// Uses the voucher service of the sandbox, with the credentials that it accepts.
    pub(crate) fn vouchers(self, upstream: &Upstream) -> Self {
        self.vouchers_with(upstream, CLIENT_SECRET)
    }

    /// Uses the voucher service of the sandbox with this secret.
    pub(crate) fn vouchers_with(self, upstream: &Upstream, secret: &str) -> Self {
        self.voucher_settings(&upstream.token_url(), &upstream.vouchers_url(), secret)
    }

    /// Uses the voucher service of the sandbox through another address, and its token endpoint directly.
    pub(crate) fn vouchers_at(self, upstream: &Upstream, address: &str) -> Self {
        let there = upstream.vouchers_url().replace(&upstream.address().to_string(), address);
        self.voucher_settings(&upstream.token_url(), &there, CLIENT_SECRET)
    }

    /// Uses these addresses as token endpoint and voucher service, with the sandbox's client id and this secret.
    pub(crate) fn voucher_settings(mut self, token_url: &str, api_url: &str, secret: &str) -> Self {
        self.vouchers = format!(
            "[vouchers]\ntoken_url = {token_url:?}\napi_url = {api_url:?}\nruc = {REQUESTER_RUC:?}\n\
             client_id = {CLIENT_ID:?}\nclient_secret = {secret:?}\n"
        );
        self
    }

    /// Starts the server and waits until it accepts connections.
    pub(crate) async fn start(self) -> App {
        let folder = tempfile::tempdir().unwrap();
        let registry = folder.path().join(REGISTRY);
        match self.edition {
            Some(Edition::Sample) => SAMPLE.write(&registry),
            Some(Edition::Imported { padron, date, origin }) => import(folder.path(), &padron, date, origin),
            Some(Edition::Copied { registry: from }) => Files::read(&from).write(&registry),
            None => {}
        }
        let mut settings =
            settings(folder.path(), &[self.keys, self.plan, self.official, self.providers, self.vouchers].concat());
        self.changes.into_iter().for_each(|change| change(&mut settings));
        // The process needs one TLS provider; the first test to get here installs it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (address, test) = (settings.store.clone(), self.test_data.unwrap_or_else(|| test_data(folder.path())));
        let application = Application::build_with(self.clock, settings.clone(), &self.endpoints, test).await.unwrap();
        let (api, admin) = (application.api_address, application.admin_address);
        let registry = Arc::clone(&application.registry);
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            // A test that panics drops the sender, which stops the server too.
            let _ = stopped.await;
        };
        let serving =
            tokio::spawn(async move { application.run_until(stopped).await.map_err(|error| error.to_string()) });
        let store = address.open().await.unwrap();
        App { api, admin, store, settings, registry, folder, stop: Some(stop), serving }
    }

    /// As [`Scene::start`], with an account of the plan `free` with one token.
    pub(crate) async fn start_with_owner(self) -> (App, Owner) {
        let app = self.start().await;
        let owner = app.owner().await;
        (app, owner)
    }
}

fn settings(folder: &Path, more: &str) -> Settings {
    let data = folder.join("data");
    let text = format!(
        "data_dir = {data:?}\nhttp.bind = \"127.0.0.1:0\"\nhttp.workers = 2\nadmin.bind = \"127.0.0.1:0\"\n{more}"
    );
    read_settings(&folder.join("kuraka.toml"), &text).unwrap()
}

/// The system's time, which the server uses too.
pub(crate) fn now() -> jiff::Timestamp {
    SystemClock::start().now()
}

impl App {
    /// The folder of the server's editions.
    pub(crate) fn registry_dir(&self) -> PathBuf {
        self.folder.path().join(REGISTRY)
    }

    /// Answers from what was just published.
    pub(crate) fn refresh(&self) {
        drop(self.registry.refresh());
    }

    /// A `POST` request to this path.
    pub(crate) fn post(&self, path: &str) -> Request {
        Request::new(self.api, "POST", path)
    }

    /// A request with this method to this path.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.api, method, path)
    }

    /// A `GET` request to the admin listener.
    pub(crate) fn admin(&self, path: &str) -> Request {
        Request::new(self.admin, "GET", path)
    }

    /// Opens a connection to the API.
    pub(crate) async fn connect(&self) -> Wire {
        Wire::open(self.api).await
    }

    /// Makes an account of the plan `free` with one token.
    pub(crate) async fn owner(&self) -> Owner {
        self.owner_under("free").await
    }

    /// Makes an account of this plan with one token.
    pub(crate) async fn owner_under(&self, plan: &str) -> Owner {
        let email = format!("owner-{:x}@kuraka.example", getrandom::u64().unwrap());
        let (email, plan) = (Email::parse(&email).unwrap(), PlanName::parse(plan).unwrap());
        let account = Accounts::create(&*self.store, &email, &plan, None, now()).await.unwrap();
        let (token, token_id) = self.token_of(account.id).await;
        Owner { account: account.id, token_id, token }
    }

    /// A token with a right checksum that the store does not have.
    pub(crate) async fn unknown_token(&self) -> ApiToken {
        let key = self.store.token_key().await.unwrap();
        ApiToken::generate(TokenKind::Live, &key, getrandom::fill).unwrap()
    }

    /// One more token of an account.
    pub(crate) async fn token_of(&self, account: AccountId) -> (String, TokenId) {
        let token = self.unknown_token().await;
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

    /// Queries of this month that the ledger counts against the account, both used and leased.
    pub(crate) async fn used(&self, owner: &Owner) -> u64 {
        self.store.used(owner.account, calendar::period(now())).await.unwrap()
    }

    /// Runs a statement on the store, as an operator would in an SQL shell.
    pub(crate) async fn sql(&self, statement: &'static str) {
        let mut shell = self.shell().await;
        sqlx::raw_sql(statement).execute(&mut shell).await.unwrap();
        shell.close().await.unwrap();
    }

    /// A connection to the store that knows nothing of the server.
    pub(crate) async fn shell(&self) -> SqliteConnection {
        SqliteConnection::connect(&format!("sqlite:{}", self.store_file().display())).await.unwrap()
    }

    /// The store's file.
    pub(crate) fn store_file(&self) -> PathBuf {
        self.folder.path().join("data/kuraka.db")
    }

    /// Stops the server and waits for its end, when it has returned its leases.
    pub(crate) async fn stop(&mut self) {
        let stop = self.stop.take().unwrap();
        stop.send(()).unwrap();
        (&mut self.serving).await.unwrap().unwrap();
    }
}
