//! How busy sources are.

/// The work of sources at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceLoad {
    /// Callers that wait for an answer, possibly of the same request.
    pub callers: usize,
    /// Requests in progress, including those that wait for a free connection.
    pub requests: usize,
}
