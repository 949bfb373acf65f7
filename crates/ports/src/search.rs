//! A search for companies by name, and a page of its results.

use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary};

/// Only companies (prefix 20) are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// Folded, at least one.
    pub words: Vec<String>,
    /// How they are compared.
    pub mode: SearchMode,
    /// Only taxpayers with this status.
    pub status: Option<TaxpayerStatus>,
    /// Only taxpayers with this condition.
    pub condition: Option<DomicileCondition>,
    /// One of [`kuraka_domain::ubigeo::DEPARTMENTS`].
    pub department: Option<&'static str>,
    /// The most results of a page.
    pub limit: usize,
    /// Only later results; `None` = from the first.
    pub after: Option<NamePosition>,
}

/// A place in the order of results: active taxpayers first, then by folded name, then by RUC. It names a taxpayer, so
/// it stays valid in other editions, even without that taxpayer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePosition {
    /// Whether the taxpayer's status is [`TaxpayerStatus::Active`].
    pub is_active: bool,
    /// Folded.
    pub name: String,
    /// The taxpayer.
    pub ruc: Ruc,
}

/// A page of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// In order, with their flags.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// `None` = no more results.
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
