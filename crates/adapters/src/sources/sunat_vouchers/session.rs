//! The session of one set of credentials: its token, requested once for all callers, kept for its life, and renewed
//! before its end.
//!
//! Life is measured in monotonic time from before the request, so that neither a jump of the wall clock nor a slow
//! answer makes it longer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use kuraka_ports::Clock;
use reqwest::header::HeaderValue;
use tokio::runtime::Handle;

use super::error::AnswerError;
use super::parse::Granted;

/// Lifetime of a token if the answer states none. A token that ends earlier is renewed when the service answers 401.
const UNSAID_LIFE: Duration = Duration::from_secs(60);
/// Longest life that is accepted; the service gives an hour.
const LONGEST_LIFE: Duration = Duration::from_secs(3_600);
/// After an early renewal has failed, the old token stays in use and the next attempt waits this long.
const RENEWAL_PAUSE: Duration = Duration::from_secs(10);

/// A request for a token under way.
type Flight = Shared<BoxFuture<'static, Result<Bearer, Arc<AnswerError>>>>;

/// Sends one request for a token each time it is called.
pub(super) type Ask = Box<dyn Fn() -> BoxFuture<'static, Result<Granted, AnswerError>> + Send + Sync>;

/// A token, ready for the `Authorization` header.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    /// Marked as sensitive, so that it is not printed.
    pub(super) header: HeaderValue,
    /// The number of this token among all tokens received.
    serial: u64,
    /// In monotonic time.
    renew_at: Duration,
    expires_at: Duration,
}

/// The tokens of one set of credentials.
///
/// Cancellation: a token request runs in a separate task, so a caller that disconnects does not affect others.
pub(super) struct Tokens {
    ask: Ask,
    clock: Arc<dyn Clock>,
    runtime: Handle,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    held: Option<Bearer>,
    flight: Option<Flight>,
    given: u64,
}

impl Tokens {
    pub(super) fn new(ask: Ask, clock: Arc<dyn Clock>, runtime: Handle) -> Self {
        Self { ask, clock, runtime, state: Arc::default() }
    }

    /// The token to use now. Requested if there is none; renewed in the background after four fifths of its lifetime.
    ///
    /// # Errors
    /// The failure of the request, shared by all callers who waited for it.
    pub(super) async fn current(&self) -> Result<Bearer, Arc<AnswerError>> {
        let flight = {
            let now = self.clock.monotonic();
            let mut state = lock(&self.state);
            match state.held.clone().filter(|held| now < held.expires_at) {
                Some(held) => {
                    if now >= held.renew_at {
                        drop(self.flight(&mut state));
                    }
                    return Ok(held);
                }
                None => self.flight(&mut state),
            }
        };
        flight.await
    }

    /// A newer token than the one that the service refused.
    ///
    /// # Errors
    /// As [`Tokens::current`].
    pub(super) async fn after(&self, refused: &Bearer) -> Result<Bearer, Arc<AnswerError>> {
        {
            let mut state = lock(&self.state);
            state.held.take_if(|held| held.serial == refused.serial);
        }
        self.current().await
    }

    /// The request under way, or a new one.
    fn flight(&self, state: &mut State) -> Flight {
        if let Some(flight) = &state.flight {
            return flight.clone();
        }
        let begun = self.clock.monotonic();
        let answer = (self.ask)();
        let (place, clock) = (Arc::clone(&self.state), Arc::clone(&self.clock));
        let task = self.runtime.spawn(async move {
            // Made inside the task: a runtime that shuts down drops this future at once, while the caller holds the
            // lock.
            let landing = Landing(place);
            let answer = answer.await.map(|granted| Bearer::new(granted, begun)).map_err(Arc::new);
            landing.take(answer, clock.monotonic())
        });
        let lost = |_| Err(Arc::new(AnswerError::Lost));
        let flight = async move { task.await.unwrap_or_else(lost) }.boxed().shared();
        state.flight = Some(flight.clone());
        flight
    }
}

impl Bearer {
    fn new(granted: Granted, begun: Duration) -> Self {
        let life = granted.seconds.map_or(UNSAID_LIFE, Duration::from_secs).min(LONGEST_LIFE);
        Self { header: granted.header, serial: 0, renew_at: begun + life * 4 / 5, expires_at: begun + life }
    }
}

/// Ends the request under way, in whatever way it ends.
struct Landing(Arc<Mutex<State>>);

impl Landing {
    fn take(self, answer: Result<Bearer, Arc<AnswerError>>, now: Duration) -> Result<Bearer, Arc<AnswerError>> {
        let mut state = lock(&self.0);
        match answer {
            Ok(mut bearer) => {
                state.given += 1;
                bearer.serial = state.given;
                state.held = Some(bearer.clone());
                Ok(bearer)
            }
            Err(failure) => {
                if let Some(held) = &mut state.held {
                    held.renew_at = now + RENEWAL_PAUSE;
                }
                Err(failure)
            }
        }
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        lock(&self.0).flight = None;
    }
}

/// The state is consistent after every call, so a panic elsewhere does not matter.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
