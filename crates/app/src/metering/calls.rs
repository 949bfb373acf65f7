//! Counts an account's calls by operation and code until they are written.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use kuraka_domain::ResultCode;
use kuraka_ports::AccountId;

use super::{ActiveList, Listed};

const CODES: usize = ResultCode::ALL.len();

pub(crate) struct Calls {
    pub(crate) account: AccountId,
    /// By operation; allocated at its first use.
    counters: Box<[OnceLock<Box<[AtomicU64; CODES]>>]>,
    active: Arc<ActiveList<Self>>,
    is_listed: AtomicBool,
}

impl Calls {
    /// Counting a call puts the account on the list `active`.
    pub(crate) fn new(account: AccountId, operations: usize, active: Arc<ActiveList<Self>>) -> Self {
        let counters = (0..operations).map(|_| OnceLock::new()).collect();
        Self { account, counters, active, is_listed: AtomicBool::new(false) }
    }

    /// `operation` is an index.
    pub(crate) fn add(self: &Arc<Self>, operation: usize, code: ResultCode, count: u64) {
        let Some(counters) = self.counters.get(operation) else { return };
        let counters = counters.get_or_init(|| Box::new([const { AtomicU64::new(0) }; CODES]));
        if let Some(counter) = counters.get(code as usize) {
            counter.fetch_add(count, Ordering::SeqCst);
            self.active.add(self);
        }
    }

    /// Takes the counts as operation, code and number.
    pub(crate) fn take(&self) -> impl Iterator<Item = (usize, ResultCode, u64)> {
        self.each(|counter| counter.swap(0, Ordering::SeqCst))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.each(|counter| counter.load(Ordering::Acquire)).next().is_none()
    }

    fn each(&self, read: fn(&AtomicU64) -> u64) -> impl Iterator<Item = (usize, ResultCode, u64)> {
        let used = self.counters.iter().enumerate().filter_map(|(index, counters)| Some((index, counters.get()?)));
        used.flat_map(move |(index, counters)| {
            let counts = ResultCode::ALL.into_iter().zip(counters.iter());
            counts.map(move |(code, counter)| (index, code, read(counter)))
        })
        .filter(|(_, _, count)| *count > 0)
    }
}

impl Listed for Calls {
    fn is_listed(&self) -> &AtomicBool {
        &self.is_listed
    }
}
