//! What a search for companies asks for.

use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus};

/// A search for companies. They are found in this order: active ones first, then by folded name, then by RUC.
#[derive(Clone, Copy, Debug)]
pub struct NameSearch<'a> {
    /// Folded words.
    pub words: &'a [String],
    /// How they are compared.
    pub matching: SearchMode,
    /// Only companies with this status.
    pub status: Option<&'a TaxpayerStatus>,
    /// Only companies with this condition.
    pub condition: Option<&'a DomicileCondition>,
    /// Only companies of this department; empty = companies without a district.
    pub department: Option<&'a str>,
    /// The most companies that are returned.
    pub limit: usize,
    /// Only companies after this place in the order: whether it is of an active company, its folded name, its RUC.
    pub after: Option<(bool, &'a str, Ruc)>,
}
