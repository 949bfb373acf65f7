//! When each job last succeeded. One that hangs, fails or panics again and again makes the server unready.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

#[derive(Default)]
pub struct JobHealth {
    jobs: Mutex<Vec<Entry>>,
}

struct Entry {
    name: &'static str,
    stalled_after: Option<Duration>,
    succeeded: Instant,
}

impl JobHealth {
    /// Counts as a success.
    pub(super) fn add(&self, name: &'static str, stalled_after: Option<Duration>) {
        let mut jobs = self.jobs.lock();
        // Datasets share a job name.
        if jobs.iter().all(|entry| entry.name != name) {
            jobs.push(Entry { name, stalled_after, succeeded: Instant::now() });
        }
    }

    pub(super) fn succeeded(&self, name: &str) {
        if let Some(entry) = self.jobs.lock().iter_mut().find(|entry| entry.name == name) {
            entry.succeeded = Instant::now();
        }
    }

    /// How long ago each job succeeded.
    pub fn successes(&self) -> Vec<(&'static str, Duration)> {
        self.jobs.lock().iter().map(|entry| (entry.name, entry.succeeded.elapsed())).collect()
    }

    /// The jobs without a success for too long.
    pub fn stalled(&self) -> Vec<&'static str> {
        let has_stalled =
            |entry: &&Entry| entry.stalled_after.is_some_and(|longest| entry.succeeded.elapsed() > longest);
        self.jobs.lock().iter().filter(has_stalled).map(|entry| entry.name).collect()
    }
}
