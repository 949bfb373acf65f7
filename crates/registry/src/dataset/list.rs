//! The lists of taxpayers that SUNAT publishes in addition to the padrón.
//!
//! To add a list, add a constant and put it into [`List::ALL`]. The server has its address and its command option.
//!
//! Bits 1 and 2 are lists, bit 4 says that the record has an address; 8, 16, 32, 64 and 128 are free. A server without
//! the new list refuses an edition that has it, so upgrade the servers that fetch editions before the one that builds.

/// A published list of taxpayers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct List {
    /// Its bit in the first byte of a record. Lists are stored in the order of their bits.
    pub(crate) flag: u8,
    /// Its key in an edition's metadata, in the settings (`registry.<code>_url`) and in the names of downloads.
    pub code: &'static str,
    /// The taxpayers on it, as messages call them.
    pub title: &'static str,
}

/// The first line of every list.
pub(crate) const HEADER: &[u8] = b"Ruc|Nombre/Razon|A partir del|Resolucion|";

impl List {
    /// Agents that withhold part of the VAT of their suppliers (agentes de retención).
    pub const WITHHOLDING_AGENTS: Self = Self { flag: 1, code: "withholding", title: "withholding agents" };
    /// Good taxpayers (buenos contribuyentes).
    pub const GOOD_TAXPAYERS: Self = Self { flag: 2, code: "good_taxpayers", title: "good taxpayers" };

    /// Every list, in stored order. A new one goes to the end and takes the lowest free bit.
    pub const ALL: [Self; 2] = [Self::WITHHOLDING_AGENTS, Self::GOOD_TAXPAYERS];

    /// The bits of all lists.
    pub(crate) const FLAGS: u8 = flags(&Self::ALL);
}

const fn flags(mut lists: &[List]) -> u8 {
    let mut flags = 0;
    while let [list, rest @ ..] = lists {
        assert!(list.flag.is_power_of_two() && list.flag > flags, "each list has one bit, in the order of the lists");
        flags |= list.flag;
        lists = rest;
    }
    flags
}
