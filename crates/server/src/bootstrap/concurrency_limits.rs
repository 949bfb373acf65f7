//! Builds the limits of calls in progress: for each operation the number in the table or in the settings, and the
//! sources that its calls wait for.

use std::collections::BTreeMap;

use kuraka_app::ConcurrencyLimit;
use thiserror::Error;

use super::sources::Sources;
use crate::http::{Endpoint, SourcesOf};

/// A setting `calls.<operation>` names no operation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no setting calls.{name}: the operations are {known}")]
pub struct UnknownOperation {
    name: String,
    known: String,
}

/// The first of these settings that names no operation.
#[must_use]
pub fn unknown_operation(calls: &BTreeMap<String, usize>, endpoints: &[Endpoint]) -> Option<UnknownOperation> {
    let is_known = |name: &&String| endpoints.iter().any(|endpoint| endpoint.operation.name == **name);
    let name = calls.keys().find(|name| !is_known(name))?.clone();
    let known: Vec<_> = endpoints.iter().map(|endpoint| endpoint.operation.name).collect();
    Some(UnknownOperation { name, known: known.join(", ") })
}

/// The limit of each operation, in the order of `endpoints`.
pub(crate) fn concurrency_limits(
    calls: &BTreeMap<String, usize>,
    endpoints: &[Endpoint],
    Sources { details, vouchers, .. }: &Sources,
) -> Result<Vec<ConcurrencyLimit>, UnknownOperation> {
    if let Some(unknown) = unknown_operation(calls, endpoints) {
        return Err(unknown);
    }
    let limit_of = |endpoint: &Endpoint| {
        let limit = ConcurrencyLimit::new(calls.get(endpoint.operation.name).copied().unwrap_or(endpoint.calls));
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
    Ok(endpoints.iter().map(limit_of).collect())
}
