//! Makes hours of one server of what its process has counted. Calls belong to the minute of the last heartbeat before them,
//! so that no jump of the clock counts one twice.

use std::collections::BTreeMap;
use std::mem;

use jiff::Timestamp;
use kuraka_ports::{CallCounts, MeasuredHour, MeasuredHours, ServerId, StoreError};

use super::{DAYS_MEASURED, MINUTES, minute_of};

/// Hours that wait for a store that is away.
const MAX_UNWRITTEN: usize = DAYS_MEASURED as usize * 24;

/// Fewer in a minute do not tell whether a subject fails.
const TELLING: u64 = 5;

pub struct Recorder {
    server: ServerId,
    /// What the process had counted at the last heartbeat.
    counted: BTreeMap<String, CallCounts>,
    /// The minute of the last heartbeat.
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
    pub fn beat(&mut self, now: Timestamp, counted: BTreeMap<String, CallCounts>) {
        let minute = minute_of(now);
        if self.minute.is_none() {
            self.begin(minute);
        }
        for (subject, counts) in &counted {
            let added = self.counted.get(subject).map_or_else(|| counts.clone(), |before| counts.since(before));
            if added.calls > 0 {
                self.calls.entry(subject.clone()).or_default().add(&added);
            }
        }
        self.counted = counted;
        if self.minute != Some(minute) {
            self.end_minute();
            self.begin(minute);
        }
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
        if self.minute.is_some() && hour != self.hour.hour {
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
