//! Reads the answers of the two sources: the tax authority's text of today, and the central bank's series.

use std::collections::BTreeMap;

use kuraka_domain::{Date, DayRates, ExchangeRate};
use serde::Deserialize;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum RateAnswerError {
    #[error("the source answered with a web page")]
    WebPage,
    #[error("the text is not one line DD/MM/YYYY|compra|venta|: {0:?}")]
    Text(String),
    #[error("the answer has {0}, which is in the future")]
    Future(Date),
    #[error("the series are no JSON")]
    Json(#[from] serde_json::Error),
    #[error("the series are not one Compra and one Venta: {0:?}")]
    Series(Vec<String>),
    #[error("the series have {0}, which is no day with two rates or n.d.")]
    Period(String),
    #[error("the series no longer have the close of {0}")]
    Gone(Date),
}

/// Months as the central bank writes them, in Spanish and in English.
const MONTHS: [&[&str]; 12] = [
    &["Ene", "Jan"],
    &["Feb"],
    &["Mar"],
    &["Abr", "Apr"],
    &["May"],
    &["Jun"],
    &["Jul"],
    &["Ago", "Aug"],
    &["Set", "Sep"],
    &["Oct"],
    &["Nov"],
    &["Dic", "Dec"],
];
/// Two-digit years from here on are in the last century: the series begin in 1997.
const CENTURY: u16 = 90;
/// What the central bank writes for no value.
const NO_VALUE: &str = "n.d.";

#[derive(Deserialize)]
struct Series {
    config: Config,
    #[serde(default)]
    periods: Vec<Period>,
}

#[derive(Deserialize)]
struct Config {
    series: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Period {
    name: String,
    values: Vec<String>,
}

/// The day and the rates of the tax authority's text. The bar at its end proves that it is whole.
///
/// # Errors
/// [`RateAnswerError`].
pub fn read_text(bytes: &[u8], today: Date) -> Result<(Date, DayRates), RateAnswerError> {
    let text = String::from_utf8_lossy(bytes);
    refuse_page(&text)?;
    let read = || {
        let mut cells = text.trim_end().strip_suffix('|')?.split('|');
        let date = Date::parse_dmy(cells.next()?).ok()?;
        let rates = day_rates(cells.next()?, cells.next()?)?;
        cells.next().is_none().then_some((date, rates))
    };
    let (date, rates) = read().ok_or_else(|| RateAnswerError::Text(text.chars().take(80).collect()))?;
    if date > today { Err(RateAnswerError::Future(date)) } else { Ok((date, rates)) }
}

/// The closes in an answer of the central bank; `None` = it says that the day has none. The series are found by name,
/// because their order changes.
///
/// # Errors
/// [`RateAnswerError`].
pub fn read_series(bytes: &[u8]) -> Result<BTreeMap<Date, Option<DayRates>>, RateAnswerError> {
    refuse_page(&String::from_utf8_lossy(bytes))?;
    let Series { config, periods } = serde_json::from_slice(bytes)?;
    let names: Vec<String> = config.series.into_iter().map(|series| series.name).collect();
    let place = |word| names.iter().position(|name| name.to_lowercase().contains(word));
    let (Some(buy), Some(sell), 2) = (place("compra"), place("venta"), names.len()) else {
        return Err(RateAnswerError::Series(names));
    };
    if buy == sell {
        return Err(RateAnswerError::Series(names));
    }
    let close = |Period { name, values }: Period| {
        let read = || {
            let date = period_date(&name)?;
            let (buy, sell) = (values.get(buy)?.trim(), values.get(sell)?.trim());
            match (values.len(), buy == NO_VALUE && sell == NO_VALUE) {
                (2, true) => Some((date, None)),
                (2, false) => Some((date, Some(day_rates(buy, sell)?))),
                _ => None,
            }
        };
        read().ok_or_else(|| RateAnswerError::Period(format!("{name} {values:?}")))
    };
    periods.into_iter().map(close).collect()
}

/// Both sources send web pages with status 200 when a firewall refuses the client.
fn refuse_page(text: &str) -> Result<(), RateAnswerError> {
    if text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').starts_with('<') {
        return Err(RateAnswerError::WebPage);
    }
    Ok(())
}

fn day_rates(buy: &str, sell: &str) -> Option<DayRates> {
    Some(DayRates { buy: ExchangeRate::parse(buy).ok()?, sell: ExchangeRate::parse(sell).ok()? })
}

/// The day of a period such as `07.Set.26`.
fn period_date(name: &str) -> Option<Date> {
    let mut parts = name.trim().split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |text: &str| (text.len() == 2).then(|| text.parse::<u8>().ok()).flatten();
    let month = MONTHS.iter().position(|names| names.iter().any(|known| known.eq_ignore_ascii_case(month)))?;
    let year = u16::from(number(year)?);
    let year = if year < CENTURY { 2_000 + year } else { 1_900 + year };
    let date = Date::new(year, u8::try_from(month + 1).ok()?, number(day)?).ok()?;
    parts.next().is_none().then_some(date)
}
