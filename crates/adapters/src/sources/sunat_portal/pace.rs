//! The queue for the page: requests start an interval apart, callers wait a limited time, and after a refusal requests
//! pause. A caller that disconnects frees its place.

use std::time::Duration;

use parking_lot::Mutex;
use thiserror::Error;
use tokio::time::{Instant, sleep_until};

/// Half of the page's time limit, so that a provider can still be queried.
pub const MAX_WAIT: Duration = Duration::from_secs(3);
/// How long requests to the real page pause after a refusal: a ban lasts about five minutes.
pub const PAUSE: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub struct Pace {
    interval: Duration,
    turn: tokio::sync::Mutex<()>,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    next: Instant,
    waiting: u32,
}

/// No turn comes within [`MAX_WAIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no turn within {} s: the page's queue is full, or requests are paused after a refusal", MAX_WAIT.as_secs())]
pub struct NoTurnError;

impl Pace {
    /// The first request may start at once.
    pub fn new(interval: Duration) -> Self {
        let queue = Queue { next: Instant::now(), waiting: 0 };
        Self { interval, turn: tokio::sync::Mutex::new(()), queue: Mutex::new(queue) }
    }

    /// # Errors
    /// [`NoTurnError`], at once if the wait would be too long, and while waiting if a pause begins.
    pub async fn turn(&self) -> Result<(), NoTurnError> {
        let latest = Instant::now() + MAX_WAIT;
        let place = self.enter(latest)?;
        let turn = self.turn.lock().await;
        loop {
            let next = self.queue.lock().next;
            if next > latest {
                return Err(NoTurnError);
            }
            if next <= Instant::now() {
                break;
            }
            sleep_until(next).await;
        }
        self.queue.lock().next = Instant::now() + self.interval;
        drop((turn, place));
        Ok(())
    }

    pub fn pause(&self, pause: Duration) {
        self.queue.lock().next = Instant::now() + pause;
    }

    fn enter(&self, latest: Instant) -> Result<QueuePlace<'_>, NoTurnError> {
        let mut queue = self.queue.lock();
        let start = queue.next.max(Instant::now()) + self.interval * queue.waiting;
        if start > latest {
            return Err(NoTurnError);
        }
        queue.waiting += 1;
        Ok(QueuePlace(self))
    }
}

/// A place in the queue, freed on drop.
struct QueuePlace<'a>(&'a Pace);

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.0.queue.lock().waiting -= 1;
    }
}
