//! The number of files that the process may open, which bounds its connections.

/// Assumed where the limit is not known.
const UNKNOWN: u64 = 1_024;

/// Raises the soft limit to the hard limit, and returns it.
#[cfg(unix)]
pub(crate) fn raise() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // No limit is as good as a high one.
    let most = maximum.unwrap_or(u64::MAX);
    if current == maximum {
        return most;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => most,
        Err(_) => current.unwrap_or(UNKNOWN),
    }
}

#[cfg(not(unix))]
pub(crate) fn raise() -> u64 {
    UNKNOWN
}

/// Files that are kept for the store, the registry, requests to sources, and connections that are accepted and not yet
/// counted: at least this many.
const KEPT: u64 = 128;
/// Connections that are allowed with any limit.
const LEAST: u64 = 16;

/// The connections of all listeners that fit into a limit of files. A third of it is kept for everything else.
pub(crate) fn connections_within(files: u64) -> usize {
    usize::try_from(files.saturating_sub((files / 3).max(KEPT)).max(LEAST)).unwrap_or(usize::MAX)
}
