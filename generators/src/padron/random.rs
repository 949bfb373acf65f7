//! Reproducible randomness: integers only, without a library that may change its stream.
//!
//! Every part of every row has its own stream, so that drawing one part again does not change the others.

/// The part of a row that a stream decides.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The order of the RUCs.
    Numbers = 1,
    /// Kind of taxpayer.
    Identity = 2,
    /// Name and its quirks.
    Name = 3,
    /// Status and condition.
    Status = 4,
    /// Address.
    Address = 5,
    /// Whether and how the row differs in the next edition.
    Change = 7,
    /// Row of the open data.
    OpenData = 8,
    /// Annex premises.
    Annexes = 9,
    /// Entry of a list.
    ListEntry = 10,
    /// Sanction.
    Sanction = 11,
    /// Subject without operating capacity.
    Incapacity = 12,
}

/// A SplitMix64 stream.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of this part of this row.
    pub(crate) const fn new(seed: u64, row: u32, part: Part) -> Self {
        Self(mix(mix(seed ^ ((part as u64) << 56)) ^ row as u64))
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub(crate) const fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * bound as u64) >> 32) as u32
    }

    /// True once in `times` on average; always if `times` is 0 or 1.
    pub(crate) const fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of `items`, each as likely as its weight; an empty text if there are none.
    pub(crate) fn weighted(&mut self, items: &[(u32, &'static str)]) -> &'static str {
        let mut left = self.below(total(items));
        for &(weight, item) in items {
            if left < weight {
                return item;
            }
            left -= weight;
        }
        ""
    }

    /// A rank from 0, rarer as it grows, a little more steeply than Zipf's law has it. The first `first` ranks are an
    /// octave, the next twice as many another, and so on up to `octaves`; octave k has a weight of
    /// 2 × (`octaves` - k) - 1, shared evenly by its ranks.
    pub(crate) fn rank(&mut self, first: u32, octaves: u32) -> u32 {
        let octave = self.below(octaves).min(self.below(octaves));
        ((1 << octave) - 1) * first + self.below(first << octave)
    }
}

/// The sum of the weights.
pub(crate) const fn total(items: &[(u32, &str)]) -> u32 {
    let (mut left, mut sum) = (items, 0);
    while let [(weight, _), rest @ ..] = left {
        sum += *weight;
        left = rest;
    }
    sum
}

/// A bijection of 64 bits that leaves no trace of the input's order (the finaliser of SplitMix64).
pub(crate) const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
