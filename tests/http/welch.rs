//! Compares the times of two cases by Welch's t-test. Above 4.5, an attacker could tell the cases apart by their times.

use std::time::Duration;

/// The part of the samples that is compared. The slowest say more about the machine than about the cases.
const RETAINED_SHARE: f64 = 0.95;

/// The statistic t of two lists of samples.
pub(crate) fn t(one: &[Duration], other: &[Duration]) -> f64 {
    let mut all: Vec<Duration> = one.iter().chain(other).copied().collect();
    all.sort();
    let longest = all[((all.len() - 1) as f64 * RETAINED_SHARE) as usize];
    let (one, other) = (moments(one, longest), moments(other, longest));
    (one.mean - other.mean) / (one.variance / one.count + other.variance / other.count).sqrt()
}

struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

fn moments(samples: &[Duration], longest: Duration) -> Moments {
    let kept = || samples.iter().filter(|sample| **sample <= longest).map(Duration::as_secs_f64);
    let count = kept().count() as f64;
    let mean = kept().sum::<f64>() / count;
    let variance = kept().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (count - 1.0);
    Moments { count, mean, variance }
}

/// Numbers in a random but repeatable order, to take the samples of all cases in turn.
pub(crate) fn shuffled(cases: usize, samples: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cases * samples).map(|number| number % cases).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for at in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
    order
}

#[test]
fn a_difference_in_time_is_found() {
    let samples = |shift: u64| -> Vec<Duration> {
        let spread = shuffled(100, 10).into_iter();
        spread.map(|noise| Duration::from_micros(1_000 + shift + noise as u64)).collect()
    };
    assert!(t(&samples(0), &samples(0)).abs() < 0.01);
    assert!(t(&samples(0), &samples(30)) < -4.5);
}
