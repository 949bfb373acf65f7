//! What servers measure of themselves: calls, failures and times, kept by the hour.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{ServerId, StoreResult};

/// The calls of an operation, or the requests to a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallCounts {
    pub calls: u64,
    pub failed: u64,
    /// Bits of the hour's minutes in which at least half of the calls failed.
    pub bad_minutes: u64,
    /// Calls by the upper bound of their time in microseconds; `u64::MAX` = without a bound.
    pub times: BTreeMap<u64, u64>,
}

/// What one server measured in an hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredHour {
    /// Hours since 1970-01-01T00:00:00Z.
    pub hour: i64,
    /// Bits of the minutes in which the server lived.
    pub minutes: u64,
    /// By the operation's path, such as `/ruc`, or the source's name.
    pub subjects: BTreeMap<String, CallCounts>,
}

impl CallCounts {
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.bad_minutes |= other.bad_minutes;
        for (bound, count) in &other.times {
            *self.times.entry(*bound).or_default() += count;
        }
    }

    /// What a process counted after `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |bound| earlier.times.get(bound).copied().unwrap_or(0);
        Self {
            calls: self.calls.saturating_sub(earlier.calls),
            failed: self.failed.saturating_sub(earlier.failed),
            bad_minutes: 0,
            times: self.times.iter().map(|(bound, count)| (*bound, count.saturating_sub(before(bound)))).collect(),
        }
    }
}

#[async_trait]
pub trait MeasuredHours: Send + Sync + 'static {
    /// Replaces the record with this number of this run of a server, or adds it. Safe to call twice.
    async fn put_hour(&self, server: ServerId, number: u64, measured: &MeasuredHour) -> StoreResult<()>;

    /// The hours that all servers recorded, from the hour `from` to the hour before `until`, in order.
    async fn hours(&self, from: i64, until: i64) -> StoreResult<Vec<MeasuredHour>>;

    async fn forget_hours(&self, before: i64) -> StoreResult<()>;
}
