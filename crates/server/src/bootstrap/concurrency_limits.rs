//! The limits of calls in progress: each operation's number, and the sources that its calls wait for.

use kuraka_app::ConcurrencyLimit;

use super::sources::Sources;
use crate::http::{CALLS, Endpoint, SourcesOf};

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
