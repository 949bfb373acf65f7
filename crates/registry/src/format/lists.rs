//! The RUCs of the two lists, kept so that an import without a list can carry it over.
//!
//! Layout: for the withholding agents, then for the good taxpayers: a `u32` count and that many row ids (`u32`), rising.

use super::u32_at;

/// The row ids of both lists, rising and without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    pub(crate) withholding: Vec<u32>,
    pub(crate) good_taxpayers: Vec<u32>,
}

impl Lists {
    /// Reads the section; `None` if it is not two rising lists.
    pub(crate) fn decode(section: &[u8]) -> Option<Self> {
        let (withholding, rest) = decode_one(section)?;
        let (good_taxpayers, rest) = decode_one(rest)?;
        rest.is_empty().then_some(Self { withholding, good_taxpayers })
    }

    /// The section's bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for list in [&self.withholding, &self.good_taxpayers] {
            out.extend_from_slice(&(list.len() as u32).to_le_bytes());
            out.extend(list.iter().flat_map(|row_id| row_id.to_le_bytes()));
        }
        out
    }
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

    #[test]
    fn both_lists_read_back() {
        let lists = Lists { withholding: vec![1, 5, 9], good_taxpayers: vec![7] };
        assert_eq!(Lists::decode(&lists.encode()), Some(lists));
        assert_eq!(Lists::decode(&Lists::default().encode()), Some(Lists::default()));
    }

    #[test]
    fn unsorted_or_cut_lists_are_refused() {
        let falling = Lists { withholding: vec![5, 1], good_taxpayers: vec![] };
        assert_eq!(Lists::decode(&falling.encode()), None);
        let bytes = Lists { withholding: vec![1, 5], good_taxpayers: vec![3] }.encode();
        for length in 0..bytes.len() {
            assert_eq!(Lists::decode(&bytes[..length]), None, "length {length}");
        }
    }
}
