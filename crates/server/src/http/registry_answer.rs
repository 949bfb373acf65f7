//! The response to a lookup in the registry: its source headers, and the failure if the registry cannot answer.

use actix_web::http::header::HeaderValue;
use kuraka_app::LookupError;
use kuraka_domain::ResultCode;
use kuraka_ports::{Edition, EditionOrigin};

use super::admission::Call;
use super::response::{Failure, Provenance};
use crate::logs;

/// The most calls in progress of a lookup in the registry. A call waits only for the store. At 2,000 leases per second
/// this many wait for a quarter of a second.
pub(crate) const CALLS: usize = 512;

/// Seconds that a client should wait before a retry if the registry cannot answer. The registry is refreshed every
/// second.
const RETRY_AFTER: u64 = 5;
/// The same if a dataset is missing: the operator must import it.
const RETRY_AFTER_IMPORT: u64 = 300;

/// The source headers of an answer from this edition. `source` is the value of `X-Source`.
pub(crate) fn provenance(source: &'static str, edition: &Edition) -> Provenance {
    let status = match edition.origin {
        EditionOrigin::Published => "live",
        EditionOrigin::Sample => "sandbox",
    };
    Provenance { source, status, edition: HeaderValue::from_str(&edition.label).ok() }
}

/// The response when the registry cannot answer.
pub(crate) fn failed(call: &Call<'_>, error: &LookupError) -> Failure {
    let failure = call.failed(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
    Box::new(match error {
        LookupError::NoEdition | LookupError::Registry(_) | LookupError::StaleMiss { .. } => {
            failure.retry_after(RETRY_AFTER)
        }
        LookupError::NoDataset { dataset } => {
            let message = format!(
                "Este servicio no tiene el conjunto de datos \"{dataset}\", así que no puede responder. \
                 El operador del servicio debe importarlo."
            );
            failure.retry_after(RETRY_AFTER_IMPORT).with_message(message)
        }
    })
}
