//! Reads a body: decode, parse, map. Also explains the result to operators.

use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::SourceErrorKind;

use super::decode::decode;
use super::error::PageError;
use super::map::map;
use super::parse::{Page, parse};

/// Reads the body of an answer with status 200; `None` = the page says that there is no such RUC.
///
/// # Errors
/// [`PageError`]: everything that is neither a complete record of `ruc` nor the complete known sentence about it.
pub fn read(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Result<Option<TaxpayerDetail>, PageError> {
    match parse(&decode(body, content_type)?)? {
        Page::Record(raw) => map(&raw, ruc).map(Some),
        Page::NotFound { ruc: named } if named == ruc.to_string() => Ok(None),
        Page::NotFound { .. } => Err(PageError::OtherRuc),
    }
}

/// The result of reading a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A complete record.
    Found,
    /// The known sentence that there is no such RUC.
    NotFound,
    /// A firewall's page or a captcha.
    Refused,
    /// Anything else.
    Unreadable,
}

impl Class {
    /// The class in one word, as in logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::Refused => "refused",
            Self::Unreadable => "unreadable",
        }
    }
}

/// The result of reading a body, and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What the body is read as.
    pub class: Class,
    /// The reason, in a sentence.
    pub reason: String,
    /// The record, if there is one.
    pub record: Option<TaxpayerDetail>,
}

/// Reads a body with [`read`] and gives the reason for the result in a sentence.
#[must_use]
pub fn explain(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Explanation {
    match read(body, content_type, ruc) {
        Ok(Some(record)) => Explanation {
            class: Class::Found,
            reason: "the page is whole and holds one result, which is about this RUC".to_owned(),
            record: Some(record),
        },
        Ok(None) => Explanation {
            class: Class::NotFound,
            reason: "the page is whole and says that this RUC is not valid".to_owned(),
            record: None,
        },
        Err(error) => {
            let class = if error.kind() == SourceErrorKind::Refused { Class::Refused } else { Class::Unreadable };
            Explanation { class, reason: error.to_string(), record: None }
        }
    }
}
