//! A search for companies by name, and a page of its results.

use alloc::string::String;
use alloc::vec::Vec;

use super::TaxpayerSummary;
use crate::name::{self, SearchMode};
use crate::{DomicileCondition, Ruc, TaxpayerStatus};

/// Only companies (prefix 20) are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// Folded, at least one.
    pub words: Vec<String>,
    /// How the words are compared.
    pub mode: SearchMode,
    /// `None` = any.
    pub status: Option<TaxpayerStatus>,
    /// `None` = any.
    pub condition: Option<DomicileCondition>,
    /// One of [`DEPARTMENTS`](crate::ubigeo::DEPARTMENTS); empty = without a district.
    pub department: Option<&'static str>,
    /// The most results that are returned.
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
    /// Orders taxpayers with the same name.
    pub ruc: Ruc,
}

/// Some results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// In order. An edition returns them without the flags of lists, a snapshot with them.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// `None` = no more results.
    pub next: Option<NamePosition>,
}

impl NamePosition {
    /// The place of this taxpayer.
    #[must_use]
    pub fn from_taxpayer(taxpayer: &TaxpayerSummary) -> Self {
        let is_active = taxpayer.status == TaxpayerStatus::Active;
        Self { is_active, name: name::folded(&taxpayer.name), ruc: taxpayer.ruc }
    }

    /// Ascends in the order of results.
    #[must_use]
    pub fn key(&self) -> (bool, &str, Ruc) {
        (!self.is_active, &self.name, self.ruc)
    }
}
