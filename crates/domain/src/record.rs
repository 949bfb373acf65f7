//! The records that lookups return. An absent text is empty and an absent date `None`; repeated blanks are folded.

mod detail;
mod on_day;
mod profile;
mod search;

use alloc::string::String;

pub use self::detail::{ActivityRank, EconomicActivity, ElectronicIssuing, TaxpayerDetail};
pub use self::on_day::{ListedTaxpayer, OnDay, TaxpayerOnDay};
pub use self::profile::*;
pub use self::search::{NamePage, NamePosition, NameQuery};
use crate::{DomicileCondition, Ruc, TaxpayerStatus, Ubigeo};

/// Where an edition of a dataset comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum EditionOrigin {
    /// From published files.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

/// One taxpayer in the published registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerSummary {
    /// The taxpayer's number.
    pub ruc: Ruc,
    /// Name of the person or company.
    pub name: String,
    /// Status of the registration.
    pub status: TaxpayerStatus,
    /// Condition of the domicile.
    pub condition: DomicileCondition,
    /// In one line, in SUNAT's order of parts; empty for natural persons.
    pub address: String,
    /// `None` where the registry does not publish it.
    pub ubigeo: Option<Ubigeo>,
    /// Whether the taxpayer is on the list of withholding agents; `None` = the list is not used, or was not asked.
    pub withholding_agent: Option<bool>,
    /// Whether the taxpayer is on the list of good taxpayers; `None` = the list is not used, or was not asked.
    pub good_taxpayer: Option<bool>,
}

impl TaxpayerSummary {
    /// Without texts, to be filled.
    #[must_use]
    pub fn empty(ruc: Ruc) -> Self {
        Self {
            ruc,
            name: String::new(),
            status: TaxpayerStatus::from_text(""),
            condition: DomicileCondition::from_text(""),
            address: String::new(),
            ubigeo: None,
            withholding_agent: None,
            good_taxpayer: None,
        }
    }

    /// Empty without a district.
    #[must_use]
    pub fn department(&self) -> &'static str {
        self.ubigeo.map_or("", Ubigeo::department)
    }

    /// The address with district, province and department, as in
    /// [`TaxpayerDetail::full_address`](crate::TaxpayerDetail::full_address); empty for natural persons.
    #[cfg(feature = "districts")]
    #[must_use]
    pub fn full_address(&self) -> String {
        match self.ubigeo {
            _ if self.ruc.is_personal() => String::new(),
            Some(ubigeo) => ubigeo.full_address(&self.address),
            None => self.address.clone(),
        }
    }
}
