//! Keeps the counts of the last day, for the operator's pages.

use std::sync::Arc;
use std::time::Duration;

use super::Job;
use crate::metrics::Metrics;

pub struct SampleMetrics {
    pub metrics: Arc<Metrics>,
}

impl Job for SampleMetrics {
    const NAME: &'static str = "sample_metrics";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(900);

    async fn tick(&mut self) -> bool {
        self.metrics.sample();
        true
    }
}
