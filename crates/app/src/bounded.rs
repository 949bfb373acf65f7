//! A bound for the maps that count by a key that clients choose.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// The most keys of one map, a few MiB.
pub(crate) const MOST: usize = 100_000;

/// Makes room for one more key: removes a quarter of a full map, the keys with the oldest `latest`. Removing many at a
/// time keeps the cost per key constant.
pub(crate) fn make_room<K: Eq + Hash, V>(map: &mut HashMap<K, V>, latest: impl Fn(&V) -> Duration) {
    if map.len() < MOST {
        return;
    }
    let mut times: Vec<Duration> = map.values().map(&latest).collect();
    let (_, newest_removed, _) = times.select_nth_unstable(MOST / 4);
    let (newest_removed, mut left) = (*newest_removed, MOST / 4);
    map.retain(|_, value| {
        let is_removed = left > 0 && latest(value) <= newest_removed;
        left -= usize::from(is_removed);
        !is_removed
    });
}
