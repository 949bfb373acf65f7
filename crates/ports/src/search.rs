//! A search for companies by name: what is asked for, and a page of results.

use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary};

/// How the words of a query are compared with the words of a name. Both are folded by [`kuraka_domain::name`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchMode {
    /// Every word is the beginning of a word of the name, in any order. Two words of the query may match the same word.
    #[default]
    Words,
    /// The name's words, joined by blanks, begin with the query's words, joined by blanks.
    Prefix,
    /// Every word is inside a word of the name.
    Contains,
}

impl SearchMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Words, Self::Prefix, Self::Contains];

    /// The name that callers send.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "palabras",
            Self::Prefix => "comienzo",
            Self::Contains => "contiene",
        }
    }
}

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

/// A place in the order of results: active taxpayers first, then by folded name, then by RUC. It names a taxpayer and no
/// number of a row, so it keeps its meaning in another edition, also in one without that taxpayer.
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
    /// Where the next page begins: the position of the last result; `None` if there are no more results.
    pub next: Option<NamePosition>,
}

impl NamePosition {
    /// The position of a taxpayer.
    #[must_use]
    pub fn of(taxpayer: &TaxpayerSummary) -> Self {
        let is_active = taxpayer.status == TaxpayerStatus::Active;
        Self { is_active, name: kuraka_domain::name::folded(&taxpayer.name), ruc: taxpayer.ruc }
    }

    /// Its sort key: positions are in the order of their keys.
    #[must_use]
    pub fn key(&self) -> (bool, &str, Ruc) {
        (!self.is_active, &self.name, self.ruc)
    }
}
