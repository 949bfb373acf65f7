//! A panel with fakes of its ports, and access to the fakes.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use actix_web::dev::Service;
use actix_web::test::{TestRequest, init_service};
use actix_web::{App, HttpMessage, HttpResponse, web};
use jiff::Timestamp;
use kuraka_api::{
    CodeDescription, Operation, cpe, cpe_multiple, ruc, ruc_busqueda, ruc_ficha, ruc_multiple, ruc_official,
};
use kuraka_app::{
    AccountMeters, Admission, AgeLimits, ChargedCall, ConcurrencyLimit, CredentialCache, FormRate, IssuedCertificates,
    Lists, LookupTaxpayer, OwnTokens, Places, Plan, Plans, RequestedMails, ServiceReport, SignIn, Usage,
    ValidateVoucher, Watching, calendar,
};
use kuraka_domain::{DatasetRole, Date, ResultCode};
use kuraka_panel::source_status::Source;
use kuraka_panel::{Documentation, PageCallSlot, Panel, ServiceStatus, Site};
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry, ScriptedValidator};
use kuraka_ports::{
    Account, Accounts, AttemptOutcome, Clock, DailyUsage, DatasetAttempt, DatasetState, DatasetStatus, Datasets,
    DayCount, Edition, EditionOrigin, Email, ExchangeRateRecord, FeedChange, OperationName, PlanName, Token, Tokens,
    UsageLedger,
};
use tokio::runtime::Handle;

use crate::browser::{Browser, Response};
use crate::digest::mail_changes;
use crate::feed::ScriptedFeed;
use crate::hasher::Plain;
use crate::operator::FakeOperator;
use crate::taxpayers;

/// The address of the account of most tests.
pub(crate) const EMAIL: &str = "ana@kuraka.example";
/// The password of every account.
pub(crate) const PASSWORD: &str = "una frase larga y mía";

type Answered = Pin<Box<dyn Future<Output = (HttpResponse, Option<Rc<ChargedCall>>)>>>;

/// A panel with fakes.
pub(crate) struct TestApp {
    app: Rc<dyn Fn(TestRequest) -> Answered>,
    pub(crate) panel: web::Data<Panel>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) registry: Arc<ScriptedRegistry>,
    pub(crate) validator: Arc<ScriptedValidator>,
    sources: Arc<Mutex<Vec<Source>>>,
    datasets: Arc<FakeDatasets>,
    feed: Arc<ScriptedFeed>,
    pub(crate) operator: Arc<FakeOperator>,
}

/// The operations of the API.
const OPERATIONS: &[&Operation] = &[
    &ruc::OPERATION,
    &ruc_official::OPERATION,
    &cpe::OPERATION,
    &ruc_ficha::OPERATION,
    &ruc_busqueda::OPERATION,
    &ruc_multiple::OPERATION,
    &cpe_multiple::OPERATION,
    &kuraka_api::usage::OPERATION,
    &kuraka_api::seguimiento::LIST,
];

pub(crate) struct FakeDatasets(Mutex<Vec<DatasetStatus>>, Mutex<Option<Arc<ExchangeRateRecord>>>);

impl Datasets for FakeDatasets {
    fn statuses(&self) -> Vec<DatasetStatus> {
        self.0.lock().unwrap().clone()
    }

    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        self.1.lock().unwrap().clone()
    }
}

/// A path of the table with this id in place of the braces.
pub(crate) fn filled_in(path: &str, id: i64) -> String {
    path.replace("{id}", &id.to_string())
        .replace("{file}", "none")
        .replace("{ruc}", "20100119227")
        .replace("{code}", "0")
        .replace("{page}", "0")
}

fn plan(name: &str, queries: u64, rate: u64, burst: u64) -> Plan {
    Plan::new(PlanName::parse(name).unwrap(), queries, rate, burst).unwrap()
}

