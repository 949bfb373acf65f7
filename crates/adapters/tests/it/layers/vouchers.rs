//! Vouchers go through the same layers: they keep the validator's promises, share what is in flight and remember
//! nothing.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::{
    BreakerState, CallResult, Coalesce, Fallback, Layered, Stack, Timeout, Timeouts, limit, voucher_stack,
};
use kuraka_domain::{Voucher, VoucherStatus};
use kuraka_ports::contract::samples::{accepted, voucher};
use kuraka_ports::contract::together;
use kuraka_ports::contract::voucher_validator::Working;
use kuraka_ports::fake::ScriptedValidator;
use kuraka_ports::{SourceError, SourceErrorKind, VoucherAnswer, VoucherValidator};
use tokio::runtime::Handle;
use tokio::time::{Instant, advance, sleep, timeout};

use super::{Notebook, SECOND, UNAVAILABLE, layer_context};

const MINUTE: Duration = Duration::from_secs(60);

fn validator() -> ScriptedValidator {
    let known = [voucher(1), voucher(2)].map(|voucher| (voucher, accepted(&voucher)));
    ScriptedValidator::new("validator").with(known)
}

/// A layer around a validator.
fn working<S>(layer: impl FnOnce(Arc<dyn VoucherValidator>) -> S) -> (Working<S>, ()) {
    let known = [voucher(1), voucher(2)].map(|voucher| (voucher, accepted(&voucher))).to_vec();
    let (failing, rejected) = ((voucher(3), SourceErrorKind::Refused), (voucher(4), ScriptedValidator::REASON));
    let validator = validator();
    validator.fail_for(failing.0, failing.1);
    validator.fail_for(rejected.0, SourceErrorKind::Rejected);
    let source = Arc::new(layer(Arc::new(validator)));
    (Working { source, known, unknown: voucher(5), failing, rejected }, ())
}

mod coalesce {
    use super::*;
    kuraka_ports::contract!(
        voucher_validator,
        Coalesce<dyn VoucherValidator, Voucher, VoucherAnswer>,
        working(|inner| Coalesce::new(inner, Handle::current()))
    );
}

mod fallback {
    use super::*;
    kuraka_ports::contract!(
        voucher_validator,
        Fallback<dyn VoucherValidator>,
        working(|inner| Fallback::for_validators(vec![inner], MINUTE))
    );
}

mod all {
    use super::*;
    kuraka_ports::contract!(
        voucher_validator,
        Layered<Timeout, dyn VoucherValidator>,
        working(|inner| {
            let context = layer_context(Arc::<Notebook>::default());
            Layered::new(Timeout(MINUTE), voucher_stack(Some(inner), Timeouts::default(), &context).source)
        })
    );
}

/// A validator behind all layers.
struct House {
    validator: Arc<ScriptedValidator>,
    notebook: Arc<Notebook>,
    stack: Stack<dyn VoucherValidator>,
}

impl House {
    fn build() -> Self {
        let (validator, notebook) = (Arc::new(validator()), Arc::<Notebook>::default());
        let stack = voucher_stack(Some(validator.clone()), Timeouts::default(), &layer_context(notebook.clone()));
        Self { validator, notebook, stack }
    }

    async fn ask(&self, number: u32) -> Result<VoucherAnswer, SourceError> {
        self.stack.source.validate(voucher(number)).await
    }

