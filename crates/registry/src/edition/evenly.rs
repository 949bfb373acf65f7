//! Samples of an edition's rows.

/// Up to `samples` numbers below `count`, evenly spaced, the first and the last included.
pub(crate) fn evenly(count: u64, samples: u64) -> impl Iterator<Item = u64> {
    let samples = samples.min(count);
    (0..samples).map(move |nth| if samples < 2 { 0 } else { nth * (count - 1) / (samples - 1) })
}