/// Its label begins with its day.
pub(crate) fn edition(label: &str, rows: u64) -> Edition {
    let date = Date::parse(&label[..10]).unwrap();
    Edition { label: label.into(), digest: None, date, origin: EditionOrigin::Published, rows }
}

pub(crate) fn failed(cause: &str, reason: &str) -> DatasetAttempt {
    let (cause, reason) = (cause.to_owned(), reason.to_owned());
    let outcome = AttemptOutcome::Failed { cause, reason, needs_operator: false, force_helps: false };
    DatasetAttempt { at: "2026-11-20T03:05:00Z".parse().unwrap(), outcome }
}

/// The padrón of today.
pub(crate) fn padron() -> DatasetStatus {
    DatasetStatus {
        name: "padron",
        role: DatasetRole::Summary,
        title: "Padrón reducido del RUC",
        attribution: "Fuente: SUNAT",
        is_required: true,
        when_absent: "Todavía no hay ninguna edición: /ruc responde 503.",
        when_too_old: "Un RUC que no está en ella se responde 503.",
        state: DatasetState::Loaded,
        edition: Some(Arc::new(edition("2026-11-20-8c1f22ab", 18_234_511))),
        age_days: Some(0),
        max_age_days: Some(7),
        is_too_old: false,
        lacks_history: false,
        next_update: None,
        last_attempt: None,
        progress: None,
    }
}

impl TestApp {
    /// A panel and a browser of [`EMAIL`], which has just signed up. They live as long as the tests.
    pub(crate) async fn owner() -> (&'static Self, Browser<'static>) {
        let app: &Self = Box::leak(Box::new(Self::new().await));
        (app, app.signed_in(EMAIL).await)
    }

    /// Over plain http, with sign-up open and without a mail server.
    pub(crate) async fn new() -> Self {
        Self::with(|_| ()).await
    }

    /// With this public URL.
    pub(crate) async fn at(url: &str) -> Self {
        Self::with(|panel| panel.site.public_url = Some(url.to_owned())).await
    }

    pub(crate) async fn with_public_status() -> Self {
        Self::with(|panel| panel.service = ServiceStatus::new(true)).await
    }

