//! The provinces and districts of Peru, in INEI's numbering and spelling.

use std::sync::LazyLock;

/// The table of the districts: code, department, province and district, ascending by code.
const SOURCE: &str = include_str!("../../data/ubigeo_inei.csv");

/// A district of the table.
pub(super) struct District {
    /// The six digits of its code as a number.
    pub(super) code: u32,
    /// The name of its province.
    pub(super) province: &'static str,
    /// Its own name.
    pub(super) name: &'static str,
}

/// Every district, ascending by code. The first use reads the table.
pub(super) static DISTRICTS: LazyLock<Vec<District>> =
    LazyLock::new(|| SOURCE.lines().skip(1).filter_map(District::parse).collect());

impl District {
    fn parse(line: &'static str) -> Option<Self> {
        let (code, names) = line.split_once(',')?;
        let (_department, names) = names.split_once(',')?;
        let (province, name) = names.split_once(',')?;
        Some(Self { code: code.parse().ok()?, province, name })
    }
}
