//! Calls by account, operation and code, until they are written.

use std::collections::HashMap;
use std::mem;

use foldhash::fast::RandomState;
use kuraka_domain::ResultCode;
use kuraka_ports::AccountId;
use parking_lot::Mutex;

/// The account, the operation's name, and the result.
pub(crate) type CallKey = (AccountId, &'static str, ResultCode);

#[derive(Default)]
pub(crate) struct Calls(Mutex<HashMap<CallKey, u64, RandomState>>);

impl Calls {
    pub(crate) fn add(&self, call: CallKey, count: u64) {
        *self.0.lock().entry(call).or_default() += count;
    }

    /// Takes the counts since the last time.
    pub(crate) fn take(&self) -> Vec<(CallKey, u64)> {
        let taken = mem::take(&mut *self.0.lock());
        taken.into_iter().collect()
    }
}
