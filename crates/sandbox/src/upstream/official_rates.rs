//! The two sources of the exchange rate: today's text, and the series, whose order changes from answer to answer. Both
//! start with the sample.

use std::collections::BTreeMap;

use kuraka_domain::Date;
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::answer::{Answer, Format};
use super::request::Request;
use crate::sample;

pub(super) const TEXT_PATH: &str = "/a/txt/tipoCambio.txt";
/// First and last day follow.
pub(super) const SERIES_PATH: &str = "/estadisticas/series/api/PD04639PD-PD04640PD/json";
const MONTHS: [&str; 12] = ["Ene", "Feb", "Mar", "Abr", "May", "Jun", "Jul", "Ago", "Set", "Oct", "Nov", "Dic"];
const NO_VALUE: [&str; 2] = ["n.d.", "n.d."];

/// What the sources publish.
#[derive(Debug)]
pub(super) struct OfficialRates(Mutex<Published>);

#[derive(Debug)]
struct Published {
    text: String,
    /// *Compra* and *venta* by the day of the close.
    closes: BTreeMap<Date, [String; 2]>,
    answers: usize,
}

impl OfficialRates {
    pub(super) fn sample() -> Self {
        let text = String::from_utf8_lossy(sample::EXCHANGE_RATE_TEXTS);
        let text = text.lines().next_back().unwrap_or_default().to_owned();
        let series: Value = serde_json::from_slice(sample::EXCHANGE_RATE_SERIES).unwrap_or_default();
        let periods = series.get("periods").and_then(Value::as_array).cloned().unwrap_or_default();
        let close = |period: &Value| {
            let value = |at: usize| Some(period.get("values")?.get(at)?.as_str()?.to_owned());
            Some((day(period.get("name")?.as_str()?)?, [value(0)?, value(1)?]))
        };
        let closes = periods.iter().filter_map(close).filter(|(_, close)| close[0] != NO_VALUE[0]).collect();
        Self(Mutex::new(Published { text, closes, answers: 0 }))
    }

    pub(super) fn set_text(&self, text: &str) {
        text.clone_into(&mut self.0.lock().text);
    }

    pub(super) fn set_close(&self, day: Date, close: [&str; 2]) {
        self.0.lock().closes.insert(day, close.map(str::to_owned));
    }

    pub(super) fn remove_closes(&self) {
        self.0.lock().closes.clear();
    }

    pub(super) fn text(&self) -> Answer {
        Answer::text(200, Format::Html, &self.0.lock().text)
    }

    /// The weekdays of the requested range from the first close on.
    pub(super) fn series(&self, request: &Request) -> Answer {
        let mut published = self.0.lock();
        published.answers += 1;
        let is_sell_first = published.answers.is_multiple_of(2);
        let mut days = request.path.strip_prefix(SERIES_PATH).unwrap_or_default().split('/').skip(1).map(Date::parse);
        let (Some(Ok(from)), Some(Ok(until))) = (days.next(), days.next()) else {
            return Answer::text(200, Format::Html, "<html>Error</html>");
        };
        let from = published.closes.keys().next().map_or(from, |first| from.max(*first));
        let days = (from.days_since_epoch()..=until.days_since_epoch()).filter_map(Date::from_days_since_epoch);
        let period = |day: Date| {
            let close = published.closes.get(&day).map_or(NO_VALUE, |[buy, sell]| [buy, sell]);
            let month = MONTHS.get(usize::from(day.month()) - 1).unwrap_or(&"");
            json!({"name": format!("{:02}.{month}.{:02}", day.day(), day.year() % 100), "values": ordered(close, is_sell_first)})
        };
        let periods: Vec<_> = days.filter(|day| !day.is_weekend()).map(period).collect();
        let series = |word| json!({"name": format!("Tipo de cambio - TC Sistema bancario SBS (S/ por US$) - {word}"), "dec": "3"});
        let config =
            json!({"title": "Tipo de cambio", "series": ordered(["Compra", "Venta"], is_sell_first).map(series)});
        // The real one also calls its JSON a page.
        Answer::text(200, Format::Html, &json!({"config": config, "periods": periods}).to_string())
    }
}

fn ordered([buy, sell]: [&str; 2], is_sell_first: bool) -> [&str; 2] {
    if is_sell_first { [sell, buy] } else { [buy, sell] }
}

/// The day of a period such as `07.Set.26`.
fn day(name: &str) -> Option<Date> {
    let mut parts = name.split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?.parse::<u16>().ok()?);
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    Date::new(if year < 90 { 2_000 + year } else { 1_900 + year }, u8::try_from(month).ok()?, day.parse().ok()?).ok()
}
