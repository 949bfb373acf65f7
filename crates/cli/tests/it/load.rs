//! Clients that call in a loop until they are stopped.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kuraka_sandbox::sample;

use super::http::{Answer, Client};

pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    clients: Vec<JoinHandle<u64>>,
}

impl Load {
    /// An answer other than a 200 must be a refusal.
    pub(crate) fn start(
        clients: usize,
        to: SocketAddr,
        token: &str,
        pause: Duration,
        is_refusal: fn(&Answer) -> bool,
    ) -> Self {
        let (stop, answered) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let start = || {
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            let mut client = Client::new(to, token, sample::COMPANY);
            thread::spawn(move || {
                let mut refused = 0;
                while !stop.load(Ordering::Acquire) {
                    let answer = client.answer().unwrap();
                    if answer.status == 200 {
                        answered.fetch_add(1, Ordering::AcqRel);
                    } else {
                        assert!(is_refusal(&answer), "{answer:?}");
                        refused += 1;
                    }
                    thread::park_timeout(pause);
                }
                refused
            })
        };
        let clients = std::iter::repeat_with(start).take(clients).collect();
        Self { stop, answered, clients }
    }

    pub(crate) fn answered(&self) -> u64 {
        self.answered.load(Ordering::Acquire)
    }

    /// Returns the numbers of answers and refusals.
    pub(crate) fn end(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Release);
        let refused = self.clients.into_iter().map(|client| client.join().unwrap()).sum();
        (self.answered.load(Ordering::Acquire), refused)
    }
}
