//! The number of files that the process may open, which bounds its connections.

/// Assumed where the limit is not known.
const UNKNOWN: u64 = 1_024;
/// Files that are kept for everything else, such as files, outbound requests, and connections that are accepted and not
/// yet counted: at least this many.
const KEPT: u64 = 128;
/// Connections that are allowed with any limit.
const LEAST: u64 = 16;

/// Raises the process's soft limit of open files to the hard limit, and returns how many connections all listeners
/// together may have. A third of the files is kept for everything else.
#[must_use]
pub fn connections_in_file_limit() -> usize {
    let files = raise();
    usize::try_from(files.saturating_sub((files / 3).max(KEPT)).max(LEAST)).unwrap_or(usize::MAX)
}

/// Raises the soft limit to the hard limit, and returns it.
#[cfg(unix)]
fn raise() -> u64 {
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
fn raise() -> u64 {
    UNKNOWN
}
