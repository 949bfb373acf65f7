//! The limits of calls in progress: each operation's number, and the sources that its calls wait for.

use kuraka_app::{ConcurrencyLimit, Places};

use super::sources::Sources;
use crate::http::{CALLS, CallLimits, Endpoint, SourcesOf};

/// Test calls of one operation: few, because a sandbox that is slow on purpose keeps them long.
const TEST_CALLS: usize = 64;
/// Large answers to test calls of an account, and its calls of tools.
const TEST_PLACES: usize = 16;

pub(crate) fn test_limits(endpoints: &[Endpoint]) -> CallLimits {
    let calls = endpoints.iter().map(|endpoint| endpoint.calls).chain([CALLS]);
    CallLimits {
        concurrency: calls.map(|calls| ConcurrencyLimit::new(calls.min(TEST_CALLS))).collect(),
        places: Places::new(TEST_PLACES, 0),
    }
}

/// In the order of `endpoints`, with that of `/mcp` at the end.
pub(crate) fn concurrency_limits(
    endpoints: &[Endpoint],
    Sources { details, vouchers, .. }: &Sources,
) -> Vec<ConcurrencyLimit> {
    let limit_of = |endpoint: &Endpoint| {
        let limit = ConcurrencyLimit::new(endpoint.calls);
        match endpoint.sources {
            None => limit,
            Some(SourcesOf::Details) => {
                limit.for_sources(details.load.clone(), details.bounds.at_once, details.bounds.most)
            }
            Some(SourcesOf::Vouchers) => {
                limit.for_sources(vouchers.load.clone(), vouchers.bounds.at_once, vouchers.bounds.most)
            }
        }
    };
    endpoints.iter().map(limit_of).chain([ConcurrencyLimit::new(CALLS)]).collect()
}
