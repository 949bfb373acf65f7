//! Measures operations and sources once a minute, and writes the page *Servicio* with it. Keeps the counts of the last day
//! for the operator's pages.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{History, Recorder};
use kuraka_panel::Panel;
use kuraka_ports::{MeasuredHours, StoreError};

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

const MINUTE: i64 = 60_000;
/// A quarter of an hour.
const TICKS_PER_SAMPLE: u64 = 15;

pub struct MeasureService {
    pub recorder: Recorder,
    pub history: History,
    pub store: Arc<dyn MeasuredHours>,
    pub panel: Arc<Panel>,
    pub metrics: Arc<Metrics>,
}

impl MeasureService {
    async fn follow(&mut self) -> Result<(), StoreError> {
        let now = self.panel.clock.now();
        self.recorder.beat(now, self.panel.clock.monotonic(), self.metrics.measured());
        let written = self.recorder.write(&*self.store).await;
        if !self.recorder.is_measuring() {
            return written;
        }
        self.history.read(&*self.store, now).await.and(written)
    }
}

impl Job for MeasureService {
    const NAME: &'static str = "measure_service";
    const EVERY: Duration = Duration::from_secs(60);

    /// To the next minute's beginning.
    fn period(&self) -> Duration {
        let past = self.panel.clock.now().as_millisecond().rem_euclid(MINUTE);
        Duration::from_millis((MINUTE - past).unsigned_abs())
    }

    async fn tick(&mut self, number: u64) -> bool {
        if number.is_multiple_of(TICKS_PER_SAMPLE) {
            self.metrics.sample();
        }
        let followed = self.follow().await;
        // Also while the store is away: with what was last read.
        self.panel.show_service(&self.history.report(), self.recorder.failing());
        have_succeeded([("measurements", followed)], &self.metrics)
    }

    async fn finish(&mut self) {
        let clock = &self.panel.clock;
        self.recorder.beat(clock.now(), clock.monotonic(), self.metrics.measured());
        self.recorder.end_minute();
        let _ = have_succeeded([("measurements", self.recorder.write(&*self.store).await)], &self.metrics);
    }
}
