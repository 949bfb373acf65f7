//! The RUCs of the rows: unique, valid and unordered.
//!
//! The n-th taxpayer of a kind gets the n-th element of a permutation of that kind's numbers, so no memory of earlier
//! ones is needed.

use kuraka_domain::{Ruc, RucKind};

use super::random::{Part, Random, mix};

/// Both halves of a body have four digits.
const HALF: u32 = 10_000;

/// Rounds of the permutation; with fewer, neighbours look similar.
const ROUNDS: u64 = 4;

/// The RUCs of one kind, in the order of one seed.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    kind: RucKind,
    key: u64,
    /// First value, and number of values, of the body's upper four digits.
    upper: (u32, u32),
    given: u32,
}

impl Numbers {
    /// The RUCs of `kind`, from the first.
    pub(crate) const fn new(kind: RucKind, seed: u64) -> Self {
        // The bodies in use: a DNI begins with 0 to 7, a company's number with 1 to 6.
        let upper = match kind {
            RucKind::NaturalPerson => (0, 8_000),
            RucKind::LegalPerson => (1_000, 5_200),
            RucKind::Estate | RucKind::Special | RucKind::Foreigner => (0, HALF),
        };
        let key = Random::new(seed, kind.prefix() as u32, Part::Numbers).next();
        Self { kind, key, upper, given: 0 }
    }

    /// The next RUC; `None` after the last one.
    pub(crate) fn next(&mut self) -> Option<Ruc> {
        let (first, count) = self.upper;
        let (mut upper, mut lower) = (self.given / HALF, self.given % HALF);
        if upper >= count {
            return None;
        }
        self.given += 1;
        // Each half in turn is shifted by a hash of the other. This step can be undone, so no body comes twice.
        for round in 0..ROUNDS {
            let shift =
                |half: u32, bound: u32| (mix(self.key ^ (round << 32) ^ u64::from(half)) % u64::from(bound)) as u32;
            upper = (upper + shift(lower, count)) % count;
            lower = (lower + shift(upper, HALF)) % HALF;
        }
        Ruc::from_parts(self.kind, (first + upper) * HALF + lower).ok()
    }
}
