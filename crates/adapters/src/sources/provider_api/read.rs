//! Reads an answer: parse and map. Also explains the result to operators. Pure.

use kuraka_domain::{Ruc, TaxpayerDetail};

use super::error::AnswerError;
use super::map::map;
use super::parse::{Answer, parse};
use super::spec::ProviderSpec;
use crate::sources::Explanation;

/// `None` = there is no such taxpayer.
pub(super) fn read(spec: &ProviderSpec, answer: Answer<'_>) -> Result<Option<TaxpayerDetail>, AnswerError> {
    Ok(match parse(spec, answer)? {
        Some(raw) => Some(map(&raw, answer.ruc)?),
        None => None,
    })
}

pub fn explain(spec: &ProviderSpec, body: &[u8], status: u16, ruc: Ruc) -> Explanation<TaxpayerDetail> {
    match read(spec, Answer { status, retry_after: None, body, ruc }) {
        Ok(Some(record)) => Explanation::found(record, "the answer holds a whole record, which is about this RUC"),
        Ok(None) => Explanation::not_found("a rule of the provider's file says that there is no such taxpayer"),
        Err(error) => Explanation::failed(error.kind(), error.to_string()),
    }
}
