//! Bounds the calls in progress of one operation, with a short wait for a free permit.
//!
//! Calls beyond what the store or the sources can serve would only wait, and make every other call wait too. They are
//! refused instead, before they cost anything: a client that is told so at once can try again later.

use std::future::pending;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use kuraka_ports::SourceLoad;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

/// The longest wait for a permit: enough for a short burst, and shorter than any answer of a source.
const WAIT: Duration = Duration::from_millis(25);

/// The limit of one operation's calls in progress.
///
/// A free permit costs two atomic operations: no lock and no allocation.
pub struct ConcurrencyLimit {
    limit: usize,
    in_progress: AtomicUsize,
    waiting: AtomicUsize,
    refused: AtomicU64,
    released: Notify,
    sources: Option<Sources>,
}

/// The sources that an operation waits for.
struct Sources {
    load: watch::Receiver<SourceLoad>,
    /// Requests that they serve at the same time.
    at_once: usize,
    /// Requests that they serve at the same time, and requests that may wait for one of these to end.
    most: usize,
    /// Whether they were busy, and have not been half idle since.
    were_busy: AtomicBool,
}

/// The permit of one call, released when dropped.
pub struct Permit<'a>(&'a ConcurrencyLimit);

/// A call that waits for a permit.
struct Waiting<'a>(&'a ConcurrencyLimit);

impl ConcurrencyLimit {
    /// At most `limit` calls at the same time.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            in_progress: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            refused: AtomicU64::new(0),
            released: Notify::new(),
            sources: None,
        }
    }

    /// The same limit for calls to sources that serve `at_once` requests at the same time.
    ///
    /// While the sources are busy, calls are refused beyond `most` requests in progress. Calls that share a request
    /// count once, so any number of them may wait for it, up to the limit of calls.
    #[must_use]
    pub fn for_sources(self, load: watch::Receiver<SourceLoad>, at_once: usize, most: usize) -> Self {
        // Without a source every call fails at once, so there is nothing to bound.
        let sources = (at_once > 0).then_some(Sources { load, at_once, most, were_busy: AtomicBool::new(false) });
        Self { sources, ..self }
    }

    /// A permit, or `None` if none becomes free within 25 ms.
    ///
    /// If the future is dropped, no permit is taken.
    pub async fn acquire(&self) -> Option<Permit<'_>> {
        if let Some(permit) = self.try_acquire() {
            return Some(permit);
        }
        let permit = timeout(WAIT, self.wait()).await.ok();
        if permit.is_none() {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        permit
    }

    /// Calls in progress.
    #[must_use]
    pub fn in_progress(&self) -> usize {
        self.in_progress.load(Ordering::Relaxed)
    }

    /// Calls that got no permit.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn try_acquire(&self) -> Option<Permit<'_>> {
        let one_more = |calls| (calls < self.limit && !self.sources_are_full(calls)).then_some(calls + 1);
        self.in_progress.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).ok()?;
        Some(Permit(self))
    }

    /// Whether a further request to the sources would wait behind too many others. Calls that have a permit and are not
    /// yet at the source are counted as requests, once the sources are busy: each may become one. They count until the
    /// sources are half idle, because requests that began together also end together.
    fn sources_are_full(&self, calls: usize) -> bool {
        self.sources.as_ref().is_some_and(|Sources { load, at_once, most, were_busy }| {
            let SourceLoad { callers, requests } = *load.borrow();
            let not_yet_there = calls.saturating_sub(callers);
            if requests >= *at_once || calls <= *at_once / 2 {
                were_busy.store(requests >= *at_once, Ordering::Relaxed);
            }
            were_busy.load(Ordering::Relaxed) && requests + not_yet_there >= *most
        })
    }

    async fn wait(&self) -> Permit<'_> {
        let _waiting = Waiting::one_more(self);
        let mut load = self.sources.as_ref().map(|sources| sources.load.clone());
        loop {
            // Both are watched from before the attempt, so that no permit is released unnoticed.
            let mut released = pin!(self.released.notified());
            released.as_mut().enable();
            if let Some(load) = &mut load {
                load.mark_unchanged();
            }
            if let Some(permit) = self.try_acquire() {
                return permit;
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
                () = released => {}
                () = request_ended => {}
            }
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.in_progress.fetch_sub(1, Ordering::SeqCst);
        // A call that begins to wait after this line tries to take the permit that was released before it.
        if self.0.waiting.load(Ordering::SeqCst) > 0 {
            self.0.released.notify_one();
        }
    }
}

impl<'a> Waiting<'a> {
    fn one_more(limit: &'a ConcurrencyLimit) -> Self {
        limit.waiting.fetch_add(1, Ordering::SeqCst);
        Self(limit)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
