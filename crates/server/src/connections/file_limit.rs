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

/// The connections that fit into a limit of files: two thirds of it. The rest is for the store, the registry, requests to
/// sources, the admin listener, and connections that are accepted and not yet counted.
pub(super) fn connections_within(files: u64) -> usize {
    usize::try_from(files / 3 * 2).unwrap_or(usize::MAX)
}
