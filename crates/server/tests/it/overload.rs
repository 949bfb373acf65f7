//! Overload in simulated time, so that no busy machine changes the figures: the places of the operations before all
//! layers and sources that answer in 200 ms, and before a store with 2,000 leases per second.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kuraka_adapters::layers::{
    CallResult, Jitter, LayerContext, Observer, RequestBounds, Timeouts, limit, stack, voucher_stack,
};
use kuraka_app::{
    AccountMeters, Admission, CalledOperation, ChargedCall, ConcurrencyLimit, CredentialCache, Plan, Plans,
    ValidateVoucher,
};
use kuraka_domain::{Ruc, RucKind};
use kuraka_ports::contract::samples::voucher;
use kuraka_ports::fake::{MemoryStore, ScriptedSource, ScriptedValidator, TokioClock};
use kuraka_ports::{Accounts, DetailOrigin, Email, PlanName, TaxpayerSource};
use kuraka_server::http::ENDPOINTS;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::reliability::figure;

const SOURCE_TAKES: Duration = Duration::from_millis(200);
/// A lease on the way to a source: on a small plan each call takes one.
const LEASE_TAKES: Duration = Duration::from_millis(3);
const SECONDS: u32 = 5;
/// 99 % of the answers come within this time.
const MAX_WAIT: Duration = Duration::from_millis(500);
/// What a call may take beyond its own request and one request that it waits for.
const SLACK: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Result {
    Answered,
    Refused,
    Failed,
}

/// Serves the call with this number; `false` if it failed after its charge.
type Serve = Arc<dyn Fn(u32) -> BoxFuture<'static, bool> + Send + Sync>;

struct Silent;

impl Observer for Silent {
    fn observe(&self, _: &str, _: CallResult, _: Duration) {}
}

fn layers() -> LayerContext {
    LayerContext {
        clock: Arc::new(TokioClock::at("2026-11-20T15:00:00Z".parse().unwrap())),
        jitter: Arc::new(Jitter::new(|| u32::MAX)),
        observer: Arc::new(Silent),
        runtime: Handle::current(),
    }
}

fn calls(operation: &str) -> usize {
    ENDPOINTS.iter().find(|endpoint| endpoint.operation.name == operation).unwrap().calls
}

fn source(name: &'static str, origin: DetailOrigin, takes: Duration) -> Arc<dyn TaxpayerSource> {
    let source = ScriptedSource::new(name, origin);
    source.delay(takes);
    Arc::new(source)
}

/// Offers this many calls per second, from the call with this number on. Returns results with their latencies.
async fn offer(limit: &Arc<ConcurrencyLimit>, serve: &Serve, rate: u32, from: u32) -> Vec<(Result, Duration)> {
    let began = Instant::now();
    let mut calls = JoinSet::new();
    for call in 0..rate * SECONDS {
        let planned = began + Duration::from_secs(1) * call / rate;
        sleep_until(planned).await;
        let (limit, serve) = (Arc::clone(limit), Arc::clone(serve));
        calls.spawn(async move {
            let result = match limit.acquire().await {
                None => Result::Refused,
                Some(_place) if serve(from + call).await => Result::Answered,
                Some(_) => Result::Failed,
            };
            (result, planned.elapsed())
        });
    }
    calls.join_all().await
}

fn p99(calls: &[(Result, Duration)], of: Result) -> Duration {
    let mut took: Vec<_> = calls.iter().filter(|(result, _)| *result == of).map(|(_, took)| *took).collect();
    took.sort_unstable();
    took.get(took.len() * 99 / 100).copied().unwrap_or_default()
}

/// Checks the goodput at 10 times the capacity, and that the capacity is served again right after.
async fn check(what: &str, limit: ConcurrencyLimit, capacity: u32, longest: Duration, serve: Serve) {
    let limit = Arc::new(limit);
    let flood = offer(&limit, &serve, 10 * capacity, 0).await;
    let after = offer(&limit, &serve, capacity, 10_000_000).await;
    assert_eq!(limit.in_progress(), 0);
    let count = |calls: &[(Result, Duration)], of| calls.iter().filter(|(result, _)| *result == of).count();
    let goodput = count(&flood, Result::Answered) as f64 / f64::from(capacity * SECONDS);
    let (answers, refusals) = (p99(&flood, Result::Answered), p99(&flood, Result::Refused));
    let failed = count(&flood, Result::Failed);
    let recovered = count(&after, Result::Answered) as f64 / after.len() as f64;
    figure(
        "L2",
        &format!("{what} at 10 times {capacity} calls a second, in simulated time"),
        &format!(
            "goodput {:.0} %, p99 of answers {answers:.0?}, of refusals {refusals:.0?}, {failed} failed; then at the \
             capacity {:.0} % answered",
            goodput * 100.0,
            recovered * 100.0
        ),
    );
    assert!(goodput >= 0.9, "{what}: goodput {goodput:.2}");
    assert!(answers <= longest, "{what}: answers {answers:?}");
    assert!(refusals <= Duration::from_millis(50), "{what}: refusals {refusals:?}");
    assert!(failed * 1_000 <= flood.len(), "{what}: {failed} of {} failed after their charge", flood.len());
    assert!(recovered >= 0.95, "{what}: {recovered:.2} right after");
}

