//! Reads a page and explains the result to operators. Pure.

use kuraka_domain::{Ruc, TaxpayerDetail};

use super::error::{AnswerError, UnreadablePageError};
use super::map::map;
use super::parse::{Page, parse};
use crate::sources::Explanation;

/// Reads a body with status 200; `None` = there is no such RUC.
///
/// # Errors
/// [`AnswerError`]: neither a complete record of `ruc` nor the known sentence about it.
pub fn read(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Result<Option<TaxpayerDetail>, AnswerError> {
    match parse(body, content_type)? {
        Page::Record(raw) => Ok(Some(map(&raw, ruc)?)),
        Page::NotFound { ruc: named } if named == ruc.to_string() => Ok(None),
        Page::NotFound { .. } => Err(UnreadablePageError::OtherRuc.into()),
    }
}

/// Reads a body with [`read`] and explains the result.
pub fn explain(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Explanation<TaxpayerDetail> {
    match read(body, content_type, ruc) {
        Ok(Some(record)) => {
            Explanation::found(record, "the page is whole and holds one result, which is about this RUC")
        }
        Ok(None) => Explanation::not_found("the page is whole and says that this RUC is not valid"),
        Err(error) => Explanation::failed(error.kind(), error.to_string()),
    }
}
