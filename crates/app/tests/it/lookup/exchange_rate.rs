//! The rule of the exchange rate, on records of the central bank and the tax authority.

use std::collections::BTreeMap;
use std::sync::Arc;

use kuraka_app::{ExchangeRateError, RateSource, RatesOnDay, disagreements, rates_in, rates_on};
use kuraka_domain::{Date, DayRates, ExchangeRate};
use kuraka_ports::{Edition, EditionOrigin, ExchangeRateRecord, Period};

fn day(text: &str) -> Date {
    Date::parse(text).unwrap()
}

fn rates(sell: &str) -> DayRates {
    DayRates { buy: ExchangeRate::parse("3.300").unwrap(), sell: ExchangeRate::parse(sell).unwrap() }
}

/// Closes of September 2026 by day of the month, where `n.d.` is none, and texts.
fn record(closes: &[(u8, &str)], texts: &[(u8, &str)]) -> ExchangeRateRecord {
    let date = |number: u8| Date::new(2026, 9, number).unwrap();
    let close = |(number, sell): &(u8, &str)| (date(*number), (*sell != "n.d.").then(|| rates(sell)));
    let label = "2026-09-30-0badc0de".into();
    let edition = Edition { label, digest: None, date: date(30), origin: EditionOrigin::Published, rows: 1 };
    ExchangeRateRecord {
        edition: Arc::new(edition),
        closes: closes.iter().map(close).collect(),
        published: texts.iter().map(|(number, sell)| (date(*number), rates(sell))).collect::<BTreeMap<_, _>>(),
    }
}

/// Sell, source and close, or the kind of error, on a day of September 2026. Today is the 30th.
fn on(record: &ExchangeRateRecord, number: u8) -> String {
    told(rates_on(record, Date::new(2026, 9, number).unwrap(), day("2026-09-30")))
}

fn told(answer: Result<RatesOnDay, ExchangeRateError>) -> String {
    match answer {
        Ok(RatesOnDay { rates, source, close, .. }) => {
            let close = close.map_or("?".to_owned(), |close| close.day().to_string());
            format!("{} {} {close}", rates.sell, source.as_str())
        }
        Err(ExchangeRateError::NotCovered(_)) => "not covered".to_owned(),
        Err(ExchangeRateError::NotKnownYet(_)) => "not known yet".to_owned(),
        Err(ExchangeRateError::Future(_)) => "future".to_owned(),
        Err(error @ ExchangeRateError::NoRecord) => error.to_string(),
    }
}

// In September 2026 the 4th, 11th, 18th and 25th are Fridays.

#[test]
fn a_day_has_the_close_of_the_last_business_day_before_it() {
    let record = record(&[(3, "3.365"), (4, "3.369"), (7, "3.372")], &[]);
    let told: Vec<_> = (3..=9).map(|number| on(&record, number)).collect();
    let friday = "3.369 BCRP 4";
    assert_eq!(told, ["not covered", "3.365 BCRP 3", friday, friday, friday, "3.372 BCRP 7", "not known yet"]);
}

#[test]
fn a_rate_is_carried_over_a_weekday_only_if_a_later_close_proves_a_holiday() {
    let late = [(1, "3.368"), (2, "n.d.")];
    assert_eq!([on(&record(&late, &[]), 3), on(&record(&late, &[]), 4)], ["not known yet"; 2]);
    let holiday = record(&[late[0], late[1], (3, "3.365")], &[]);
    assert_eq!(on(&holiday, 3), "3.368 BCRP 1");
    // Two later days without an answer prove nothing.
    let silent = record(&[late[0], late[1], (3, "n.d."), (4, "n.d.")], &[]);
    assert_eq!([3, 4, 5, 6].map(|number| on(&silent, number)), ["not known yet"; 4]);
}

