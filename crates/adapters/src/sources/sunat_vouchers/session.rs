//! The token of one set of credentials: requested once for all callers, kept for its lifetime, renewed before its end.
//! The lifetime is monotonic time from before the request, so that neither a jump of the wall clock nor a slow answer
//! extends it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kuraka_ports::Clock;
use parking_lot::Mutex;
use reqwest::header::HeaderValue;
use tokio::runtime::Handle;

use super::error::AnswerError;
use super::parse::Granted;
use crate::single_flight::SingleFlight;

/// If the answer states no lifetime. A token that ends earlier is renewed at the service's 401.
const UNSAID_LIFE: Duration = Duration::from_secs(60);
/// The service states an hour.
const MAX_LIFETIME: Duration = Duration::from_secs(3_600);
/// After a failed early renewal the old token stays in use this long.
const RENEWAL_PAUSE: Duration = Duration::from_secs(10);

/// Sends one token request per call.
pub(super) type TokenRequest = Box<dyn Fn() -> BoxFuture<'static, Result<Granted, AnswerError>> + Send + Sync>;

#[derive(Clone, Debug)]
pub(super) struct Bearer {
    /// Marked as sensitive.
    pub(super) header: HeaderValue,
    /// The number of this token among all received.
    serial: u64,
    /// In monotonic time.
    renew_at: Duration,
    expires_at: Duration,
}

/// The tokens of one set of credentials. A caller that disconnects does not affect others.
pub(super) struct Tokens {
    ask: TokenRequest,
    clock: Arc<dyn Clock>,
    requests: SingleFlight<(), Result<Bearer, Arc<AnswerError>>>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    held: Option<Bearer>,
    given: u64,
}

impl Tokens {
    /// Requests run on `runtime`.
    pub(super) fn new(ask: TokenRequest, clock: Arc<dyn Clock>, runtime: Handle) -> Self {
        Self { ask, clock, requests: SingleFlight::new(runtime), state: Arc::default() }
    }

    /// The present token: requested if there is none, renewed in the background after four fifths of its lifetime.
    /// Callers share one request and its failure.
    pub(super) async fn current(&self) -> Result<Bearer, Arc<AnswerError>> {
        let request = {
            let now = self.clock.monotonic();
            // Held until the request is joined: a request keeps its token before it leaves the single flight, so no
            // second one is sent.
            let state = self.state.lock();
            match state.held.clone().filter(|held| now < held.expires_at) {
                Some(held) => {
                    if now >= held.renew_at {
                        drop(self.request());
                    }
                    return Ok(held);
                }
                None => self.request(),
            }
        };
        request.await.unwrap_or_else(|| Err(Arc::new(AnswerError::Lost)))
    }

    /// A newer token than the refused one.
    pub(super) async fn after(&self, refused: &Bearer) -> Result<Bearer, Arc<AnswerError>> {
        {
            let mut state = self.state.lock();
            state.held.take_if(|held| held.serial == refused.serial);
        }
        self.current().await
    }

    fn request(&self) -> impl Future<Output = Option<Result<Bearer, Arc<AnswerError>>>> + Send {
        self.requests.join((), || {
            let (begun, answer) = (self.clock.monotonic(), (self.ask)());
            let (state, clock) = (Arc::clone(&self.state), Arc::clone(&self.clock));
            async move {
                let answer = answer.await.map(|granted| Bearer::new(granted, begun));
                state.lock().keep(answer, clock.monotonic()).map_err(Arc::new)
            }
        })
    }
}

impl State {
    fn keep(&mut self, answer: Result<Bearer, AnswerError>, now: Duration) -> Result<Bearer, AnswerError> {
        match answer {
            Ok(bearer) => {
                self.given += 1;
                Ok(self.held.insert(Bearer { serial: self.given, ..bearer }).clone())
            }
            Err(failure) => {
                if let Some(held) = &mut self.held {
                    held.renew_at = now + RENEWAL_PAUSE;
                }
                Err(failure)
            }
        }
    }
}

impl Bearer {
    fn new(granted: Granted, begun: Duration) -> Self {
        let life = granted.seconds.map_or(UNSAID_LIFE, Duration::from_secs).min(MAX_LIFETIME);
        Self { header: granted.header, serial: 0, renew_at: begun + life * 4 / 5, expires_at: begun + life }
    }
}
