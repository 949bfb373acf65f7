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
    /// Of what was read, `Ok(None)` being an absence. The texts are the reasons of a record and of an absence.
    pub(super) fn new(read: Result<Option<T>, (SourceErrorKind, String)>, found: &str, absent: &str) -> Self {
        let (class, reason, record) = match read {
            Ok(Some(record)) => ("found", found.to_owned(), Some(record)),
            Ok(None) => ("not_found", absent.to_owned(), None),
            Err((kind, reason)) => (kind.as_str(), reason, None),
        };
        Self { class, reason, record }
    }
}
