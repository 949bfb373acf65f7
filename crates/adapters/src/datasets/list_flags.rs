//! The two flags of a summary, from the editions of their lists: a hash table of row ids, made once for a snapshot.
//!
//! Most taxpayers are on no list. A search looks at one cache line, and at another one only if that is full: at most
//! half of the table is used, so about one line in a hundred is.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, RETENCION};
use kuraka_registry::row_id_of;

/// Entries of a line: as many as a cache line has.
const LINE: usize = 16;
/// Bits of an entry for the flags. The others are the row id plus one, so that 0 is a free entry.
const FLAG_BITS: u32 = 2;
/// The bits of the flags.
const FLAGS: u32 = (1 << FLAG_BITS) - 1;
/// An odd constant without pattern: 2³² divided by the golden ratio.
const SPREAD: u32 = 0x9e37_79b1;

/// A list whose membership is a flag of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Flag {
    /// The agents of `retencion`.
    WithholdingAgent = 1,
    /// The taxpayers of `buenos_contribuyentes`.
    GoodTaxpayer = 2,
}

impl Flag {
    /// The flag of this dataset's members, if it is one of the lists.
    pub(super) fn of(dataset: &Dataset) -> Option<Self> {
        match dataset.name {
            name if name == RETENCION.name => Some(Self::WithholdingAgent),
            name if name == BUENOS_CONTRIBUYENTES.name => Some(Self::GoodTaxpayer),
            _ => None,
        }
    }
}

/// The taxpayers of a list.
pub(super) type Members = Arc<[Ruc]>;

/// The members of the flagged lists. A list without an edition has none: its flag is answered NO.
#[derive(Debug, Default)]
pub(super) struct ListFlags {
    lines: Box<[Line]>,
}

/// Entries that are searched together. They are filled from the first on.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([u32; LINE]);

impl ListFlags {
    /// The table of these lists and their members.
    pub(super) fn of(lists: &[(Flag, Members)]) -> Self {
        let members: usize = lists.iter().map(|(_, members)| members.len()).sum();
        let lines = (2 * members).div_ceil(LINE).max(1);
        let mut table = Self { lines: vec![Line::default(); lines].into() };
        for (flag, members) in lists {
            for ruc in &**members {
                table.insert(entry(*ruc), *flag);
            }
        }
        table
    }

    /// The flags of `ruc`.
    #[inline]
    pub(super) fn of_taxpayer(&self, ruc: Ruc) -> Flags {
        Flags(self.find(entry(ruc)) & FLAGS)
    }

    /// The entry with this row id and its flags; 0 = there is none.
    #[inline]
    fn find(&self, wanted: u32) -> u32 {
        let (before, after) = self.lines.split_at_checked(self.home(wanted)).unwrap_or_default();
        for Line(line) in after.iter().chain(before) {
            // All entries are compared, which takes fewer instructions than stopping at the right one.
            let found = line.iter().fold(0, |found, &entry| found | if entry & !FLAGS == wanted { entry } else { 0 });
            if found != 0 || line.last() == Some(&0) {
                return found;
            }
        }
        0
    }

    fn insert(&mut self, wanted: u32, flag: Flag) {
        let (before, after) = self.lines.split_at_mut(self.home(wanted));
        // Half of the table is free, so there is a place.
        let mut places = after.iter_mut().chain(before).flat_map(|Line(line)| line);
        if let Some(place) = places.find(|place| **place == 0 || **place & !FLAGS == wanted) {
            *place |= wanted | flag as u32;
        }
    }

    /// The line at which the search for an entry begins.
    #[inline]
    fn home(&self, entry: u32) -> usize {
        let hash = (entry >> FLAG_BITS).wrapping_mul(SPREAD);
        ((u64::from(hash) * self.lines.len() as u64) >> u32::BITS) as usize
    }
}

/// The flags of one taxpayer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags(u32);

impl Flags {
    /// Puts the flags into a record of the padrón.
    #[inline]
    pub(super) const fn put_into(self, summary: &mut TaxpayerSummary) {
        summary.withholding_agent = self.0 & Flag::WithholdingAgent as u32 != 0;
        summary.good_taxpayer = self.0 & Flag::GoodTaxpayer as u32 != 0;
    }
}

/// The entry of a taxpayer, without flags. A row id is below 2²⁹, so no bit is lost.
#[inline]
fn entry(ruc: Ruc) -> u32 {
    (row_id_of(ruc) + 1) << FLAG_BITS
}

#[cfg(test)]
mod tests {
    use kuraka_domain::RucKind;

    use super::*;

    /// Some taxpayers of a prefix, near each other as the companies of a year are.
    fn some(kind: RucKind, step: u32) -> Members {
        (0..10_000).map(|n| Ruc::from_parts(kind, 50_000_000 + n * step).unwrap()).collect()
    }

    #[test]
    fn each_member_has_its_flags_and_no_other_taxpayer_has_one() {
        let (agents, good) = (some(RucKind::LegalPerson, 3), some(RucKind::LegalPerson, 2));
        let table = ListFlags::of(&[(Flag::WithholdingAgent, agents.clone()), (Flag::GoodTaxpayer, good.clone())]);
        for ruc in [some(RucKind::LegalPerson, 1), some(RucKind::NaturalPerson, 6)].concat() {
            let expected = (agents.binary_search(&ruc).is_ok(), good.binary_search(&ruc).is_ok());
            let Flags(found) = table.of_taxpayer(ruc);
            assert_eq!((found & 1 != 0, found & 2 != 0), expected, "{ruc}");
        }
    }

    #[test]
    fn most_searches_look_at_one_line() {
        for step in [1, 2, 7, 16, 64, 1_000, 4_096] {
            let table = ListFlags::of(&[(Flag::GoodTaxpayer, some(RucKind::LegalPerson, step))]);
            let full = table.lines.iter().filter(|Line(line)| line.last() != Some(&0)).count();
            assert!(full * 50 < table.lines.len(), "step {step}: {full} of {} lines are full", table.lines.len());
        }
    }

    #[test]
    fn without_members_no_taxpayer_has_a_flag() {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, 1).unwrap();
        for lists in [&[][..], &[(Flag::GoodTaxpayer, Arc::default())]] {
            assert_eq!(ListFlags::of(lists).of_taxpayer(ruc).0, 0);
        }
    }
}