    /// Asks for all of these at the same time.
    async fn crowd(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<Result<VoucherAnswer, SourceError>> {
        let ask = |source: Arc<dyn VoucherValidator>, number| async move { source.validate(voucher(number)).await };
        together(&self.stack.source, numbers, ask).await
    }

    fn state(&self) -> BreakerState {
        self.stack.breakers.first().unwrap().state()
    }
}

#[tokio::test(start_paused = true)]
async fn different_vouchers_share_no_request() {
    let house = House::build();
    house.validator.delay(SECOND);
    let other = Voucher { total: "118.01".parse().unwrap(), ..voucher(1) };
    let (one, two) = tokio::join!(house.stack.source.validate(voucher(1)), house.stack.source.validate(other));
    assert_eq!(one.unwrap().validation.status, VoucherStatus::Accepted);
    assert_eq!(two.unwrap().validation.status, VoucherStatus::NotFound);
}

#[tokio::test(start_paused = true)]
async fn a_rejection_reaches_every_caller_and_does_not_open_the_breaker() {
    let house = House::build();
    house.validator.fail(SourceErrorKind::Rejected);
    for answer in house.crowd(std::iter::repeat_n(1, 20)).await {
        assert_eq!(answer.unwrap_err().reason.as_deref(), Some(ScriptedValidator::REASON));
    }
    for number in 0..20 {
        house.ask(number).await.unwrap_err();
    }
    assert_eq!(house.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_silent_service_costs_eight_seconds_until_the_breaker_opens() {
    let house = House::build();
    house.validator.hang(true);
    let begun = Instant::now();
    assert_eq!(house.ask(1).await.unwrap_err().kind, UNAVAILABLE);
    assert_eq!(begun.elapsed(), 8 * SECOND);
    house.crowd(2..6).await;
    assert_eq!(house.state(), BreakerState::Open);
    let begun = Instant::now();
    assert!(house.ask(1).await.is_err());
    assert_eq!((begun.elapsed(), house.validator.asked().len()), (Duration::ZERO, 5));

    house.validator.hang(false);
    advance(15 * SECOND).await;
    assert!(house.ask(1).await.is_ok());
    assert_eq!((house.state(), house.validator.in_flight()), (BreakerState::Closed, 0));
}

#[tokio::test(start_paused = true)]
async fn refused_credentials_open_the_breaker() {
    let house = House::build();
    house.validator.fail(SourceErrorKind::Credentials);
    for _ in 0..3 {
        assert_eq!(house.ask(1).await.unwrap_err().kind, SourceErrorKind::Credentials);
    }
    house.ask(1).await.unwrap_err();
    assert_eq!((house.state(), house.validator.asked().len()), (BreakerState::Open, 3));
}

#[tokio::test(start_paused = true)]
async fn callers_without_a_place_are_held_back() {
    let house = House::build();
    house.validator.delay(3 * SECOND);
    let begun = Instant::now();
    let answers = house.crowd(0..100).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 32);
    let held_back = |error: &SourceError| error.kind == SourceErrorKind::HeldBack;
    assert!(answers.iter().filter_map(|answer| answer.as_ref().err()).all(held_back), "told to come back soon");
    assert_eq!((begun.elapsed(), house.state()), (3 * SECOND, BreakerState::Closed));
    assert!(limit::LAST_WAIT < 3 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn dropped_calls_leave_no_request_in_flight() {
    let house = House::build();
    house.validator.delay(SECOND);
    for number in 0..100 {
        timeout(SECOND / 100, house.ask(number)).await.unwrap_err();
    }
    sleep(limit::LAST_WAIT + 2 * SECOND).await;
    assert_eq!(house.validator.in_flight(), 0);
    house.ask(1).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn absent_vouchers_and_failures_are_counted_apart() {
    let house = House::build();
    house.ask(1).await.unwrap();
    house.ask(5).await.unwrap();
    house.validator.fail(UNAVAILABLE);
    house.ask(1).await.unwrap_err();
    let seen: Vec<_> = house.notebook.notes().into_iter().map(|(source, outcome, _)| (source, outcome)).collect();
    let twice = |outcome| [("validator".to_owned(), outcome), ("vouchers".to_owned(), outcome)];
    let expected = [CallResult::Found, CallResult::NotFound, CallResult::Failed(UNAVAILABLE)].map(twice).concat();
    assert_eq!(seen, expected);
}

#[tokio::test(start_paused = true)]
async fn without_credentials_the_error_says_which_settings_to_set() {
    let none = voucher_stack(None, Timeouts::default(), &layer_context(Arc::<Notebook>::default()));
    let error = none.source.validate(voucher(1)).await.unwrap_err();
    assert_eq!((error.kind, none.breakers.len()), (UNAVAILABLE, 0));
    assert!(error.cause.unwrap().to_string().contains("vouchers.client_secret"));
}
