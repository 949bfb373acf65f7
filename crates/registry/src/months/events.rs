//! The months of one company as bytes (`FORMAT.md`): each month that differs from the previous known month, and its
//! value.

use crate::format::varint::{push, take};

/// A month, and the value from it on.
pub(super) type Event = (u32, u32);

/// Oldest first; `None` if the bytes are no events.
pub(super) fn decode(mut bytes: &[u8]) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        events.push((take(&mut bytes)?, take(&mut bytes)?));
    }
    events.is_sorted_by(|one: &Event, next| one.0 < next.0).then_some(events)
}

pub(super) fn encode(events: &[Event], out: &mut Vec<u8>) {
    events.iter().flat_map(|(month, value)| [month, value]).for_each(|number| push(out, *number));
}

/// Sets a month's value, or without a `value` that of the month before it. `next` is the known month after `month`.
pub(super) fn set(events: &mut Vec<Event>, month: u32, next: Option<u32>, value: Option<u32>) {
    let at = |month| events.iter().rev().find(|(from, _)| *from <= month).map_or(0, |(_, value)| *value);
    let before = month.checked_sub(1).map_or(0, at);
    let value = value.unwrap_or(before);
    let after = next.map(|next| (next, at(next)));
    events.retain(|(known, _)| *known != month && Some(*known) != next);
    let place = events.partition_point(|(known, _)| *known < month);
    let changes = [Some((month, value)).filter(|_| value != before), after.filter(|(_, after)| *after != value)];
    events.splice(place..place, changes.into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_in_any_order_give_the_same_events() {
        let values = [0, 3, 3, 0, 2, 2, 2, 3, 0, 0, 1];
        let mut seed = 7_u64;
        for _ in 0..2_000 {
            let mut order: Vec<usize> = (0..values.len()).collect();
            for at in (1..order.len()).rev() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                order.swap(at, (seed >> 33) as usize % (at + 1));
            }
            let (mut events, mut known) = (Vec::new(), Vec::<usize>::new());
            for &month in &order {
                let next = known.iter().filter(|known| **known > month).min().map(|&next| next as u32);
                // A month that was read before is read again, with another value at first.
                set(&mut events, month as u32, next, Some(9));
                set(&mut events, month as u32, next, Some(values[month]));
                known.push(month);
                known.sort_unstable();
                let mut expected = Vec::new();
                let mut last = 0;
                for &known in &known {
                    if values[known] != last {
                        last = values[known];
                        expected.push((known as u32, last));
                    }
                }
                assert_eq!(events, expected, "{order:?}");
                let mut bytes = Vec::new();
                encode(&events, &mut bytes);
                assert_eq!(decode(&bytes).unwrap(), events);
            }
        }
    }

    #[test]
    fn bytes_that_are_no_events_are_refused() {
        for bytes in [&[1_u8][..], &[1, 2, 1, 3], &[0x80], &[0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1, 1]] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
