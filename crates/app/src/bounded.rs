//! A bound for the maps that count by a key that clients choose.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// The most keys of one map: about 30 MB if all keys are long e-mail addresses.
pub(crate) const MOST: usize = 100_000;

/// Makes room for one more key: removes a quarter of a full map, the keys with the oldest `latest`. Removing many at a
/// time keeps the cost per key constant.
pub(crate) fn make_room<K: Eq + Hash, V>(map: &mut HashMap<K, V>, latest: impl Fn(&V) -> Duration) {
    if map.len() < MOST {
        return;
    }
    let mut times: Vec<Duration> = map.values().map(&latest).collect();
    let (older, newest_removed, _) = times.select_nth_unstable(MOST / 4);
    let newest_removed = *newest_removed;
    // Of keys with the same time, only as many are removed as the quarter needs.
    let mut left = MOST / 4 - older.iter().filter(|time| **time < newest_removed).count();
    map.retain(|_, value| match latest(value).cmp(&newest_removed) {
        Ordering::Less => false,
        Ordering::Equal if left > 0 => {
            left -= 1;
            false
        }
        Ordering::Equal | Ordering::Greater => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_map_loses_its_oldest_quarter() {
        let mut map: HashMap<usize, Duration> = HashMap::new();
        for number in 0..2 * MOST {
            make_room(&mut map, |latest| *latest);
            map.insert(number, Duration::from_micros(number as u64));
            assert!(map.len() <= MOST);
        }
        assert!(map.len() > MOST / 2, "{} keys", map.len());
        let oldest = map.keys().min().copied();
        assert_eq!(oldest, Some(2 * MOST - map.len()), "the newest stay");
    }

    #[test]
    fn keys_of_the_same_instant_are_not_all_removed() {
        let mut map: HashMap<usize, ()> = (0..MOST).map(|number| (number, ())).collect();
        make_room(&mut map, |()| Duration::ZERO);
        assert_eq!(map.len(), MOST * 3 / 4);
    }
}
