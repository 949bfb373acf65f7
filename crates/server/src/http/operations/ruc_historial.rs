//! `POST /ruc-historial`: what a taxpayer was on a day, and what has changed since.

use actix_web::dev::Payload;
use kuraka_api::ruc_historial;
use kuraka_api::spanish::{NO_RECORD, not_covered};
use kuraka_app::{HistoryAnswer, HistoryError};
use kuraka_domain::{Date, ResultCode};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::history_record::record;
use crate::http::registry_lookup;
use crate::http::response::{ApiResponse, Failure};
use crate::http::ruc_field;
use crate::logs;

/// Seconds that a client should wait while the record does not lead to the current edition: until the next publication.
const RETRY_AFTER: u64 = 300;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_historial::OPERATION, registry_lookup::CALLS, |context, payload| {
        Box::pin(answer(context, payload))
    });

async fn answer(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&request)?;
    let date = request.fields()?.text_if_any("fecha")?;
    let answer = context.api.lookup_history.run(call, ruc, date.map(|date| Date::parse(date.trim())));
    let HistoryAnswer { taxpayer, edition } = answer.map_err(|error| failed(context, &error))?;
    let response = match taxpayer {
        Some(taxpayer) => ApiResponse::with_data(context.took(), &record(&taxpayer)),
        None => ApiResponse::failed(ResultCode::DocumentNotFound),
    };
    Ok(response.with_provenance(registry_lookup::provenance("registry", &edition)))
}

fn failed(context: &RequestContext<'_>, error: &HistoryError) -> Failure {
    match error {
        HistoryError::NotCovered { date, periods } => ApiResponse::invalid(not_covered(date.ok(), periods)),
        HistoryError::NoRecord => {
            let failure = ApiResponse::failed(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
            Box::new(failure.retry_after(RETRY_AFTER).with_message(NO_RECORD))
        }
        HistoryError::Registry(error) => registry_lookup::failed(context, error),
    }
}
