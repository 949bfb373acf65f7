//! `POST /ruc-historial`: what a taxpayer was on a day, and what has changed since.

use std::fmt::Write as _;

use actix_web::dev::Payload;
use kuraka_api::ruc_historial;
use kuraka_app::{HistoryAnswer, HistoryError};
use kuraka_domain::{Date, ResultCode};

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::history_record::record;
use crate::http::registry_lookup;
use crate::http::response::{ApiResponse, Failure};
use crate::http::ruc_field;
use crate::logs;

/// Seconds that a client should wait while the record does not lead to the current edition: until the next publication.
const RETRY_AFTER: u64 = 300;
/// Covered periods that a message names.
const PERIODS: usize = 6;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_historial::OPERATION, registry_lookup::CALLS, |context, payload| {
        Box::pin(answer(context, payload))
    });

async fn answer(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let fields = call.fields()?;
    let date = fields.has("fecha").then(|| fields.text("fecha")).transpose().map_err(|error| call.invalid(&error))?;
    let answer = context.api.lookup_history.run(&call.grant, ruc, date.map(|date| Date::parse(date.trim())));
    let HistoryAnswer { taxpayer, edition } = answer.map_err(|error| failed(context, &call, &error))?;
    let provenance = registry_lookup::provenance("registry", &edition);
    Ok(match taxpayer {
        Some(taxpayer) => call.found(context, provenance, &record(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn failed(context: &RequestContext<'_>, call: &Call<'_>, error: &HistoryError) -> Failure {
    match error {
        HistoryError::NotCovered { .. } => {
            Box::new(call.failed(ResultCode::InvalidInput).with_message(not_covered(error)))
        }
        HistoryError::NoRecord => {
            let failure = call.failed(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
            let message = "El historial de este servicio no llega a su edición actual. Se completa con la siguiente.";
            Box::new(failure.retry_after(RETRY_AFTER).with_message(message))
        }
        HistoryError::Registry(error) => registry_lookup::failed(context, &call.grant, error),
    }
}

/// Why a day has no answer, in Spanish, with the days that have one.
fn not_covered(error: &HistoryError) -> String {
    let HistoryError::NotCovered { date, periods } = error else { return error.to_string() };
    let mut text = match date {
        Ok(date) => format!("El historial no cubre el {date}."),
        Err(_) => "La fecha debe ser un día con la forma AAAA-MM-DD.".to_owned(),
    };
    text += if periods.is_empty() { " No cubre ningún día." } else { " Cubre" };
    let left_out = periods.len().saturating_sub(PERIODS);
    let mut separator = "";
    for (from, until) in periods.iter().skip(left_out) {
        // Writing to a text does not fail.
        let _ = write!(text, "{separator} del {from} al {until}");
        separator = ",";
    }
    text += match (periods.is_empty(), left_out) {
        (true, _) => "",
        (false, 0) => ".",
        (false, _) => ", y períodos anteriores.",
    };
    text
}
