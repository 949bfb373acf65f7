//! `POST /ruc-historial`: a taxpayer's state on a past date, and its changes since.

use actix_web::dev::Payload;
use kuraka_api::ruc_historial;
use kuraka_api::spanish::{NO_RECORD, not_covered};
use kuraka_app::HistoryError;
use kuraka_domain::{Date, ErrorDates, ResultCode};

use crate::http::admission::CheckedRequest;
use crate::http::batch::not_covered_code;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::history_record::record;
use crate::http::instance::Instance;
use crate::http::registry_lookup;
use crate::http::response::{ApiResponse, Failure};
use crate::http::ruc_field;
use crate::logs;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_historial::OPERATION, registry_lookup::CALLS, |context, payload| {
        Box::pin(answer(context, payload))
    });

async fn answer(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let request = CheckedRequest::check(context, payload).await?;
    let lookup = &request.instance.lookup_taxpayer;
    let read = || -> Result<_, Failure> {
        let ruc = ruc_field::ruc(&request)?;
        let date = request.fields()?.date_if_any("fecha")?;
        Ok((ruc, date.map(|date| Date::parse(date.trim()))))
    };
    let mut asked = None;
    let call = request.charge(|| match asked.insert(read()) {
        Ok((ruc, Some(date))) if lookup.covered(*ruc).is_some_and(|days| days.is_free(date)) => 0,
        Ok(_) | Err(_) => context.terms.cost,
    });
    let (call, (ruc, date)) = (call.await?, asked.unwrap_or_else(read)?);
    let batch = lookup.batch(call).map_err(|error| registry_lookup::failed(request.instance, &error))?;
    let taxpayer = batch.history(ruc, date).map_err(|error| failed(request.instance, &error))?;
    let response = match taxpayer {
        Some(taxpayer) => ApiResponse::with_data(context.took(), &record(&taxpayer)),
        None => ApiResponse::new(ResultCode::DocumentNotFound),
    };
    Ok(response.with_provenance(registry_lookup::provenance("registry", batch.snapshot.edition())))
}

fn failed(instance: &Instance, error: &HistoryError) -> Failure {
    match error {
        HistoryError::NotCovered { date, periods } => {
            let response = ApiResponse::new(not_covered_code(date)).with_message(not_covered(date.ok(), periods));
            let dates = date.is_ok().then(|| ErrorDates::Covered(periods.clone()));
            Box::new(dates.into_iter().fold(response, ApiResponse::with_dates))
        }
        HistoryError::NoRecord => {
            let failure = ApiResponse::new(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
            Box::new(failure.retry_after(registry_lookup::RETRY_AFTER_UPDATE).with_message(NO_RECORD))
        }
        HistoryError::Registry(error) => registry_lookup::failed(instance, error),
    }
}
