//! Whether a publication changed anything.

/// How a publication ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishResult {
    /// A new edition is current.
    Published,
    /// The files are those of the current edition; nothing was written.
    Unchanged,
}
