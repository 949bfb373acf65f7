//! `POST /tipo-de-cambio`: the tax authority's exchange rate of a day, or of the days of a month.

use actix_web::dev::Payload;
use kuraka_adapters::sources::provider_api::{AnswerForm, DialectAnswer, DialectExchangeRate};
use kuraka_api::spanish;
use kuraka_api::{ExchangeRateData, ExchangeRateRecord, tipo_de_cambio};
use kuraka_app::{ExchangeRateError, RatesOnDay, calendar, covered_rates, rates_between, rates_in, rates_on};
use kuraka_domain::{Currency, Date, ErrorDates, ResultCode};
use kuraka_panel::exchange_rate_error;

use crate::http::admission::CheckedRequest;
use crate::http::batch::{BatchPermit, Table};
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, provenance};
use crate::http::response::{ApiResponse, Failure};

/// Seconds to wait for an unknown day: until the text is requested again.
const RETRY_AFTER: u64 = 600;
/// Of a period that another provider's client requests.
const MAX_PERIOD_DAYS: i32 = 31;
/// The message for such a period.
const WRONG_PERIOD: &str = "El periodo debe ser un mes, o de 1 a 31 días con la forma AAAA-MM-DD.";

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&tipo_de_cambio::OPERATION, CALLS, |context, payload| Box::pin(answer(context, payload)));

async fn answer(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, _) = CheckedRequest::admit(context, payload).await?;
    let fields = request.fields()?;
    let form = if let Some(DialectAnswer::ExchangeRate(form)) = context.route.form() { Some(form) } else { None };
    let (is_day, is_month) = form.map_or_else(
        || (fields.has("fecha"), fields.has("mes")),
        |form| (!form.is_list() && fields.has("fecha"), form.is_list()),
    );
    let (date, month, currency) = (
        is_day.then(|| fields.date("fecha")).transpose()?,
        is_month.then(|| fields.text("mes")).transpose()?,
        fields.text_if_any("moneda")?,
    );
    if currency.is_some_and(|currency| Currency::parse(currency.trim()).is_err()) {
        return Err(ApiResponse::invalid("El campo moneda debe ser USD."));
    }
    let today = calendar::today(context.api.clock.now());
    let record = request.instance.datasets.exchange_rates().ok_or(ExchangeRateError::NoRecord).map_err(failed)?;
    let failed = |error: ExchangeRateError| {
        if !matches!(error, ExchangeRateError::NotCovered(_)) {
            return failed(error);
        }
        let covered = covered_rates(&record, today);
        let message = spanish::with_covered(exchange_rate_error(error), &covered);
        Box::new(failed(error).with_message(message).with_dates(ErrorDates::Covered(covered)))
    };
    let is_legacy = context.route.is_legacy();
    let write = |day: RatesOnDay| {
        let written = ExchangeRateRecord::new(day.date, day.rates, day.close, day.source.as_str());
        if is_legacy { written.with_fields_of_others() } else { written }
    };
    let response = match (date, month) {
        (Some(_), Some(_)) => return Err(ApiResponse::invalid("Envíe el campo fecha o el campo mes, no los dos.")),
        (date, None) => {
            let date = date.map_or(Ok(today), |date| Date::parse(date.trim()));
            let date =
                date.map_err(|_| ApiResponse::invalid("El campo fecha debe ser un día con la forma AAAA-MM-DD."))?;
            let day = rates_on(&record, date, today).map_err(failed)?;
            match form {
                Some(form) => write_form(context, form, &[day]),
                None => ApiResponse::with_data(context.took(), &ExchangeRateData::Day(write(day))),
            }
        }
        (None, Some(month)) if let Some(form) = form => {
            let period = calendar::parse_month(month.trim()).map(calendar::days_of).or_else(|| interval(&month));
            let period = period.ok_or_else(|| ApiResponse::invalid(WRONG_PERIOD))?;
            write_form(context, form, &rates_between(&record, period, today).map_err(failed)?)
        }
        (None, Some(month)) => {
            let month = calendar::parse_month(month.trim());
            let month =
                month.ok_or_else(|| ApiResponse::invalid("El campo mes debe ser un mes con la forma AAAA-MM."))?;
            let days = rates_in(&record, month, today).map_err(failed)?;
            let days: Vec<_> = days.into_iter().map(write).collect();
            let table = || Table {
                columns: ExchangeRateRecord::COLUMNS.to_vec(),
                rows: days.iter().map(|day| day.cells().to_vec()).collect(),
            };
            BatchPermit::wait(context).await.answer(context, table, || ExchangeRateData::Month(days.clone())).await
        }
    };
    Ok(response.with_provenance(provenance("registry", &record.edition)))
}

/// The answer in another provider's form.
fn write_form(
    context: &RequestContext<'_>,
    form: &AnswerForm<DialectExchangeRate>,
    days: &[RatesOnDay],
) -> ApiResponse {
    let written =
        |day: &RatesOnDay| DialectExchangeRate { date: day.date, rates: day.rates, source: day.source.as_str() };
    ApiResponse::with_json(context.took(), form.write(&days.iter().map(written).collect::<Vec<_>>()))
}

/// Two days with a slash between them, at most a month apart.
fn interval(text: &str) -> Option<(Date, Date)> {
    let (first, last) = text.split_once('/')?;
    let (first, last) = (Date::parse(first.trim()).ok()?, Date::parse(last.trim()).ok()?);
    (0..MAX_PERIOD_DAYS).contains(&(last.days_since_epoch() - first.days_since_epoch())).then_some((first, last))
}

fn failed(error: ExchangeRateError) -> Failure {
    let (code, retry_after) = match error {
        ExchangeRateError::Future(_) => (ResultCode::InvalidInput, None),
        ExchangeRateError::NotCovered(_) => (ResultCode::DateNotCovered, None),
        ExchangeRateError::NotKnownYet(_) | ExchangeRateError::NoRecord => {
            (ResultCode::UpstreamUnavailable, Some(RETRY_AFTER))
        }
    };
    let failure = ApiResponse::new(code).with_message(exchange_rate_error(error));
    Box::new(match retry_after {
        Some(seconds) => failure.with_cause(error.to_string()).retry_after(seconds),
        None => failure,
    })
}
