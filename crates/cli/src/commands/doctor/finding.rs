//! A check's result.

use serde::Serialize;

/// The number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    Good = 0,
    Warning = 1,
    Error = 2,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) check: String,
    pub(super) severity: Severity,
    pub(super) detail: String,
    /// What to do, if anything.
    pub(super) advice: Option<&'static str>,
}

impl Finding {
    pub(super) fn good(check: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { check: check.into(), severity: Severity::Good, detail: detail.into(), advice: None }
    }

    pub(super) fn warning(check: impl Into<String>, detail: impl Into<String>, advice: &'static str) -> Self {
        Self { severity: Severity::Warning, advice: Some(advice), ..Self::good(check, detail) }
    }

    pub(super) fn error(check: impl Into<String>, detail: impl Into<String>, advice: &'static str) -> Self {
        Self { severity: Severity::Error, ..Self::warning(check, detail, advice) }
    }
}
