//! How an account's calls ended, counted on the way of each answer: one atomic step, and nothing else.

use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{DayCount, Operation};

const OPERATIONS: usize = Operation::ALL.len();
const CODES: usize = ResultCode::ALL.len();

/// Counts that nobody has taken yet.
#[derive(Debug, Default)]
pub(crate) struct Calls([[AtomicU64; CODES]; OPERATIONS]);

impl Calls {
    /// Counts calls that ended so.
    pub(crate) fn add(&self, operation: Operation, code: ResultCode, count: u64) {
        if let Some(counter) = self.0.get(operation as usize).and_then(|codes| codes.get(code as usize)) {
            counter.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Takes all counts, as calls of this day.
    pub(crate) fn take(&self, day: Date) -> Vec<DayCount> {
        let mut taken = Vec::new();
        for (operation, codes) in Operation::ALL.into_iter().zip(&self.0) {
            for (code, counter) in ResultCode::ALL.into_iter().zip(codes) {
                let count = counter.swap(0, Ordering::Relaxed);
                if count > 0 {
                    taken.push(DayCount { day, operation, code, count });
                }
            }
        }
        taken
    }
}
