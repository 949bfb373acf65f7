//! The RUCs of the lists in an edition of the padrón, kept so that an import can carry over a list that has no edition
//! of its own.
//!
//! Layout: for each list, in the order of [`List::ALL`], a `u32` count and that many row ids (`u32`), ascending.

use std::collections::BTreeMap;

use super::u32_at;
use crate::List;

/// The row ids on each list, ascending and without repetition.
pub(crate) type Lists = BTreeMap<List, Vec<u32>>;

/// Reads the section; `None` if it does not consist of ascending lists.
pub(crate) fn decode(mut section: &[u8]) -> Option<Lists> {
    let mut lists = Lists::new();
    for list in List::ALL {
        let (row_ids, rest) = decode_one(section)?;
        lists.insert(list, row_ids);
        section = rest;
    }
    section.is_empty().then_some(lists)
}

/// The section's bytes.
pub(crate) fn encode(lists: &Lists) -> Vec<u8> {
    let mut out = Vec::new();
    for list in List::ALL {
        let row_ids = lists.get(&list).map(Vec::as_slice).unwrap_or_default();
        out.extend_from_slice(&(row_ids.len() as u32).to_le_bytes());
        out.extend(row_ids.iter().flat_map(|row_id| row_id.to_le_bytes()));
    }
    out
}

fn decode_one(bytes: &[u8]) -> Option<(Vec<u32>, &[u8])> {
    let length = (u32_at(bytes, 0)? as usize).checked_mul(4)?;
    let (row_ids, rest) = bytes.get(4..)?.split_at_checked(length)?;
    let row_ids: Vec<u32> = row_ids.chunks_exact(4).map(|row_id| u32_at(row_id, 0)).collect::<Option<_>>()?;
    row_ids.is_sorted_by(|a, b| a < b).then_some((row_ids, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(withholding: &[u32], good: &[u32]) -> Lists {
        Lists::from([(List::WITHHOLDING_AGENTS, withholding.to_vec()), (List::GOOD_TAXPAYERS, good.to_vec())])
    }

    #[test]
    fn every_list_reads_back() {
        let full = lists(&[1, 5, 9], &[7]);
        assert_eq!(encode(&full), [3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!(decode(&encode(&full)), Some(full));
        assert_eq!(decode(&encode(&Lists::new())), Some(lists(&[], &[])));
    }

    #[test]
    fn unsorted_or_cut_lists_are_refused() {
        assert_eq!(decode(&encode(&lists(&[5, 1], &[]))), None);
        let bytes = encode(&lists(&[1, 5], &[3]));
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "length {length}");
        }
    }
}
