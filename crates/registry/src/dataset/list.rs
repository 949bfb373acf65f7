//! The lists whose members are flagged in the padrón's records.
//!
//! Each is a dataset of its own. The flags are for servers that have no edition of it: replicas, and older versions.
//! A new list is only a dataset and needs no flag. Bits 1 and 2 are lists, bit 4 says that the record has an address.

use super::buenos_contribuyentes::BUENOS_CONTRIBUYENTES;
use super::description::Dataset;
use super::retencion::RETENCION;

/// A list in the padrón's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct List {
    /// Its bit in the first byte of a record. Lists are stored in the order of their bits.
    pub(crate) flag: u8,
    /// Its key in an edition's metadata, in the settings (`registry.<code>_url`) and in the names of downloads.
    pub code: &'static str,
    /// The taxpayers on it, as messages call them.
    pub title: &'static str,
}

impl List {
    /// Agents that withhold part of the VAT of their suppliers (agentes de retención).
    pub const WITHHOLDING_AGENTS: Self = Self { flag: 1, code: "withholding", title: "withholding agents" };
    /// Good taxpayers (buenos contribuyentes).
    pub const GOOD_TAXPAYERS: Self = Self { flag: 2, code: "good_taxpayers", title: "good taxpayers" };

    /// Both lists, in stored order.
    pub const ALL: [Self; 2] = [Self::WITHHOLDING_AGENTS, Self::GOOD_TAXPAYERS];

    /// The bits of both lists.
    pub(crate) const FLAGS: u8 = Self::WITHHOLDING_AGENTS.flag | Self::GOOD_TAXPAYERS.flag;

    /// The list's dataset.
    #[must_use]
    pub fn dataset(self) -> &'static Dataset {
        if self == Self::GOOD_TAXPAYERS { &BUENOS_CONTRIBUYENTES } else { &RETENCION }
    }
}
