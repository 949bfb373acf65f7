//! How busy sources are.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceLoad {
    /// Callers that wait for an answer, also of the same request.
    pub callers: usize,
    /// In progress or waiting for a free connection.
    pub requests: usize,
}
