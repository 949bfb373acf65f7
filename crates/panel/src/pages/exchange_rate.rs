//! `GET /panel/tipo-de-cambio`: the exchange rate of today and of a month, also as CSV. Free.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::ExchangeRateRecord;
use kuraka_app::{ExchangeRateError, RatesOnDay, calendar, covered_rates, rates_in, rates_on};
use kuraka_domain::{DatasetRole, Date};
use kuraka_ports::Period;

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, Fields};
use crate::spanish::exchange_rate_error;
use crate::{response, spanish};

/// So long after the last known day, a rate does not come by itself.
const FEW_DAYS: i32 = 4;

#[derive(Template)]
#[template(path = "exchange_rate.html")]
struct ExchangeRatePage {
    layout: Layout,
    today: Result<RatesOnDay, String>,
    /// `YYYY-MM`.
    month: String,
    title: String,
    days: Result<Vec<RatesOnDay>, String>,
    attribution: Option<&'static str>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let (today, month) = asked(&user);
    let in_words = |error| match (error, last_day(&user, today)) {
        (ExchangeRateError::NotKnownYet(day), Some(last)) => not_known_yet(day, last),
        (error, _) => spanish::with_days(&exchange_rate_error(error)),
    };
    let statuses = user.panel.datasets.statuses();
    let page = ExchangeRatePage {
        layout: user.layout(MenuItem::EXCHANGE_RATE),
        today: read(&user, |record| rates_on(record, today, today)).map_err(in_words),
        month: format!("{:04}-{:02}", month.year, month.month),
        title: spanish::month_of(calendar::days_of(month).0),
        days: read(&user, |record| rates_in(record, month, today)).map_err(in_words),
        attribution: statuses
            .iter()
            .find(|status| status.role == DatasetRole::ExchangeRate)
            .map(|status| status.attribution),
    };
    response::page(StatusCode::OK, &page)
}

pub(crate) async fn download(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let (today, month) = asked(&user);
    let days = read(&user, |record| rates_in(record, month, today)).map_err(|_| PageError::NotFound)?;
    let mut lines = ExchangeRateRecord::COLUMNS.join(",") + "\r\n";
    for day in days {
        let record = ExchangeRateRecord::new(day.date, day.rates, day.close, day.source.as_str());
        lines.push_str(&(record.cells().join(",") + "\r\n"));
    }
    let name = format!("tipo-de-cambio-{:04}-{:02}.csv", month.year, month.month);
    Ok(response::file("text/csv; charset=utf-8", &name, lines))
}

/// Today, and the month of the query or the present one.
fn asked(user: &CurrentUser) -> (Date, Period) {
    let now = user.panel.clock.now();
    let month = calendar::parse_month(Fields::from_query(&user.request).text("mes"));
    (calendar::today(now), month.unwrap_or_else(|| calendar::period(now)))
}

/// The last day whose rates are known.
fn last_day(user: &CurrentUser, today: Date) -> Option<Date> {
    let record = user.panel.datasets.exchange_rates()?;
    covered_rates(&record, today).last().map(|(_, last)| *last)
}

fn not_known_yet(day: Date, last: Date) -> String {
    let is_late = day.days_since_epoch() - last.days_since_epoch() > FEW_DAYS;
    let again = if is_late { "" } else { " Vuelva a intentarlo más tarde." };
    let (day, last) = (spanish::day(day), spanish::day(last));
    format!("El tipo de cambio del {day} no se conoce: el registro de este servicio llega hasta el {last}.{again}")
}

fn read<T>(
    user: &CurrentUser,
    read: impl FnOnce(&kuraka_ports::ExchangeRateRecord) -> Result<T, ExchangeRateError>,
) -> Result<T, ExchangeRateError> {
    read(&*user.panel.datasets.exchange_rates().ok_or(ExchangeRateError::NoRecord)?)
}
