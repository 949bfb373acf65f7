//! An API without a listener, and an account with a token for it. The unit tests of the calls include this file too.

use std::path::Path;
use std::sync::Arc;

use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::layers::Fallback;
use kuraka_app::{
    AccountMeters, Admission, AgeLimits, ApiToken, ConcurrencyLimit, CredentialCache, LookupDetail, LookupTaxpayer,
    OpenDataDetails, Plan, Usage, ValidateVoucher, Watching,
};
use kuraka_ports::{
    Accounts, Clock, DailyUsage, DatasetStatus, Datasets, Email, ExchangeRateRecord, NewToken, PlanName,
    TaxpayerRegistry, Tokens, UsageLedger, WatchLists,
};
use tokio::runtime::Handle;

use super::{Api, Data, Documents, ENDPOINTS, Instance, Instances, MakeTest, Metrics, TestLimits};

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

/// An API on this store, clock and registry, without sources, and a token for it. The plan has 1,000 queries.
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
    let owner =
        Accounts::create(&*store, &Email::parse("ana@example.pe").unwrap(), &free, None, clock.now()).await.unwrap();
    let key = store.token_key().await.unwrap();
    let token = ApiToken::generate(kuraka_ports::TokenKind::Live, &key, getrandom::fill).unwrap();
    let new = NewToken {
        account: owner.id,
        name: "test".to_owned(),
        digest: token.digest(),
        prefix: token.prefix().to_owned(),
        created: clock.now(),
        expires: None,
        allowed: Vec::new(),
    };
    Tokens::create(&*store, &new).await.unwrap();
    let plans = [Plan::new(free, 1_000, 1_000, 1_000).unwrap()].into_iter().collect();
    let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current(), []));
    let credentials = CredentialCache::new(store.clone(), key, clock.clone(), plans, meters.clone());
    let (registry, ages): (Arc<dyn TaxpayerRegistry>, _) = (Arc::new(registry), AgeLimits::new(clock.clone(), []));
    let open_data = OpenDataDetails::new(Arc::clone(&registry), ages.clone());
    let admission = Arc::new(Admission::new(Arc::new(credentials), clock.clone()));
    let metrics = Arc::new(Metrics::new(ENDPOINTS.map(|endpoint| endpoint.operation.name)));
    let live = Instance {
        watching: Arc::new(Watching::new(
            store.clone(),
            Arc::new(FolderFeed::new(Path::new("none"), &[])),
            admission.clone(),
        )),
        datasets: Arc::new(NoStatuses),
        lookup_taxpayer: Arc::new(LookupTaxpayer::new(registry, ages)),
        lookup_detail: LookupDetail::new(Arc::new(Fallback::new(Vec::new(), Fallback::DEADLINE)), Some(open_data)),
        validate_voucher: Arc::new(vouchers),
        metrics: Arc::clone(&metrics),
    };
    let no_test_data: MakeTest = Arc::new(|| Box::pin(async { Err("there is no test data".into()) }));
    let test_limits =
        TestLimits { concurrency: Vec::new(), places: kuraka_app::Places::new(2, 0), metrics: Arc::clone(&metrics) };
    let api = Api {
        instances: Instances::new(live, no_test_data, Handle::current(), test_limits),
        documents: Data::new(Documents::new(Vec::new())),
        usage: Arc::new(Usage::new(store.clone(), store, meters, clock.clone())),
        refusals: Arc::default(),
        admission,
        concurrency: ENDPOINTS.map(|endpoint| ConcurrencyLimit::new(endpoint.calls)).into(),
        metrics,
        dialects: Vec::new(),
        tokens_in_query: false,
        public_url: None,
        clock,
        trusted_proxies: kuraka_connections::TrustedProxies::default(),
        draining: Arc::default(),
        drain_ends: tokio::sync::watch::channel(None).1,
        places: kuraka_app::Places::new(2, 0),
    };
    (api, token)
}
