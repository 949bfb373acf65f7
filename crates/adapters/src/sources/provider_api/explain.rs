//! Explains to operators how a saved answer is read.

use kuraka_domain::{Ruc, TaxpayerDetail};

use super::parse;
use super::spec::ProviderSpec;

/// The result of reading an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// `found`, `not_found`, or the kind of failure in one word.
    pub class: &'static str,
    /// The reason, in a sentence.
    pub reason: String,
    /// The record, if there is one.
    pub record: Option<TaxpayerDetail>,
}

/// Reads a saved answer about `ruc` in the same way as the source does.
#[must_use]
pub fn explain(spec: &ProviderSpec, body: &[u8], status: u16, ruc: Ruc) -> Explanation {
    let (class, reason, record) = match parse::read(spec, status, body, ruc) {
        Ok(Some(record)) => {
            ("found", "the answer holds a whole record, which is about this RUC".to_owned(), Some(record))
        }
        Ok(None) => ("not_found", "a rule of the provider's file says that there is no such taxpayer".to_owned(), None),
        Err(failure) => (failure.kind(None).as_str(), failure.to_string(), None),
    };
    Explanation { class, reason, record }
}