#[test]
fn nothing_is_derived_over_a_weekday_without_an_answer() {
    let hole = record(&[(1, "3.368"), (3, "3.365")], &[]);
    assert_eq!([2, 3, 4].map(|number| on(&hole, number)), ["3.368 BCRP 1", "not covered", "3.365 BCRP 3"]);
    let of_friday = record(&[(3, "3.365"), (8, "3.360")], &[]);
    assert_eq!([4, 5, 6, 7, 8].map(|number| on(&of_friday, number))[1..], ["not covered"; 4]);
}

#[test]
fn a_day_before_the_series_is_not_covered_without_closes() {
    let on = |day: &str| told(rates_on(&record(&[], &[(5, "3.369")]), self::day(day), self::day("2026-09-30")));
    assert_eq!(["1990-01-02", "1996-12-29", "1997-01-02"].map(on), ["not covered"; 3]);
    assert_eq!(["1997-01-03", "2026-09-04"].map(on), ["not known yet"; 2]);
}

#[test]
fn the_text_of_the_day_counts_and_is_carried_over_a_weekend() {
    // Saturday's text, before the bank has Friday's close.
    let record = record(&[(3, "3.365")], &[(5, "3.369")]);
    let told = [4, 5, 6, 7, 8].map(|number| on(&record, number));
    assert_eq!(told, ["3.365 BCRP 3", "3.369 SUNAT 4", "3.369 SUNAT 4", "3.369 SUNAT 4", "not known yet"]);
}

#[test]
fn the_close_of_a_text_is_told_only_if_it_is_certain() {
    let same = record(&[(3, "3.365")], &[(7, "3.369"), (8, "3.369"), (9, "3.360")]);
    // Monday may be a holiday: then its text repeats Friday's close, and Tuesday's repeats it once more.
    assert_eq!([7, 8, 9].map(|number| on(&same, number)), ["3.369 SUNAT 4", "3.369 SUNAT ?", "3.360 SUNAT 8"]);
    let series = record(&[(4, "3.369"), (7, "3.369")], &[(8, "3.369")]);
    assert_eq!(on(&series, 8), "3.369 SUNAT 7");
}

#[test]
fn where_the_sources_disagree_the_text_counts() {
    let record = record(&[(3, "3.365"), (4, "3.369"), (7, "3.372")], &[(5, "3.370"), (4, "3.365")]);
    assert_eq!(disagreements(&record).collect::<Vec<_>>(), [day("2026-09-05")]);
    assert_eq!([4, 5, 6].map(|number| on(&record, number)), ["3.365 SUNAT 3", "3.370 SUNAT 4", "3.370 SUNAT 4"]);
}

#[test]
fn the_future_is_known_only_to_monday_and_only_with_fridays_close() {
    let record = record(&[(3, "3.365"), (4, "3.369")], &[]);
    let on = |number| told(rates_on(&record, Date::new(2026, 9, number).unwrap(), day("2026-09-04")));
    let friday = "3.369 BCRP 4";
    assert_eq!([4, 5, 6, 7, 8, 9].map(on), ["3.365 BCRP 3", friday, friday, friday, "future", "future"]);
}

#[test]
fn a_month_has_its_known_days() {
    let month = |record: &ExchangeRateRecord, month| {
        let days = rates_in(record, Period { year: 2026, month }, day("2026-09-30"));
        days.map(|days| days.iter().map(|rates| rates.date.to_string()).collect::<Vec<_>>())
            .map_err(|error| told(Err(error)))
    };
    let some = record(&[(28, "3.440"), (29, "3.450"), (30, "3.437")], &[]);
    assert_eq!(month(&some, 9), Ok(vec!["2026-09-29".to_owned(), "2026-09-30".to_owned()]));
    assert_eq!(month(&some, 10), Ok(vec!["2026-10-01".to_owned()]));
    assert_eq!(month(&some, 8), Err("not covered".to_owned()));
    assert_eq!(month(&some, 11), Err("future".to_owned()));
    assert_eq!(month(&record(&[(28, "n.d.")], &[]), 9), Err("not known yet".to_owned()));
    assert_eq!(RateSource::Sunat.as_str(), "SUNAT");
}
