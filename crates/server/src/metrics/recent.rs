//! The counts of the last hour and the last day: samples of the page of metrics, which are subtracted.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use kuraka_panel::operator::TimeBound;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::page::{label, series};

const SERIES: [&str; 4] =
    ["kuraka_answers_total{", "kuraka_answer_seconds_bucket{", "kuraka_source_calls_total{", "kuraka_mails_total{"];
/// One every quarter of an hour.
const SAMPLES: usize = 97;

/// Series with a value above 0.
type Sample = BTreeMap<String, u64>;

#[derive(Default)]
pub(super) struct Recent(Mutex<VecDeque<(Instant, Sample)>>);

pub struct Since {
    pub duration: Duration,
    series: Sample,
}

impl Recent {
    /// A page of metrics, every quarter of an hour.
    pub(super) fn add(&self, page: &str) {
        let mut samples = self.0.lock();
        samples.push_back((Instant::now(), read(page)));
        let surplus = samples.len().saturating_sub(SAMPLES);
        drop(samples.drain(..surplus));
    }

    /// From the newest sample of this age, otherwise the oldest, to this page.
    pub(super) fn since(&self, age: Duration, page: &str) -> Since {
        let (mut series, samples) = (read(page), self.0.lock());
        let old = samples.iter().rev().find(|(at, _)| at.elapsed() >= age).or(samples.front());
        for (name, before) in old.iter().flat_map(|(_, sample)| sample) {
            if let Some(value) = series.get_mut(name) {
                *value = value.saturating_sub(*before);
            }
        }
        Since { duration: old.map_or(Duration::ZERO, |(at, _)| at.elapsed()), series }
    }
}

fn read(page: &str) -> Sample {
    let is_kept = |name: &str| SERIES.iter().any(|series| name.starts_with(series));
    let kept = series(page).filter(|(name, value)| *value > 0 && is_kept(name));
    kept.map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Since {
    /// By the first label and the second.
    pub fn counts(&self, counter: &str, labels: [&str; 2]) -> BTreeMap<String, Vec<(String, u64)>> {
        let mut counts: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (series, count) in self.series.iter().filter(|(name, count)| name.starts_with(counter) && **count > 0) {
            if let [Some(first), Some(second)] = labels.map(|name| label(series, name)) {
                counts.entry(first.to_owned()).or_default().push((second.to_owned(), *count));
            }
        }
        counts
    }

    /// Of this share of an operation's answers; `None` = unknown.
    pub fn quantile(&self, operation: &str, share: f64) -> Option<TimeBound> {
        let bound = |series: &str| label(series, "le").and_then(|bound| bound.parse::<f64>().ok());
        let buckets = self.series.iter().filter(|(name, _)| name.starts_with("kuraka_answer_seconds_bucket{"));
        let own = buckets.filter(|(name, _)| label(name, "operation") == Some(operation));
        let mut buckets: Vec<_> = own.filter_map(|(name, count)| Some((bound(name)?, *count))).collect();
        buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
        let total = buckets.last().filter(|(_, count)| *count > 0)?.1;
        let last = buckets.iter().rev().find(|(bound, _)| bound.is_finite());
        let last = last.map_or(0.0, |(bound, _)| *bound);
        let (bound, _) = buckets.into_iter().find(|(_, count)| *count as f64 >= total as f64 * share)?;
        Some(if bound.is_finite() { TimeBound::AtMost(bound) } else { TimeBound::MoreThan(last) })
    }
}
