//! A search for companies by name, and a page of its results.

use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary};

/// A search by name. Only companies (prefix 20) are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// Folded words, at least one.
    pub words: Vec<String>,
    /// How they are compared.
    pub mode: SearchMode,
    /// Only taxpayers with this status.
    pub status: Option<TaxpayerStatus>,
    /// Only taxpayers with this condition.
    pub condition: Option<DomicileCondition>,
    /// Only taxpayers of this department, one of [`kuraka_domain::ubigeo::DEPARTMENTS`].
    pub department: Option<&'static str>,
    /// The most results of a page.
    pub limit: usize,
    /// Only results after this position; `None` = from the first.
    pub after: Option<NamePosition>,
}

/// A place in the order of results: active taxpayers first, then by folded name, then by RUC. It names a taxpayer and
/// not a row, so it stays valid in another edition, also in one without that taxpayer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePosition {
    /// Whether the taxpayer's status is [`TaxpayerStatus::Active`].
    pub is_active: bool,
    /// The taxpayer's folded name.
    pub name: String,
    /// The taxpayer.
    pub ruc: Ruc,
}

/// A page of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// The taxpayers, in order, with their flags.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// Where the next page begins; `None` = no more results.
    pub next: Option<NamePosition>,
}

impl NamePosition {
    /// The position of a taxpayer.
    #[must_use]
    pub fn from_taxpayer(taxpayer: &TaxpayerSummary) -> Self {
        let is_active = taxpayer.status == TaxpayerStatus::Active;
        Self { is_active, name: kuraka_domain::name::folded(&taxpayer.name), ruc: taxpayer.ruc }
    }

    /// The sort key.
    #[must_use]
    pub fn key(&self) -> (bool, &str, Ruc) {
        (!self.is_active, &self.name, self.ruc)
    }
}
