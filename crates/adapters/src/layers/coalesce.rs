//! Coalesce: identical concurrent calls share one request. It keeps no answers; the cache does.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error as StdError;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{
    DetailAnswer, SourceError, SourceErrorKind, SourceLoad, TaxpayerSource, VoucherAnswer, VoucherValidator,
};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::watch;

type Shared<A> = Option<Result<A, Arc<SourceError>>>;
type Flights<Q, A> = Mutex<HashMap<Q, watch::Receiver<Shared<A>>>>;

/// A source that gets one request for all concurrent callers with the same query `Q`. Each caller gets the answer `A`.
///
/// Cancellation: the request runs in a separate task. A caller that disconnects, even the first one, does not affect
/// the others. If all callers disconnect, the request still completes, for the cache inside.
pub struct Coalesce<S: ?Sized, Q, A> {
    inner: Arc<S>,
    runtime: Handle,
    flights: Arc<Flights<Q, A>>,
    load: Arc<watch::Sender<SourceLoad>>,
}

impl<S: ?Sized, Q, A> Coalesce<S, Q, A>
where
    Q: Copy + Eq + Hash + Send + 'static,
    A: Clone + Send + Sync + 'static,
{
    /// `inner`, called on `runtime`.
    #[must_use]
    pub fn new(inner: Arc<S>, runtime: Handle) -> Self {
        Self { inner, runtime, flights: Arc::default(), load: Arc::default() }
    }

    /// The callers and the requests in progress. The receiver is notified when a caller arrives or a request ends.
    #[must_use]
    pub fn load(&self) -> watch::Receiver<SourceLoad> {
        self.load.subscribe()
    }

    /// The answer to the request in flight, or to a new one.
    async fn share(
        &self,
        source: &str,
        question: Q,
        ask: impl FnOnce(Arc<S>) -> BoxFuture<'static, Result<A, SourceError>>,
    ) -> Result<A, SourceError> {
        let _caller = Caller::one_more(&self.load);
        let mut flight = self.join(question, ask);
        let landed = flight.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
        match landed {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(error)) => Err(copy(&error)),
            None => Err(SourceError::new(source.to_owned(), SourceErrorKind::Unavailable).with_cause(Lost)),
        }
    }

    fn join(
        &self,
        question: Q,
        ask: impl FnOnce(Arc<S>) -> BoxFuture<'static, Result<A, SourceError>>,
    ) -> watch::Receiver<Shared<A>> {
        let (sender, receiver) = match lock(&self.flights).entry(question) {
            Entry::Occupied(flight) => return flight.get().clone(),
            Entry::Vacant(place) => {
                let (sender, receiver) = watch::channel(None);
                count(&self.load, |load| load.requests += 1);
                (sender, place.insert(receiver).clone())
            }
        };
        // Spawned after the lock is released: a runtime that shuts down drops the task, and `Landing` with it, right
        // here.
        let landing = Landing { flights: Arc::clone(&self.flights), load: Arc::clone(&self.load), question };
        let answer = ask(Arc::clone(&self.inner));
        self.runtime.spawn(async move {
            let outcome = answer.await.map_err(Arc::new);
            drop(landing);
            sender.send_replace(Some(outcome));
        });
        receiver
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Coalesce<S, Ruc, DetailAnswer> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let ask = |inner: Arc<S>| async move { inner.detail(ruc).await }.boxed();
        self.share(self.inner.name(), ruc, ask).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Coalesce<S, Voucher, VoucherAnswer> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        let ask = |inner: Arc<S>| async move { inner.validate(voucher).await }.boxed();
        self.share(self.inner.name(), voucher, ask).await
    }
}

/// The task of the request ended without an answer: it panicked, or its runtime has shut down.
#[derive(Debug, Error)]
#[error("the task that asked the source ended without an answer, see the log before this line")]
struct Lost;

/// Removes the request when its task ends for any reason, so that the next caller sends a new one.
struct Landing<Q: Eq + Hash, A> {
    flights: Arc<Flights<Q, A>>,
    load: Arc<watch::Sender<SourceLoad>>,
    question: Q,
}

impl<Q: Eq + Hash, A> Drop for Landing<Q, A> {
    fn drop(&mut self) {
        lock(&self.flights).remove(&self.question);
        self.load.send_modify(|load| load.requests -= 1);
    }
}

/// A caller that waits for an answer.
struct Caller<'a>(&'a watch::Sender<SourceLoad>);

impl<'a> Caller<'a> {
    fn one_more(load: &'a watch::Sender<SourceLoad>) -> Self {
        load.send_modify(|load| load.callers += 1);
        Self(load)
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        count(self.0, |load| load.callers -= 1);
    }
}

/// Changes the load without a notification.
fn count(load: &watch::Sender<SourceLoad>, change: impl FnOnce(&mut SourceLoad)) {
    load.send_if_modified(|load| {
        change(load);
        false
    });
}

/// The map is consistent after every call, so a panic elsewhere does not matter.
fn lock<Q, A>(flights: &Flights<Q, A>) -> MutexGuard<'_, HashMap<Q, watch::Receiver<Shared<A>>>> {
    flights.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same error for one of the callers; its cause is shared.
fn copy(error: &Arc<SourceError>) -> SourceError {
    let reason = error.reason.clone();
    let copy = SourceError { reason, ..SourceError::new(error.source.clone(), error.kind) };
    if error.cause.is_some() { copy.with_cause(SharedCause(Arc::clone(error))) } else { copy }
}

/// The cause of a shared error.
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
