//! Makes hours of one server of what its process has counted. Calls belong to the minute of the last heartbeat before them,
//! so that no jump of the clock counts one twice.

use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_ports::{CallCounts, MeasuredHour, MeasuredHours, ServerId, StoreError};

use super::{DAYS_MEASURED, MINUTES, minute_of};

/// Hours that wait for a store that is away.
const MAX_UNWRITTEN: usize = DAYS_MEASURED as usize * 24;

/// A clock that jumps further shows a wrong time, before the jump or after it.
const MAX_JUMP_SECONDS: i64 = 86_400;
/// Until the time after a jump is the right one.
const STEADY: Duration = Duration::from_secs(3_600);

/// Fewer in a minute do not tell whether a subject fails.
const TELLING: u64 = 5;

pub struct Recorder {
    server: ServerId,
    /// What the process had counted at the last heartbeat.
    counted: BTreeMap<String, CallCounts>,
    /// When the monotonic clock was zero, in seconds, by the right time; and by the time since a jump, which happened then.
    zero: Option<i64>,
    jumped: Option<(i64, Duration)>,
    /// The minute of the last heartbeat; `None` = its time is wrong.
    minute: Option<i64>,
    /// Of that minute.
    calls: BTreeMap<String, CallCounts>,
    hour: MeasuredHour,
    /// The number of `hour`. Of an hour to which the clock is set back there are two records.
    number: u64,
    unwritten: Vec<(u64, MeasuredHour)>,
    failing: Vec<String>,
}

impl Recorder {
    /// Of a run of a server whose counts begin at 0.
    pub fn new(server: ServerId) -> Self {
        Self {
            server,
            counted: BTreeMap::new(),
            zero: None,
            jumped: None,
            minute: None,
            calls: BTreeMap::new(),
            hour: MeasuredHour::default(),
            number: 0,
            unwritten: Vec::new(),
            failing: Vec::new(),
        }
    }

    /// The subjects of which at least half of five or more calls failed in the last whole minute.
    pub fn failing(&self) -> &[String] {
        &self.failing
    }

    /// A heartbeat, with what the process has counted since its start. Call it at every minute's beginning at least.
    /// Nothing is measured while the time is wrong.
    pub fn beat(&mut self, now: Timestamp, monotonic: Duration, counted: BTreeMap<String, CallCounts>) {
        let minute = self.is_right(now, monotonic).then(|| minute_of(now));
        if let (Some(first), 0) = (minute, self.hour.minutes) {
            self.begin(first);
        }
        for (subject, counts) in counted.iter().filter(|_| self.minute.is_some()) {
            let added = self.counted.get(subject).map_or_else(|| counts.clone(), |before| counts.since(before));
            if added.calls > 0 {
                self.calls.entry(subject.clone()).or_default().add(&added);
            }
        }
        self.counted = counted;
        if self.minute != minute {
            self.end_minute();
            self.minute = None;
            minute.into_iter().for_each(|minute| self.begin(minute));
        }
    }

    fn is_right(&mut self, now: Timestamp, monotonic: Duration) -> bool {
        let zero = now.as_second().saturating_sub_unsigned(monotonic.as_secs());
        let is_near = |known: i64| (zero - known).abs() <= MAX_JUMP_SECONDS;
        if !self.zero.is_none_or(is_near) {
            let (_, since) =
                *self.jumped.insert(self.jumped.filter(|(time, _)| is_near(*time)).unwrap_or((zero, monotonic)));
            if monotonic.saturating_sub(since) < STEADY {
                return false;
            }
        }
        (self.zero, self.jumped) = (Some(zero), None);
        true
    }

    /// Whether the last heartbeat's time was right.
    pub const fn is_measuring(&self) -> bool {
        self.minute.is_some()
    }

    /// Writes what was measured, the running minute excepted, also after an outage of the store. Safe to call again.
    ///
    /// # Errors
    /// [`StoreError`]; the next call writes it.
    pub async fn write(&mut self, store: &dyn MeasuredHours) -> Result<(), StoreError> {
        while let Some((number, hour)) = self.unwritten.first() {
            store.put_hour(self.server, *number, hour).await?;
            self.unwritten.remove(0);
        }
        store.put_hour(self.server, self.number, &self.hour).await
    }

    /// Ends the running minute of a server that stops.
    pub fn end_minute(&mut self) {
        self.failing.clear();
        let bit = self.minute.map_or(0, |minute| 1 << minute.rem_euclid(MINUTES));
        for (subject, mut counts) in mem::take(&mut self.calls) {
            if counts.calls >= TELLING && counts.failed * 2 >= counts.calls {
                counts.bad_minutes = bit;
                self.failing.push(subject.clone());
            }
            self.hour.subjects.entry(subject).or_default().add(&counts);
        }
    }

    fn begin(&mut self, minute: i64) {
        let hour = minute.div_euclid(MINUTES);
        if self.hour.minutes != 0 && hour != self.hour.hour {
            self.unwritten.push((self.number, mem::take(&mut self.hour)));
            self.number += 1;
            if self.unwritten.len() > MAX_UNWRITTEN {
                self.unwritten.remove(0);
            }
        }
        self.hour.hour = hour;
        self.hour.minutes |= 1 << minute.rem_euclid(MINUTES);
        self.minute = Some(minute);
    }
}
