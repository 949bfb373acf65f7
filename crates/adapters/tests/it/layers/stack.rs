//! All layers together: what callers see when the world misbehaves.

use std::iter::repeat_n;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::{BreakerState, CallResult, Fallback, Stack, Timeouts, limit, stack};
use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::contract::together;
use kuraka_ports::fake::ScriptedSource;
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind, TaxpayerSource};
use tokio::task::JoinSet;
use tokio::time::{Instant, advance, sleep};

use super::{Notebook, SECOND, UNAVAILABLE, absent, known, layer_context, other, page, provider, try_for, try_once};

type Source = Arc<dyn TaxpayerSource>;

/// A page and a provider behind all layers.
struct House {
    page: Arc<ScriptedSource>,
    provider: Arc<ScriptedSource>,
    notebook: Arc<Notebook>,
    stack: Stack<dyn TaxpayerSource>,
}

impl House {
    fn build() -> Self {
        Self::with(Timeouts::default())
    }

    /// A house that keeps nothing, so that every call asks.
    fn forgetful() -> Self {
        Self::with(Timeouts { found_for: Duration::ZERO, not_found_for: Duration::ZERO, ..Timeouts::default() })
    }

    fn with(times: Timeouts) -> Self {
        let (page, provider, notebook) = (page(), provider("provider"), Arc::<Notebook>::default());
        let stack = stack(Some(page.clone()), vec![provider.clone()], times, &layer_context(notebook.clone()));
        Self { page, provider, notebook, stack }
    }

    fn hang(&self, hung: bool) {
        self.page.hang(hung);
        self.provider.hang(hung);
    }

    fn in_flight(&self) -> usize {
        self.page.in_flight() + self.provider.in_flight()
    }

    fn states(&self) -> Vec<BreakerState> {
        self.stack.breakers.iter().map(|handle| handle.state()).collect()
    }

    /// A hundred callers a second, each with a RUC of its own, for so long; how long each took.
    async fn load(&self, time: Duration) -> Vec<(bool, Duration)> {
        let mut callers = JoinSet::new();
        let tick = Duration::from_millis(10);
        for number in 0..u32::try_from(time.as_millis() / tick.as_millis()).unwrap() {
            let source = Arc::clone(&self.stack.source);
            callers.spawn(async move { try_for(&*source, company(number)).await });
            sleep(tick).await;
        }
        callers.join_all().await
    }

    async fn ask(&self) -> Result<DetailAnswer, SourceError> {
        self.stack.source.detail(known().ruc).await
    }
}

/// A company's RUC; another one for another number.
fn company(number: u32) -> Ruc {
    Ruc::from_parts(known().ruc.kind(), number).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_interleaved_calls_get_each_their_own_answer() {
    let house = House::forgetful();
    let each = repeat_n([known(), other()], 5_000).flatten();
    let ask = |source: Source, asked: TaxpayerDetail| async move { (source.detail(asked.ruc).await, asked) };
    for (answer, asked) in together(&house.stack.source, each, ask).await {
        assert_eq!(answer.unwrap().taxpayer.as_deref(), Some(&asked));
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_page_is_down_the_provider_answers() {
    let house = House::build();
    house.page.hang(true);
    let begun = Instant::now();
    let answer = house.ask().await.unwrap();
    assert_eq!((answer.origin, answer.freshness), (DetailOrigin::Provider, Freshness::Live));
    assert_eq!(begun.elapsed(), Timeouts::PAGE);
    assert_eq!(house.ask().await.unwrap(), DetailAnswer { freshness: Freshness::Cached, ..answer });
    assert_eq!(house.provider.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hung_page_holds_ten_callers_and_the_provider_serves_others() {
    let house = House::build();
    house.page.hang(true);
    let ask = |source: Source, number| async move { try_for(&*source, company(number)).await };
    let answers = together(&house.stack.source, 0..100, ask).await;
    assert!(answers.iter().all(|(answered, _)| *answered));
    let after = |time: Duration| answers.iter().filter(|(_, took)| *took == time).count();
    assert_eq!((after(limit::WAIT), after(Timeouts::PAGE)), (90, 10));
}

#[tokio::test(start_paused = true)]
async fn when_no_source_answers_the_caller_gets_an_error_in_time() {
    let house = House::build();
    house.hang(true);
    let begun = Instant::now();
    assert_eq!(house.ask().await.unwrap_err().kind, UNAVAILABLE);
    assert_eq!(begun.elapsed(), Timeouts::PAGE + Timeouts::PROVIDER);
    assert_eq!(house.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_page_is_passed_over_and_its_breaker_opens() {
    let house = House::forgetful();
    house.page.fail(SourceErrorKind::Unreadable);
    for ruc in [known().ruc, other().ruc, absent()] {
        assert_eq!(house.stack.source.detail(ruc).await.unwrap().origin, DetailOrigin::Provider);
    }
    assert_eq!(house.states(), [BreakerState::Open, BreakerState::Closed]);
}

#[tokio::test(start_paused = true)]
async fn in_a_long_outage_callers_get_an_error_at_once() {
    let house = House::forgetful();
    house.hang(true);
    let first = house.load(10 * SECOND).await;
    assert!(first.iter().all(|(answered, _)| !answered));
    let slowest = first.iter().map(|(_, took)| *took).max().unwrap();
    assert!(slowest <= Fallback::DEADLINE + limit::WAIT, "{slowest:?}");
    assert_eq!(house.in_flight(), 0);

    let asked = house.page.asked().len() + house.provider.asked().len();
    let later = house.load(300 * SECOND).await;
    assert_eq!(later.len(), 30_000);
    let waited = later.iter().filter(|(_, took)| *took > Duration::ZERO).count();
    let probes = house.page.asked().len() + house.provider.asked().len() - asked;
    assert!(waited <= probes && probes <= 10, "{waited} callers waited, {probes} probes went out");
    assert_eq!(house.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn after_an_outage_the_page_answers_again_within_five_minutes() {
    for outage in [60, 600, 3_600] {
        let house = House::forgetful();
        house.hang(true);
        let healed = Instant::now() + outage * SECOND;
        while Instant::now() < healed {
            try_once(&*house.stack.source).await;
            sleep(SECOND).await;
        }
        house.hang(false);
        let healed = Instant::now();
        while !try_once(&*house.stack.source).await.0 {
            assert!(healed.elapsed() <= 300 * SECOND, "still no answer, healed for {:?}", healed.elapsed());
            sleep(SECOND).await;
        }
        advance(300 * SECOND).await;
        assert!(try_once(&*house.stack.source).await.0);
        assert_eq!(house.states()[0], BreakerState::Closed);
        assert_eq!(house.ask().await.unwrap().origin, DetailOrigin::Official);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_and_requests_to_sources_are_counted_apart() {
    let house = House::build();
    house.page.fail(SourceErrorKind::Unreadable);
    house.ask().await.unwrap();
    house.ask().await.unwrap();
    let seen: Vec<(String, CallResult)> =
        house.notebook.notes().into_iter().map(|(source, outcome, _)| (source, outcome)).collect();
    let expected = [
        ("page", CallResult::Failed(SourceErrorKind::Unreadable)),
        ("provider", CallResult::Found),
        ("sources", CallResult::Found),
        ("sources", CallResult::Found),
    ];
    assert_eq!(seen, expected.map(|(source, outcome)| (source.to_owned(), outcome)));
}