    pub(crate) async fn with_operations(operations: &[&'static Operation]) -> Self {
        Self::start(operations, false, |_| ()).await
    }

    /// With a mail server.
    pub(crate) async fn with_mail() -> Self {
        Self::start(OPERATIONS, true, |_| ()).await
    }

    /// With a mail server, by which new accounts are confirmed.
    pub(crate) async fn confirming() -> Self {
        Self::start(OPERATIONS, true, |panel| panel.site.confirm_address = true).await
    }

    /// With a change of the panel.
    pub(crate) async fn with(change: impl FnOnce(&mut Panel)) -> Self {
        Self::start(OPERATIONS, false, change).await
    }

    async fn start(operations: &[&'static Operation], mail: bool, change: impl FnOnce(&mut Panel)) -> Self {
        let now: Timestamp = "2026-11-20T15:00:00Z".parse().unwrap();
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(now)));
        let plans = Plans::from_iter([plan("free", 1_000, 5, 10), plan("empresa", 100_000, 50, 100)]);
        let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current()));
        let key = MemoryStore::TOKEN_KEY;
        let credentials = CredentialCache::new(store.clone(), key, clock.clone(), plans.clone(), meters.clone());
        let registry = Arc::new(ScriptedRegistry::empty());
        let validator = Arc::new(taxpayers::validator());
        let ages = AgeLimits::new(clock.clone(), [("padron", 7)]);
        let datasets = Arc::new(FakeDatasets(Mutex::new(vec![padron()]), Mutex::default()));
        let feed = Arc::new(ScriptedFeed::default());
        let admission = Arc::new(Admission::new(Arc::new(credentials), clock.clone()));
        let sources = Arc::<Mutex<Vec<Source>>>::default();
        let (known, operator) = (Arc::clone(&sources), Arc::<FakeOperator>::default());
        let mut panel = Panel {
            site: Site {
                public_url: None,
                sign_up: Some(PlanName::parse("free").unwrap()),
                contact: None,
                confirm_address: false,
                brand: Arc::default(),
                client_address: Arc::new(|_| Some([192, 0, 2, 1].into())),
            },
            sign_in: Arc::new(SignIn::new(
                store.clone(),
                store.clone(),
                Arc::new(Plain),
                clock.clone(),
                MemoryStore::TOKEN_KEY,
                getrandom::fill,
            )),
            mails: mail.then(|| Arc::new(RequestedMails::new(store.clone(), store.clone(), clock.clone()))),
            mail_changes: mail.then(|| mail_changes(&store, &feed, &registry, &datasets, &clock)),
            form_rate: FormRate::new(clock.clone()),
            admission: admission.clone(),
            places: Places::new(2, 3),
            concurrency: operations.iter().map(|_| ConcurrencyLimit::new(1)).collect(),
            validate_voucher: Arc::new(ValidateVoucher::new(validator.clone(), 8)),
            lookup_taxpayer: Arc::new(LookupTaxpayer::new(registry.clone(), ages)),
            watching: Arc::new(Watching::new(store.clone(), feed.clone(), admission)),
            lists: Arc::new(Lists::new(store.clone(), clock.clone(), getrandom::fill, 30)),
            certificates: Arc::new(IssuedCertificates::new(store.clone(), clock.clone(), getrandom::fill)),
            notifier: Some(Arc::new(crate::webhooks::notifier(&store, clock.clone()))),
            own_tokens: Arc::new(OwnTokens::new(store.clone(), clock.clone(), getrandom::fill)),
            usage: Arc::new(Usage::new(store.clone(), store.clone(), meters, clock.clone())),
            audit: store.clone(),
            accounts: store.clone(),
            operator: operator.clone(),
            plans,
            operations: operations.to_vec(),
            codes: ResultCode::ALL
                .map(|code| CodeDescription {
                    code,
                    status: if code == ResultCode::Found { 200 } else { 429 },
                    message: "Espere.",
                })
                .to_vec(),
            documentation: Documentation::default(),
            service: ServiceStatus::new(false),
            sources: Arc::new(move || known.lock().unwrap().clone()),
            datasets: datasets.clone(),
            clock: clock.clone(),
        };
        change(&mut panel);
        let panel = web::Data::new(panel);
        panel.show_service(&ServiceReport::default(), &[]);
        let app = Rc::new(init_service(App::new().app_data(panel.clone()).configure(kuraka_panel::configure)).await);
        let answer = move |request: TestRequest| -> Answered {
            let app = Rc::clone(&app);
            Box::pin(async move {
                let (request, slot) = (request.to_request(), PageCallSlot::default());
                request.extensions_mut().insert(slot.clone());
                let response = app.call(request).await.unwrap().into_parts().1;
                (response.map_into_boxed_body(), slot.take())
            })
        };
        Self { app: Rc::new(answer), panel, store, clock, registry, validator, sources, datasets, feed, operator }
    }

    pub(crate) async fn answer(&self, request: TestRequest) -> Response {
        let (response, call) = (self.app)(request).await;
        Response { call, ..Response::read(response).await }
    }

    /// The answer, of which nothing is read yet.
    pub(crate) async fn open(&self, request: TestRequest) -> HttpResponse {
        (self.app)(request).await.0
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.panel.site.is_secure()
    }

    /// A browser that has just signed up.
    pub(crate) async fn signed_in(&self, email: &str) -> Browser<'_> {
        let mut browser = Browser::new(self);
        browser.sign_up(email, PASSWORD).await.location();
        browser
    }

    /// Logs in with a browser that may still have an older session.
    pub(crate) async fn log_in(&self, browser: &mut Browser<'_>, email: &str) {
        let mut fresh = Browser::new(self);
        let token = fresh.get("/ingresar").await.form_token();
        browser.cookies.extend(fresh.cookies);
        let fields = [("form_token", token.as_str()), ("email", email), ("password", PASSWORD)];
        assert_eq!(browser.post("/ingresar", &fields).await.location(), "/panel");
    }

    /// Creates a token in the panel and returns its id.
    pub(crate) async fn token(&self, owner: &mut Browser<'_>, name: &str) -> i64 {
        let response = owner.submit("/panel/tokens", "/panel/tokens", &[("name", name), ("expires", "")]).await;
        // The newest token comes first.
        response.between("href=\"/panel/tokens/", "/").parse().unwrap()
    }

    /// Looks up what runs, as the server's job does.
    pub(crate) async fn run_lists(&self) {
        while let Some(leased) = self.panel.lists.lease().await.unwrap() {
            self.panel.run_list(leased, || false, |_, _| {}).await.unwrap();
        }
    }

    /// The queries that an account has used this month.
    pub(crate) async fn used(&self, email: &str) -> u64 {
        let account = self.account(email).await;
        let plan = self.panel.plans.find(&account.plan).unwrap();
        self.panel.usage.month(account.id, &plan).await.unwrap().used
    }

    /// Creates a webhook in the panel and returns its id.
    pub(crate) async fn webhook(&self, owner: &mut Browser<'_>, url: &str) -> i64 {
        let response = owner.submit("/panel/avisos", "/panel/avisos", &[("url", url)]).await;
        response.between("action=\"/panel/avisos/", "\"").parse().unwrap()
    }

    async fn find_account(&self, email: &str) -> Option<Account> {
        Accounts::find(&*self.store, &Email::parse(email).unwrap()).await.unwrap()
    }

    pub(crate) async fn account(&self, email: &str) -> Account {
        self.find_account(email).await.expect("the account is there")
    }

    pub(crate) async fn has_account(&self, email: &str) -> bool {
        self.find_account(email).await.is_some()
    }

    pub(crate) async fn tokens(&self, email: &str) -> Vec<Token> {
        Tokens::list(self.store.as_ref(), self.account(email).await.id).await.unwrap()
    }

    /// All rows of the store as text, to see whether they changed.
    pub(crate) fn state(&self) -> String {
        let everything = format!("{:?}", self.store);
        let (rows, _times_asked) = everything.split_once("asked:").unwrap();
        rows.to_owned()
    }

    /// Charges queries until this many of the month are used.
    pub(crate) async fn use_queries_up_to(&self, email: &str, queries: u64) {
        let id = self.account(email).await.id;
        self.store.lease(id, calendar::period(self.clock.now()), queries, queries).await.unwrap();
    }

    /// Counts 7 calls on 2 days.
    pub(crate) async fn use_queries(&self, email: &str) {
        let id = self.account(email).await.id;
        let count = |day: &str, operation, code, count| {
            let operation = OperationName::Borrowed(operation);
            (id, DayCount { day: Date::parse(day).unwrap(), operation, code, count })
        };
        let counts = [
            count("2026-11-01", "ruc", ResultCode::Found, 1),
            count("2026-11-20", "ruc", ResultCode::Found, 3),
            count("2026-11-20", "ruc", ResultCode::DocumentNotFound, 1),
            count("2026-11-20", "ruc-official", ResultCode::UpstreamUnavailable, 2),
        ];
        self.store.add(&counts).await.unwrap();
    }

    pub(crate) fn publish_change(&self, change: FeedChange) {
        self.feed.0.lock().unwrap().push(change);
    }

    pub(crate) fn set_sources(&self, sources: &[Source]) {
        *self.sources.lock().unwrap() = sources.to_vec();
    }

    pub(crate) fn set_rates(&self, record: ExchangeRateRecord) {
        *self.datasets.1.lock().unwrap() = Some(Arc::new(record));
    }

    pub(crate) fn set_datasets(&self, datasets: &[DatasetStatus]) {
        *self.datasets.0.lock().unwrap() = datasets.to_vec();
    }
}
