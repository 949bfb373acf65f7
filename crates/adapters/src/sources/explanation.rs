//! How a source reads a saved answer, in words for operators.

use kuraka_ports::SourceErrorKind;

/// How an answer is read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<T> {
    /// `found`, `not_found`, or the kind of failure.
    pub class: &'static str,
    pub reason: String,
    /// What the answer says, if it says anything.
    pub record: Option<T>,
}

impl<T> Explanation<T> {
    pub(super) fn found(record: T, reason: &str) -> Self {
        Self { class: "found", reason: reason.to_owned(), record: Some(record) }
    }

    pub(super) fn not_found(reason: &str) -> Self {
        Self { class: "not_found", reason: reason.to_owned(), record: None }
    }

    pub(super) fn failed(kind: SourceErrorKind, reason: String) -> Self {
        Self { class: kind.as_str(), reason, record: None }
    }
}