#[tokio::test(start_paused = true)]
async fn vouchers_at_ten_times_the_capacity_are_served_at_the_capacity() {
    let validator = ScriptedValidator::new("validator");
    validator.delay(SOURCE_TAKES);
    let stack = voucher_stack(Some(Arc::new(validator)), Timeouts::default(), &layers());
    assert_eq!(stack.bounds, RequestBounds { at_once: 32, most: 40 });
    let limit =
        ConcurrencyLimit::new(calls("cpe")).for_sources(stack.load.clone(), stack.bounds.at_once, stack.bounds.most);
    let serve: Serve = Arc::new(move |number| {
        let validator = Arc::clone(&stack.source);
        async move {
            sleep(LEASE_TAKES).await;
            validator.validate(voucher(number)).await.is_ok()
        }
        .boxed()
    });
    check("`/cpe`", limit, 160, MAX_WAIT, serve).await;
}

/// A charged call.
async fn charged_call() -> ChargedCall {
    let (store, clock) = (Arc::new(MemoryStore::new()), layers().clock);
    let plan = Plan::new(PlanName::parse("free").unwrap(), 1_000, 5, 10).unwrap();
    let email = Email::parse("a@b.pe").unwrap();
    let account = Accounts::create(&*store, &email, &plan.name, None, clock.now()).await.unwrap();
    let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current()));
    let plans = Plans::from_iter([plan]);
    let credentials = CredentialCache::new(store, MemoryStore::TOKEN_KEY, clock.clone(), plans, meters);
    let (admission, limit) = (Admission::new(Arc::new(credentials), clock), ConcurrencyLimit::new(1));
    let (caller, _permit) = admission.owner(&account, &limit).await.unwrap();
    let operation = CalledOperation { name: "cpe-multiple", index: 0, in_usage: true };
    admission.admit(caller, operation, || 1).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn requests_of_an_abandoned_batch_keep_their_share_of_the_source() {
    let validator = Arc::new(ScriptedValidator::new("validator"));
    validator.delay(Duration::from_secs(5));
    let stack = voucher_stack(Some(validator.clone()), Timeouts::default(), &layers());
    let (vouchers, call) = (ValidateVoucher::new(stack.source, stack.bounds.at_once), charged_call().await);
    let second = Duration::from_secs(1);
    let stopped = vouchers.run_all(&call, (0..20).map(voucher), sleep(second)).await;
    assert_eq!((stopped.len(), validator.in_flight()), (0, 8));
    let next = vouchers.run_all(&call, (20..40).map(voucher), sleep(5 * second));
    let (_, most) = tokio::join!(next, async {
        sleep(second).await;
        validator.in_flight()
    });
    assert_eq!(most, 8, "the requests of the first batch are in progress");
    assert_eq!(validator.in_flight(), 8, "they have ended, and the next batch has their turns");
    assert_eq!(validator.asked().len(), 16);
}

const PAGE_ALONE: RequestBounds = RequestBounds { at_once: 10, most: 12 };

/// Checks details from a page that takes this long, and from these providers.
async fn details(
    what: &str,
    page_takes: Duration,
    providers: Vec<Arc<dyn TaxpayerSource>>,
    bounds: RequestBounds,
    capacity: u32,
) {
    let page = source("page", DetailOrigin::Official, page_takes);
    let stack = stack(Some(page), providers, Timeouts::default(), &layers());
    assert_eq!(stack.bounds, bounds);
    let limit =
        ConcurrencyLimit::new(calls("ruc-official")).for_sources(stack.load.clone(), bounds.at_once, bounds.most);
    let serve: Serve = Arc::new(move |number| {
        let source = Arc::clone(&stack.source);
        async move {
            sleep(LEASE_TAKES).await;
            source.detail(Ruc::from_parts(RucKind::LegalPerson, 50_000_000 + number).unwrap()).await.is_ok()
        }
        .boxed()
    });
    // A call waits 250 ms for the page before it goes on to the provider.
    let longest = if bounds.at_once > 10 { MAX_WAIT + limit::WAIT } else { MAX_WAIT.max(2 * page_takes + SLACK) };
    check(what, limit, capacity, longest, serve).await;
}

#[tokio::test(start_paused = true)]
async fn details_at_ten_times_the_capacity_are_served_at_the_capacity() {
    details("`/ruc-official`, page alone", SOURCE_TAKES, Vec::new(), PAGE_ALONE, 50).await;
    // All requests begin and end together, so a call can wait as long as a request takes.
    for (millis, capacity) in [(400, 25), (1_000, 10)] {
        let what = format!("`/ruc-official`, page alone that takes {millis} ms");
        details(&what, Duration::from_millis(millis), Vec::new(), PAGE_ALONE, capacity).await;
    }
    let provider = vec![source("provider", DetailOrigin::Provider, SOURCE_TAKES)];
    let both = RequestBounds { at_once: 42, most: 92 };
    details("`/ruc-official`, page and provider", SOURCE_TAKES, provider, both, 210).await;
}

#[tokio::test(start_paused = true)]
async fn summaries_before_a_slow_store_are_served_at_its_capacity() {
    // Ten connections, 5 ms for a lease.
    let connections = Arc::new(Semaphore::new(10));
    let serve: Serve = Arc::new(move |_| {
        let connections = Arc::clone(&connections);
        async move {
            let _connection = connections.acquire().await.unwrap();
            sleep(Duration::from_millis(5)).await;
            true
        }
        .boxed()
    });
    check("`/ruc` before a slow store", ConcurrencyLimit::new(calls("ruc")), 2_000, MAX_WAIT, serve).await;
}
