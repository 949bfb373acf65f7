//! What the official datasets state about a taxpayer.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{Date, EconomicActivity, TaxpayerSummary, Ubigeo};

/// A dataset's role in answers about a taxpayer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetRole {
    /// The padrón: [`TaxpayerProfile::summary`], and whether a taxpayer exists.
    Summary,
    /// [`TaxpayerProfile::lists`], and a flag of the summary.
    List(Option<ListFlag>),
    /// [`TaxpayerProfile::annexes`].
    Annexes,
    /// [`TaxpayerProfile::open_data`].
    OpenData,
    /// [`TaxpayerProfile::operating_incapacity`].
    Capacity,
    /// [`TaxpayerProfile::sanctions`].
    Sanctions,
    /// About no taxpayer.
    ExchangeRate,
}

/// The flag of a summary that a list decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ListFlag {
    /// [`TaxpayerSummary::withholding_agent`].
    WithholdingAgent = 1,
    /// [`TaxpayerSummary::good_taxpayer`].
    GoodTaxpayer = 2,
}

/// A taxpayer in one snapshot of all published files. `None` = not requested, or the file is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerProfile {
    /// The taxpayer's row in the padrón.
    pub summary: TaxpayerSummary,
    /// In the datasets' order; `None` if no list is available.
    pub lists: Option<Vec<ListMembership>>,
    /// The number of annex premises.
    pub annex_count: Option<usize>,
    /// In the file's order.
    pub annexes: Option<Vec<AnnexPremises>>,
    /// `Some(None)` = the taxpayer is not there.
    pub open_data: Option<Option<Box<OpenData>>>,
    /// `Some(None)` = there is none.
    pub operating_incapacity: Option<Option<OperatingIncapacity>>,
    /// In the file's order.
    pub sanctions: Option<Vec<Sanction>>,
}

impl TaxpayerProfile {
    /// A profile with only a summary.
    #[must_use]
    pub const fn from_summary(summary: TaxpayerSummary) -> Self {
        Self {
            summary,
            lists: None,
            annex_count: None,
            annexes: None,
            open_data: None,
            operating_incapacity: None,
            sanctions: None,
        }
    }
}

/// A taxpayer's entry in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListMembership {
    /// Such as `retencion`.
    pub dataset: &'static str,
    /// For people.
    pub title: &'static str,
    /// From when on the taxpayer is on the list.
    pub since: Option<Date>,
    /// Empty if the file has none.
    pub resolution: String,
}

/// A taxpayer in the monthly open data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenData {
    /// The first day of the month of publication.
    pub month: Date,
    /// Upper case, without accents, such as `SOCIEDAD ANONIMA`.
    pub taxpayer_type: String,
    /// As published, without code: the principal one of revision 4, else of revision 3, then the secondary one. Any may
    /// be missing.
    pub activities: Vec<EconomicActivity>,
    /// Number of workers.
    pub workers: Option<u32>,
    /// How the taxpayer issues vouchers.
    pub issuing_system: String,
    /// How the taxpayer keeps its books.
    pub accounting_system: String,
    /// Foreign trade.
    pub foreign_trade: String,
}

/// The resolution that declares a taxpayer without operating capacity (sujeto sin capacidad operativa).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatingIncapacity {
    /// Its number; empty if the file has none.
    pub resolution: String,
    /// The day of the resolution.
    pub resolved: Option<Date>,
    /// From when on it is final, and new vouchers give no tax credit.
    pub final_since: Option<Date>,
}

/// A sanction of the procurement authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanction {
    /// Its first day.
    pub since: Date,
    /// `None` = it is definitive.
    pub until: Option<Date>,
    /// As published.
    pub reason: String,
}

/// Local anexo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnexPremises {
    /// In one line, in SUNAT's order of parts.
    pub address: String,
    /// Its district.
    pub ubigeo: Option<Ubigeo>,
}

#[cfg(feature = "districts")]
impl AnnexPremises {
    /// The address with district, province and department, as in
    /// [`TaxpayerDetail::full_address`](crate::TaxpayerDetail::full_address).
    #[must_use]
    pub fn full_address(&self) -> String {
        self.ubigeo.map_or_else(|| self.address.clone(), |ubigeo| ubigeo.full_address(&self.address))
    }
}
