//! `kuraka rate`: exchange rates of this machine's record, as a server answers `/tipo-de-cambio`.

use kuraka_adapters::datasets::exchange_rates;
use kuraka_api::ExchangeRateRecord;
use kuraka_app::{calendar, rates_in, rates_on};
use kuraka_domain::Date;
use kuraka_registry::dataset::TIPO_DE_CAMBIO;
use kuraka_server::settings::Settings;

use super::runtime::{Failure, today};
use crate::cli::Form;
use crate::console;

const HEADING: [&str; 5] = ["DATE", "BUY", "SELL", "CLOSE", "SOURCE"];

pub(crate) fn run(day: Option<&str>, form: Form, settings: &Settings) -> Result<(), Failure> {
    let record = exchange_rates::read(&settings.datasets_dir())?;
    let record = record.ok_or_else(|| {
        let name = TIPO_DE_CAMBIO.name;
        format!(
            "there are no exchange rates: start the server, which fetches them, or run kuraka dataset update {name}"
        )
    })?;
    let days = match day.map(|day| (calendar::parse_month(day), Date::parse(day))) {
        None => vec![rates_on(&record, today(), today())?],
        Some((Some(month), _)) => rates_in(&record, month, today())?,
        Some((None, Ok(date))) => vec![rates_on(&record, date, today())?],
        Some((None, Err(_))) => return Err("a day is written YYYY-MM-DD, and a month YYYY-MM".into()),
    };
    let records: Vec<_> = days
        .into_iter()
        .map(|day| ExchangeRateRecord::new(day.date, day.rates, day.close, day.source.as_str()))
        .collect();
    console::list(form, &records, HEADING, |record| {
        let [date, _, _, buy, sell, close, source] = record.cells();
        [date, buy, sell, if close.is_empty() { "-".to_owned() } else { close }, source]
    })?;
    Ok(())
}
