//! The two flags of a summary: a hash table of the row ids on their lists, built once for a snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use kuraka_domain::{DatasetRole, ListFlag, Ruc, TaxpayerSummary};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::row_id_of;

pub(super) const fn flag_of(dataset: &Dataset) -> Option<ListFlag> {
    if let DatasetRole::List(flag) = dataset.role { flag } else { None }
}

pub(super) type Members = Arc<[Ruc]>;

/// The members of the flagged lists.
#[derive(Debug, Default)]
pub(super) struct ListFlags {
    members: HashMap<u32, u8, FixedState>,
    /// The flags of the lists that are enabled.
    known: u8,
}

impl ListFlags {
    pub(super) fn from_lists(lists: &[(ListFlag, Members)]) -> Self {
        let mut flags = Self::default();
        for (flag, members) in lists {
            flags.known |= *flag as u8;
            for ruc in &**members {
                *flags.members.entry(row_id_of(*ruc)).or_default() |= *flag as u8;
            }
        }
        flags
    }

    #[inline]
    pub(super) fn flags(&self, ruc: Ruc) -> Flags {
        Flags { set: self.members.get(&row_id_of(ruc)).copied().unwrap_or_default(), known: self.known }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    set: u8,
    known: u8,
}

impl Flags {
    #[inline]
    pub(super) fn put_into(self, summary: &mut TaxpayerSummary) {
        let flag = |flag| (self.known & flag as u8 != 0).then_some(self.set & flag as u8 != 0);
        summary.withholding_agent = flag(ListFlag::WithholdingAgent);
        summary.good_taxpayer = flag(ListFlag::GoodTaxpayer);
    }
}
