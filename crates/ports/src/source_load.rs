//! How busy sources are.

/// The work of sources at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceLoad {
    /// Callers that wait for an answer. Several may share one request.
    pub callers: usize,
    /// Requests in progress, including those that wait for a free connection to a source.
    pub requests: usize,
}
