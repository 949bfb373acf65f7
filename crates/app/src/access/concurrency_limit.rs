//! Bounds an operation's calls in progress, with a short wait for a permit. Calls beyond what the store or the sources
//! can serve would only wait and delay others, so they are refused before they cost anything.

use std::future::pending;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use kuraka_ports::SourceLoad;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

/// Enough for a short burst, and shorter than any source's answer.
const WAIT: Duration = Duration::from_millis(25);

/// The limit of one operation's calls in progress. A free permit costs a few atomic operations, no lock and no
/// allocation.
pub struct ConcurrencyLimit {
    limit: usize,
    in_progress: AtomicUsize,
    refused: AtomicU64,
    released: Notify,
    sources: Option<Sources>,
}

/// The sources that an operation waits for.
struct Sources {
    load: watch::Receiver<SourceLoad>,
    at_once: usize,
    most: usize,
    /// Whether they were busy, and have not been half idle since.
    were_busy: AtomicBool,
}

/// The permit of one call, released when dropped.
pub struct Permit<'a>(&'a ConcurrencyLimit);

impl ConcurrencyLimit {
    /// At most `limit` calls at the same time.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            in_progress: AtomicUsize::new(0),
            refused: AtomicU64::new(0),
            released: Notify::new(),
            sources: None,
        }
    }

    /// The limit for calls to sources that serve `at_once` requests at the same time: while they are busy, calls are
    /// refused beyond `most` requests. Calls that share a request count once.
    #[must_use]
    pub fn for_sources(self, load: watch::Receiver<SourceLoad>, at_once: usize, most: usize) -> Self {
        // Without a source every call fails at once.
        let sources = (at_once > 0).then_some(Sources { load, at_once, most, were_busy: AtomicBool::new(false) });
        Self { sources, ..self }
    }

    /// A permit, if one becomes free within 25 ms. Taken only if the future completes.
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

    pub fn in_progress(&self) -> usize {
        self.in_progress.load(Ordering::Relaxed)
    }

    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn try_acquire(&self) -> Option<Permit<'_>> {
        let one_more = |calls| (calls < self.limit && !self.sources_are_full(calls)).then_some(calls + 1);
        self.in_progress.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).ok()?;
        Some(Permit(self))
    }

    /// Whether a further request would wait behind too many. Once the sources are busy, each call with a permit counts
    /// as a request, because it may become one, until the sources are half idle: requests that began together also end
    /// together.
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
        let mut load = self.sources.as_ref().map(|sources| sources.load.clone());
        loop {
            // Watched from before the attempt, so that no release is missed.
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
        self.0.released.notify_one();
    }
}
