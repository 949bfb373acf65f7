//! A search for companies by name, and a page of its results.

use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary};

/// Only companies (prefix 20) are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// Folded, at least one.
    pub words: Vec<String>,
    pub mode: SearchMode,
    pub status: Option<TaxpayerStatus>,
    pub condition: Option<DomicileCondition>,
    /// One of [`kuraka_domain::ubigeo::DEPARTMENTS`].
    pub department: Option<&'static str>,
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
    pub ruc: Ruc,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// In order, with their flags.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// `None` = no more results.
    pub next: Option<NamePosition>,
}

impl NamePosition {
    pub fn from_taxpayer(taxpayer: &TaxpayerSummary) -> Self {
        let is_active = taxpayer.status == TaxpayerStatus::Active;
        Self { is_active, name: kuraka_domain::name::folded(&taxpayer.name), ruc: taxpayer.ruc }
    }

    pub fn key(&self) -> (bool, &str, Ruc) {
        (!self.is_active, &self.name, self.ruc)
    }
}
