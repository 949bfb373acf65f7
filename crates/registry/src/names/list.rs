//! Sets of documents, and the posting list of a term (`FORMAT.md`): gaps as varints, or a bit for each document where
//! that is not much longer.

use crate::format::varint;

/// How many times longer than its gaps a list may be as bits, which are read faster.
const BITS_PREFERRED: usize = 3;

/// A bit for each document of the index.
pub(crate) struct DocumentSet {
    documents: u32,
    words: Vec<u64>,
}

const fn bits_length(documents: u32) -> usize {
    documents.div_ceil(u64::BITS) as usize * size_of::<u64>()
}

/// The documents ascend and may repeat.
pub(super) fn encode(list: &[u32], documents: u32, out: &mut Vec<u8>) {
    let (start, mut next) = (out.len(), 0);
    for &document in list {
        // A repeated document is less than the next one.
        if let Some(gap) = document.checked_sub(next) {
            varint::push(out, gap);
            next = document + 1;
        }
    }
    if (out.len() - start) * BITS_PREFERRED >= bits_length(documents) {
        let mut set = DocumentSet::empty(documents);
        list.iter().for_each(|&document| set.insert(document));
        out.truncate(start);
        out.extend(set.words.iter().flat_map(|word| word.to_le_bytes()));
    }
}

impl DocumentSet {
    pub(super) fn empty(documents: u32) -> Self {
        Self { documents, words: vec![0; documents.div_ceil(u64::BITS) as usize] }
    }

    fn insert(&mut self, document: u32) {
        if let Some(word) = self.words.get_mut((document / u64::BITS) as usize) {
            *word |= 1 << (document % u64::BITS);
        }
    }

    /// `None` if the list is damaged.
    pub(super) fn add(&mut self, mut list: &[u8]) -> Option<()> {
        if list.len() == bits_length(self.documents) {
            let words = list.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            self.words.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
            return Some(());
        }
        let mut next = 0_u32;
        while !list.is_empty() {
            let document = next.checked_add(varint::take(&mut list)?).filter(|&document| document < self.documents)?;
            self.insert(document);
            next = document + 1;
        }
        Some(())
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(crate) fn first_from(&self, from: u32) -> Option<u32> {
        let (first, rest) = self.words.get((from / u64::BITS) as usize..)?.split_first()?;
        let mut words = (from / u64::BITS..)
            .zip(std::iter::once(first & (u64::MAX << (from % u64::BITS))).chain(rest.iter().copied()));
        let (number, word) = words.find(|(_, word)| *word != 0)?;
        Some(number * u64::BITS + word.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DOCUMENTS: u32 = 150_000;

    fn documents(set: &DocumentSet) -> Vec<u32> {
        let next = |from: u32| set.first_from(from);
        std::iter::successors(next(0), |&document| next(document + 1)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn lists_of_any_density_read_back(
            lists in proptest::collection::vec((1..2_000_u32, 1..300_u32, 0..DOCUMENTS, 0..DOCUMENTS), 1..4)
        ) {
            // Runs of some length, some documents apart, in a range; the first document twice.
            let list = |&(gap, run, a, b): &(u32, u32, u32, u32)| {
                let list = (a.min(b)..a.max(b)).filter(|document| document % (gap + run) < run);
                list.clone().take(1).chain(list).collect::<Vec<_>>()
            };
            let lists: Vec<Vec<u32>> = lists.iter().map(list).collect();
            let mut expected = lists.concat();
            expected.sort_unstable();
            expected.dedup();
            let mut set = DocumentSet::empty(DOCUMENTS);
            for list in &lists {
                let mut bytes = Vec::new();
                encode(list, DOCUMENTS, &mut bytes);
                prop_assert_eq!(set.add(&bytes), Some(()));
            }
            prop_assert!(documents(&set) == expected);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), count in 0..3_000_u32) {
            let mut set = DocumentSet::empty(count);
            let is_read = set.add(&bytes).is_some();
            prop_assert!(bytes.len() == bits_length(count) || !is_read || documents(&set).iter().all(|&document| document < count));
        }
    }

    #[test]
    fn sets_of_documents_have_those_in_common() {
        let set = |list: &[u32]| {
            let mut set = DocumentSet::empty(300);
            list.iter().for_each(|&document| set.insert(document));
            set
        };
        let mut common = set(&[0, 63, 64, 199, 299]);
        common.intersect(&set(&[63, 199, 200, 299]));
        assert_eq!(documents(&common), [63, 199, 299]);
        common.intersect(&set(&[]));
        assert_eq!((documents(&common), common.first_from(300), common.first_from(9_999)), (vec![], None, None));
    }
}
