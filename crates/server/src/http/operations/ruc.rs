//! `POST /ruc`: a taxpayer's summary.

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use kuraka_api::{SummaryRecord, ruc};
use kuraka_app::SummaryAnswer;
use kuraka_domain::ResultCode;
use kuraka_ports::{Edition, EditionOrigin};

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure, Provenance};
use crate::http::ruc_field;
use crate::logs;

/// Seconds that a client should wait before a retry if the registry cannot answer. The registry is refreshed every
/// second.
const RETRY_AFTER: u64 = 5;

/// A call waits only for the store. At 2,000 leases per second this many wait for a quarter of a second.
const CALLS: usize = 512;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| Box::pin(look_up(context, payload)));

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = context.api.lookup_summary.run(&call.grant, ruc);
    let SummaryAnswer { edition, taxpayer } = answer.map_err(|error| {
        let failure = call.failed(ResultCode::UpstreamUnavailable).retry_after(RETRY_AFTER);
        Box::new(failure.with_cause(logs::chain(&error)))
    })?;
    let provenance = from_registry(&edition);
    Ok(match taxpayer {
        Some(taxpayer) => call.found(context, provenance, &SummaryRecord::from(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn from_registry(edition: &Edition) -> Provenance {
    let status = match edition.origin {
        EditionOrigin::Published => "live",
        EditionOrigin::Sample => "sandbox",
    };
    Provenance { source: "registry", status, edition: HeaderValue::from_str(&edition.label).ok() }
}
