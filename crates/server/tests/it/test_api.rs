//! An API without a listener, and an account with tokens for it.

use std::path::Path;
use std::sync::Arc;

use actix_web::web::Data;
use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::layers::Fallback;
use kuraka_app::{
    AccountMeters, Admission, AgeLimits, ApiToken, ConcurrencyLimit, CredentialCache, LookupDetail, LookupTaxpayer,
    Places, Plan, Usage, ValidateVoucher, Watching,
};
use kuraka_connections::TrustedProxies;
use kuraka_domain::{Date, TaxpayerSummary};
use kuraka_ports::fake::ScriptedRegistry;
use kuraka_ports::{
    Accounts, Clock, DailyUsage, DatasetStatus, Datasets, Edition, EditionOrigin, Email, ExchangeRateRecord, NewToken,
    PlanName, TaxpayerRegistry, TokenKind, Tokens, UsageLedger, WatchLists,
};
use kuraka_server::http::{Api, CallLimits, Documents, ENDPOINTS, Instance, Instances, MakeTest, Running};
use kuraka_server::metrics::{MCP, Metrics};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Messages to `/mcp` in progress.
const MESSAGES: usize = 8;
/// Large answers of an account at once, and its calls of tools.
const PLACES: usize = 2;

/// A server that updates nothing.
pub(crate) struct NoStatuses;

impl Datasets for NoStatuses {
    fn statuses(&self) -> Vec<DatasetStatus> {
        Vec::new()
    }

    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        None
    }
}

/// An API on this store, clock and registry, without sources, and a token for it. The plan has 1,000 queries. Test
/// tokens are answered from the same registry.
pub(crate) async fn api<S>(store: Arc<S>, clock: Arc<dyn Clock>, registry: impl TaxpayerRegistry) -> (Api, ApiToken)
where
    S: Accounts + Tokens + UsageLedger + DailyUsage + WatchLists,
{
    let nothing = Fallback::for_validators(Vec::new(), Fallback::DEADLINE);
    api_validating(store, clock, registry, ValidateVoucher::new(Arc::new(nothing), 0)).await
}

/// The same with this validation of vouchers.
pub(crate) async fn api_validating<S>(
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    registry: impl TaxpayerRegistry,
    vouchers: ValidateVoucher,
) -> (Api, ApiToken)
where
    S: Accounts + Tokens + UsageLedger + DailyUsage + WatchLists,
{
    let free = PlanName::parse("free").unwrap();
    Accounts::create(&*store, &owner(), &free, None, clock.now()).await.unwrap();
    let token = token_of_owner(&*store, &*clock, TokenKind::Live).await;
    let plans = [Plan::new(free, 1_000, 1_000, 1_000).unwrap()].into_iter().collect();
    let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current()));
    let key = store.token_key().await.unwrap();
    let credentials = CredentialCache::new(store.clone(), key, clock.clone(), plans, meters.clone());
    let (registry, ages): (Arc<dyn TaxpayerRegistry>, _) = (Arc::new(registry), AgeLimits::new(clock.clone(), []));
    let admission = Arc::new(Admission::new(Arc::new(credentials), clock.clone()));
    let metrics = Arc::new(Metrics::new(ENDPOINTS.map(|endpoint| endpoint.operation.name).into_iter().chain([MCP])));
    let feed = Arc::new(FolderFeed::new(Path::new("none"), &[]));
    let watching = Arc::new(Watching::new(store.clone(), feed, admission.clone()));
    let vouchers = Arc::new(vouchers);
    let instance = move || {
        let lookup_taxpayer = Arc::new(LookupTaxpayer::new(Arc::clone(&registry), ages.clone()));
        let details = Arc::new(Fallback::new(Vec::new(), Fallback::DEADLINE));
        Instance {
            watching: Arc::clone(&watching),
            datasets: Arc::new(NoStatuses),
            lookup_taxpayer: Arc::clone(&lookup_taxpayer),
            lookup_detail: LookupDetail::new(details, Some(lookup_taxpayer)),
            validate_voucher: Arc::clone(&vouchers),
        }
    };
    let live = instance();
    let make_test: MakeTest = Arc::new(move || {
        let (instance, running): (_, Running) = (instance(), Box::new(()));
        Box::pin(async move { Ok((instance, running)) })
    });
    let api = Api {
        live: limits(),
        test: limits(),
        instances: Instances::new(live, make_test, Handle::current()),
        documents: Data::new(Documents::new(Vec::new())),
        usage: Arc::new(Usage::new(store.clone(), store, meters, clock.clone())),
        refusals: Arc::default(),
        admission,
        metrics,
        dialects: Vec::new(),
        tokens_in_query: false,
        public_url: None,
        clock,
        trusted_proxies: TrustedProxies::default(),
        draining: Arc::default(),
        drain_ends: watch::channel(None).1,
    };
    (api, token)
}

/// The address of the account.
pub(crate) fn owner() -> Email {
    Email::parse("ana@example.pe").unwrap()
}

/// One more token of the account.
pub(crate) async fn token_of_owner<S: Accounts + Tokens>(store: &S, clock: &dyn Clock, kind: TokenKind) -> ApiToken {
    let owner = Accounts::find(store, &owner()).await.unwrap().unwrap();
    let token = ApiToken::generate(kind, &store.token_key().await.unwrap(), getrandom::fill).unwrap();
    let new = NewToken {
        account: owner.id,
        name: "test".to_owned(),
        digest: token.digest(),
        prefix: token.prefix().to_owned(),
        created: clock.now(),
        expires: None,
        allowed: Vec::new(),
    };
    Tokens::create(store, &new).await.unwrap();
    token
}

/// A registry with an edition that has these taxpayers.
pub(crate) fn registry(taxpayers: impl IntoIterator<Item = TaxpayerSummary>) -> ScriptedRegistry {
    let (label, date) = ("2026-11-20-1f0c9a3e".into(), Date::parse("2026-11-20").unwrap());
    let edition = Edition { label, digest: None, date, origin: EditionOrigin::Published, rows: 0 };
    ScriptedRegistry::with(edition, taxpayers)
}

/// A company whose name has this many letters.
pub(crate) fn company(ruc: &str, letters: usize) -> TaxpayerSummary {
    TaxpayerSummary { name: "X".repeat(letters), ..TaxpayerSummary::empty(ruc.parse().unwrap()) }
}

fn limits() -> CallLimits {
    let calls = ENDPOINTS.into_iter().map(|endpoint| endpoint.calls).chain([MESSAGES]);
    CallLimits { concurrency: calls.map(ConcurrencyLimit::new).collect(), places: Places::new(PLACES, 0) }
}
