//! Coalesce: identical calls in flight share one question. It keeps nothing once the answer is there: that is the
//! cache's business.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::watch;

type Shared = Result<DetailAnswer, Arc<SourceError>>;
type Flights = Mutex<HashMap<Ruc, watch::Receiver<Option<Shared>>>>;

/// A source that is asked once for all who ask for the same RUC at the same time.
///
/// Cancellation: the question runs in a task of its own, so a caller who goes away, the first one included, takes
/// nothing from the others; and if all go away, the question is still answered, for the cache beneath.
pub struct Coalesce {
    inner: Arc<dyn TaxpayerSource>,
    runtime: Handle,
    flights: Arc<Flights>,
}

impl Coalesce {
    /// `inner`, asked on `runtime`.
    #[must_use]
    pub fn new(inner: Arc<dyn TaxpayerSource>, runtime: Handle) -> Self {
        Self { inner, runtime, flights: Arc::default() }
    }

    /// The answer to come: of the question in flight, or of a new one.
    fn join(&self, ruc: Ruc) -> watch::Receiver<Option<Shared>> {
        let (sender, receiver) = match lock(&self.flights).entry(ruc) {
            Entry::Occupied(flight) => return flight.get().clone(),
            Entry::Vacant(place) => {
                let (sender, receiver) = watch::channel(None);
                (sender, place.insert(receiver).clone())
            }
        };
        // Spawned with the lock released: a runtime that shuts down drops the task, and its landing, here and now.
        let landing = Landing { flights: Arc::clone(&self.flights), ruc };
        let inner = Arc::clone(&self.inner);
        let question = async move {
            let outcome = inner.detail(ruc).await.map_err(Arc::new);
            drop(landing);
            sender.send_replace(Some(outcome));
        };
        self.runtime.spawn(question);
        receiver
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Coalesce {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let mut flight = self.join(ruc);
        let landed = flight.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
        match landed {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(error)) => Err(copy(&error)),
            None => Err(SourceError::new(self.name().to_owned(), SourceErrorKind::Unavailable).because(Lost)),
        }
    }
}

/// The task that asked is gone without an answer: it panicked, or its runtime has shut down.
#[derive(Debug, Error)]
#[error("the task that asked the source ended without an answer, see the log before this line")]
struct Lost;

/// Frees the RUC for the next question, however this one ends.
struct Landing {
    flights: Arc<Flights>,
    ruc: Ruc,
}

impl Drop for Landing {
    fn drop(&mut self) {
        lock(&self.flights).remove(&self.ruc);
    }
}

/// The map is whole at every instant, so that a panic elsewhere does not matter.
fn lock(flights: &Flights) -> MutexGuard<'_, HashMap<Ruc, watch::Receiver<Option<Shared>>>> {
    flights.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same error for one of the callers; what lies behind it is shared.
fn copy(error: &Arc<SourceError>) -> SourceError {
    let reason = error.reason.clone();
    let copy = SourceError { reason, ..SourceError::new(error.source.clone(), error.kind) };
    if error.cause.is_some() { copy.because(SharedCause(Arc::clone(error))) } else { copy }
}

/// What lies behind a shared error.
struct SharedCause(Arc<SourceError>);

impl fmt::Display for SharedCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.cause.as_ref().map_or(Ok(()), |cause| cause.fmt(f))
    }
}

impl fmt::Debug for SharedCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.cause, f)
    }
}

impl StdError for SharedCause {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.cause.as_ref().and_then(|cause| cause.source())
    }
}
