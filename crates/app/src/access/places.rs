//! Places: bounds the calls in progress of one operation, with a short wait for a free place.
//!
//! Calls beyond what the store or the sources can serve would only wait, and make every other call wait too. They are
//! refused instead, before they cost anything: a client that is told so at once can try again later.

use std::future::pending;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kuraka_ports::SourceLoad;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

/// The longest wait for a place: enough for a short burst, and shorter than any answer of a source.
const WAIT: Duration = Duration::from_millis(25);

/// The places of one operation.
///
/// A free place costs two atomic operations: no lock and no allocation.
pub struct Places {
    limit: usize,
    taken: AtomicUsize,
    waiting: AtomicUsize,
    freed: Notify,
    sources: Option<Sources>,
}

/// The sources that an operation waits for.
struct Sources {
    load: watch::Receiver<SourceLoad>,
    /// Requests that they serve at the same time.
    at_once: usize,
    /// The same with those that may wait for one of these to end.
    most: usize,
}

/// A place of one call, given back when dropped.
pub struct Place<'a>(&'a Places);

/// A call that waits for a place.
struct Waiting<'a>(&'a Places);

impl Places {
    /// Places for `limit` calls.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, taken: AtomicUsize::new(0), waiting: AtomicUsize::new(0), freed: Notify::new(), sources: None }
    }

    /// The same places for calls to sources that serve `at_once` requests at the same time.
    ///
    /// While the sources are busy, calls are refused beyond `most` requests in progress. Calls that share a request
    /// count once, so any number of them may wait for it, up to the limit of calls.
    #[must_use]
    pub fn before(self, load: watch::Receiver<SourceLoad>, at_once: usize, most: usize) -> Self {
        // Without a source every call fails at once, so there is nothing to bound.
        let sources = (at_once > 0).then_some(Sources { load, at_once, most });
        Self { sources, ..self }
    }

    /// A place, or `None` if none becomes free within 25 ms.
    ///
    /// If the future is dropped, no place is taken.
    pub async fn take(&self) -> Option<Place<'_>> {
        if let Some(place) = self.try_take() {
            return Some(place);
        }
        timeout(WAIT, self.wait()).await.ok()
    }

    /// Calls in progress.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    fn try_take(&self) -> Option<Place<'_>> {
        let one_more = |taken| (taken < self.limit && !self.sources_are_full(taken)).then_some(taken + 1);
        self.taken.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).ok()?;
        Some(Place(self))
    }

    /// Whether a further request to the sources would wait behind too many others. Calls that are admitted and not yet at
    /// the source are counted as requests, once the sources are busy: each may become one.
    fn sources_are_full(&self, taken: usize) -> bool {
        self.sources.as_ref().is_some_and(|Sources { load, at_once, most }| {
            let SourceLoad { callers, requests } = *load.borrow();
            let not_yet_there = taken.saturating_sub(callers);
            requests >= *at_once && requests + not_yet_there >= *most
        })
    }

    async fn wait(&self) -> Place<'_> {
        let _waiting = Waiting::one_more(self);
        let mut load = self.sources.as_ref().map(|sources| sources.load.clone());
        loop {
            // Both are watched from before the attempt, so that no place becomes free unnoticed.
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            if let Some(load) = &mut load {
                load.mark_unchanged();
            }
            if let Some(place) = self.try_take() {
                return place;
            }
            let request_ended = async {
                let ended = match &mut load {
                    Some(load) => load.changed().await.is_ok(),
                    None => false,
                };
                if !ended {
                    pending::<()>().await;
                }
            };
            tokio::select! {
                () = freed => {}
                () = request_ended => {}
            }
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::SeqCst);
        // A call that begins to wait after this line tries to take the place that was given back before it.
        if self.0.waiting.load(Ordering::SeqCst) > 0 {
            self.0.freed.notify_one();
        }
    }
}

impl<'a> Waiting<'a> {
    fn one_more(places: &'a Places) -> Self {
        places.waiting.fetch_add(1, Ordering::SeqCst);
        Self(places)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
