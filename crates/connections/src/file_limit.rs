//! The number of files that the process may open, which bounds its connections.

/// Assumed if the limit is unknown.
const UNKNOWN: u64 = 1_024;
/// At least kept for files, outbound requests, and accepted connections that are not counted yet.
const RESERVED_FILES: u64 = 128;
/// Connections that are always allowed.
const MIN_CONNECTIONS: u64 = 16;

/// Raises the soft limit of open files to the hard limit, and returns the connections of all listeners together. A
/// third of the files is kept for everything else.
pub fn connections_in_file_limit() -> usize {
    let files = raise();
    usize::try_from(files.saturating_sub((files / 3).max(RESERVED_FILES)).max(MIN_CONNECTIONS)).unwrap_or(usize::MAX)
}

fn raise() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // No limit counts as a high one.
    let most = maximum.unwrap_or(u64::MAX);
    if current == maximum {
        return most;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => most,
        Err(_) => current.unwrap_or(UNKNOWN),
    }
}
