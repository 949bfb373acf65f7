//! The exchange rates: the recorded answers of both sources, and updates from the sandbox, faults included.

use std::fs;
use std::time::Duration;

use kuraka_adapters::datasets::exchange_rates::{
    RateAnswerError, RateUpdate, RateUpdateError, RecordError, file, read, read_series, read_text, write_sample,
};
use kuraka_adapters::datasets::last_attempt;
use kuraka_adapters::datasets::update::UpdateSource;
use kuraka_adapters::download::{DownloadLimits, Downloader, USER_AGENT};
use kuraka_domain::{Date, DayRates};
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{AttemptOutcome, EditionOrigin, ExchangeRateRecord};
use kuraka_registry::Accepts;
use kuraka_registry::dataset::TIPO_DE_CAMBIO;
use kuraka_sandbox::sample::{EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS};
use kuraka_sandbox::upstream::{Page, Replacement, Target, Upstream};
use tempfile::TempDir;

use crate::http::client;

fn recorded(name: &str) -> Vec<u8> {
    fs::read(format!("{}/fixtures/exchange_rates/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn day(text: &str) -> Date {
    Date::parse(text).unwrap()
}

fn shown(rates: DayRates) -> String {
    format!("{} {}", rates.buy, rates.sell)
}

/// The days and rates of an answer of the central bank.
fn series(bytes: &[u8]) -> Result<Vec<String>, String> {
    let closes = read_series(bytes).map_err(|error| error.to_string())?;
    Ok(closes.into_iter().map(|(day, close)| format!("{day} {}", close.map_or("-".to_owned(), shown))).collect())
}

#[test]
fn the_recorded_series_are_read() {
    let september = series(&recorded("bcrp_2026-09-01_2026-09-08_ing.json")).unwrap();
    assert_eq!(september[3..], ["2026-09-04 3.360 3.369", "2026-09-07 3.351 3.372", "2026-09-08 -"]);
    let october = series(&recorded("bcrp_2026-10_trimmed.json")).unwrap();
    assert_eq!(october[2..], ["2026-10-06 3.431 3.437", "2026-10-07 -", "2026-10-08 -"]);
    // The series are found by name: here the sale is first.
    let june = series(&recorded("bcrp_2026-06-15_2026-06-22_sell_first.json")).unwrap();
    assert_eq!(june[..1], ["2026-06-15 3.375 3.387"]);
    assert_eq!(june[4..], ["2026-06-19 -"]);
}

#[test]
fn months_in_both_languages_and_two_digit_years_are_read() {
    let answer = |period: &str| {
        let names = r#"[{"name":"Compra"},{"name":"Venta"}]"#;
        series(
            format!(r#"{{"config":{{"series":{names}}},"periods":[{{"name":"{period}","values":["3.3","3.4"]}}]}}"#)
                .as_bytes(),
        )
    };
    for (period, expected) in [
        ("07.Set.26", "2026-09-07"),
        ("07.Sep.26", "2026-09-07"),
        ("02.Ene.97", "1997-01-02"),
        ("31.Dic.20", "2020-12-31"),
        ("24.Ago.26", "2026-08-24"),
        ("15.Apr.26", "2026-04-15"),
    ] {
        assert_eq!(answer(period), Ok(vec![format!("{expected} 3.300 3.400")]));
    }
    for period in ["31.Set.26", "07.Xyz.26", "7.Set.26", "07.Set.2026", "Set.26", "07.Set.26.1", ""] {
        assert!(answer(period).unwrap_err().contains("no day"), "{period}");
    }
}

#[test]
fn other_series_and_half_answers_are_refused() {
    let answer = |names: &str, values: &str| {
        series(
            format!(r#"{{"config":{{"series":[{names}]}},"periods":[{{"name":"25.Set.26","values":[{values}]}}]}}"#)
                .as_bytes(),
        )
    };
    let both = r#"{"name":"Compra"},{"name":"Venta"}"#;
    assert!(answer(both, r#""3.416","3.425""#).is_ok());
    // One series, one for both, four series, the interbank rate, a number, a value of two.
    for (names, values) in [
        (r#"{"name":"Venta"}"#, r#""3.425""#),
        (r#"{"name":"Compra y venta"},{"name":"Promedio"}"#, r#""3.3","3.4""#),
        (
            r#"{"name":"Compra"},{"name":"Venta"},{"name":"SBS Compra"},{"name":"SBS Venta"}"#,
            r#""3.1","3.2","3.3","3.4""#,
        ),
        (both, r#""3.41642857142857","3.41992857142857""#),
        (both, "3.416,3.425"),
        (both, r#""n.d.","3.425""#),
        (both, r#""3.416""#),
        (both, r#""3.416","3.425","3.5""#),
    ] {
        assert!(answer(names, values).is_err(), "{names} {values}");
    }
    for name in ["bcrp_PD04640PD_2026-05-21.json", "bcrp_PD04640PD_2026-08-24_2026-08-28.json"] {
        assert!(series(&recorded(name)).unwrap_err().contains("one Compra and one Venta"), "{name}");
    }
    // A range of one day without a value has no periods.
    assert_eq!(series(format!(r#"{{"config":{{"series":[{both}]}}}}"#).as_bytes()), Ok(vec![]));
}

#[test]
fn a_web_page_is_a_refusal_whatever_its_status() {
    let page = recorded("bcrp_challenge.html");
    assert!(matches!(read_series(&page), Err(RateAnswerError::WebPage)));
    assert!(matches!(read_text(&page, Date::MAX), Err(RateAnswerError::WebPage)));
}

#[test]
fn the_recorded_texts_are_read_with_their_own_date() {
    for (name, expected) in [
        ("sunat_tipoCambio_2026-09-20.txt", "2026-09-20 3.354 3.362"),
        ("sunat_tipoCambio_2026-09-29.txt", "2026-09-29 3.432 3.440"),
        ("sunat_tipoCambio_2026-10-01.txt", "2026-10-01 3.429 3.437"),
    ] {
        let text = recorded(name);
        let (date, rates) = read_text(&text, day("2026-10-02")).unwrap();
        assert_eq!(format!("{date} {}", shown(rates)), expected);
        // A text that was cut anywhere is none: 3.4 is not 3.44.
        let whole = text.trim_ascii_end().len();
        for length in 0..whole {
            assert!(read_text(&text[..length], day("2026-10-02")).is_err(), "{length} bytes of {name}");
        }
    }
    let tomorrow = read_text(b"02/10/2026|3.4|3.5|", day("2026-10-01"));
    assert!(matches!(tomorrow, Err(RateAnswerError::Future(_))), "{tomorrow:?}");
    for other in ["2026-10-01|3.4|3.5|", "01/10/2026|3.4|", "01/10/2026|n.d.|n.d.|", "01/10/2026|3.4|3.5|3.6|", ""] {
        assert!(matches!(read_text(other.as_bytes(), Date::MAX), Err(RateAnswerError::Text(_))), "{other}");
    }
}

#[test]
fn the_file_is_read_back_and_damage_of_any_byte_is_found() {
    let folder = TempDir::new().unwrap();
    assert!(matches!(read(folder.path()), Ok(None)));
    write_sample(folder.path(), EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS).unwrap();
    let record = read(folder.path()).unwrap().unwrap();
    assert_eq!((record.edition.origin, record.edition.date), (EditionOrigin::Sample, day("2026-10-06")));
    assert_eq!(record.closes[&day("2026-09-04")].map(shown), Some("3.360 3.369".to_owned()));
    let path = file(folder.path());
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(matches!(read(folder.path()), Err(RecordError::Damaged)), "byte {at}");
        fs::write(&path, &whole[..at]).unwrap();
        assert!(matches!(read(folder.path()), Err(RecordError::Damaged)), "{at} bytes");
    }
}

/// The sandbox's closes and today's text of Tuesday, 8 September 2026, 01:00 in Peru.
struct World {
    folder: TempDir,
    upstream: Upstream,
    clock: ManualClock,
}

impl World {
    async fn new() -> Self {
        let upstream = Upstream::start(([127, 0, 0, 1], 0).into(), Vec::new()).await.unwrap();
        upstream.remove_closes();
        upstream.set_close(day("2026-09-03"), ["3.355", "3.365"]);
        upstream.set_close(day("2026-09-04"), ["3.36", "3.369"]);
        upstream.set_rate_text("08/09/2026|3.351|3.372|\n");
        let clock = ManualClock::at("2026-09-08T06:00:00Z".parse().unwrap());
        Self { folder: TempDir::new().unwrap(), upstream, clock }
    }

    async fn run_from(
        &self,
        address: &str,
        accepts: Accepts,
        with_series: bool,
    ) -> Result<Option<ExchangeRateRecord>, RateUpdateError> {
        let source = UpdateSource {
            address: address.to_owned(),
            plain_address: None,
            accepts,
            changes_url: None,
            sha256_url: None,
        };
        let limits = DownloadLimits { attempts: 1, pause: Duration::from_millis(1), ..Default::default() };
        let downloader = Downloader::new(client(USER_AGENT), limits);
        let series = Some(self.upstream.rate_series_url());
        let update = RateUpdate::new(self.folder.path().to_owned(), source, series, &downloader);
        update.run(&self.clock, with_series).await
    }

    async fn run(&self) -> Result<Option<ExchangeRateRecord>, RateUpdateError> {
        self.run_from(&self.upstream.rate_text_url(), Accepts::Published, true).await
    }

    fn record(&self) -> ExchangeRateRecord {
        read(self.folder.path()).unwrap().unwrap()
    }

    fn outcome(&self) -> AttemptOutcome {
        last_attempt(self.folder.path(), &TIPO_DE_CAMBIO).unwrap().outcome
    }
}

fn new(report: Result<Option<ExchangeRateRecord>, RateUpdateError>) -> ExchangeRateRecord {
    report.unwrap().unwrap()
}

#[tokio::test]
async fn an_update_adds_the_text_and_the_missing_days() {
    let world = World::new().await;
    let record = new(world.run().await);
    assert_eq!(record, world.record());
    assert_eq!(record.published[&day("2026-09-08")].sell.to_string(), "3.372");
    let closes: Vec<_> = record.closes.iter().map(|(day, close)| (day.day(), close.is_some())).collect();
    assert_eq!(closes, [(3, true), (4, true), (7, false), (8, false)]);
    assert!(record.edition.label.starts_with("2026-09-08-"), "{}", record.edition.label);
    assert_eq!(world.outcome(), AttemptOutcome::Published { edition: record.edition.label.to_string() });
    assert_eq!(world.run().await.unwrap(), None);
    // The text of today is there, so it is not asked for again.
    assert_eq!(world.upstream.requests_in_all(&Target::RateText), 1);
    assert_eq!(world.upstream.requests_in_all(&Target::RateSeries), 2);
    world.upstream.set_close(day("2026-09-07"), ["3.351", "3.372"]);
    let record = new(world.run().await);
    assert_eq!(record.closes[&day("2026-09-07")].map(shown), Some("3.351 3.372".to_owned()));
}

#[tokio::test]
async fn yesterdays_text_is_kept_under_its_own_day_and_asked_for_again() {
    let world = World::new().await;
    world.upstream.set_rate_text("07/09/2026|3.36|3.369|");
    let days: Vec<_> = new(world.run().await).published.into_keys().collect();
    assert_eq!(days, [day("2026-09-07")]);
    world.upstream.set_rate_text("08/09/2026|3.351|3.372|");
    let days: Vec<_> = new(world.run().await).published.into_keys().collect();
    assert_eq!(days, [day("2026-09-07"), day("2026-09-08")]);
}

#[tokio::test]
async fn a_source_that_answers_with_a_page_is_asked_again_after_a_pause() {
    let world = World::new().await;
    world.upstream.fault(&Target::RateSeries, Page::Firewall, 3);
    world.upstream.fault(&Target::RateText, Page::Captcha, 1);
    let record = new(world.run().await);
    assert_eq!((record.published.len(), record.closes.len()), (1, 4));
    assert_eq!(world.upstream.requests_in_all(&Target::RateSeries), 4);
    world.upstream.fault(&Target::RateSeries, Page::Firewall, usize::MAX);
    let error = world.run().await.unwrap_err();
    assert!(matches!(&error, RateUpdateError::Answer { source: RateAnswerError::WebPage, .. }), "{error:?}");
    assert_eq!(world.record(), record);
}

#[tokio::test]
async fn what_one_source_says_is_kept_when_the_other_fails() {
    for (failing, expected) in [(Target::RateText, (0, 4)), (Target::RateSeries, (1, 0))] {
        let world = World::new().await;
        world.upstream.fault(&failing, Replacement::Status(503), usize::MAX);
        assert!(matches!(world.run().await, Err(RateUpdateError::Download(_))), "{failing:?}");
        let record = world.record();
        assert_eq!((record.published.len(), record.closes.len()), expected, "{failing:?}");
        assert!(world.outcome().is_failure());
    }
}

#[tokio::test]
async fn an_answer_without_a_known_close_is_refused() {
    let world = World::new().await;
    let record = new(world.run().await);
    // As a range of months: every day is n.d.
    let none = r#"{"config":{"series":[{"name":"Compra"},{"name":"Venta"}]},"periods":[{"name":"04.Set.26","values":["n.d.","n.d."]}]}"#;
    world.upstream.fault(&Target::RateSeries, Replacement::Body(200, none), 1);
    let error = world.run().await.unwrap_err();
    assert!(matches!(&error, RateUpdateError::Answer { source: RateAnswerError::Gone(_), .. }), "{error:?}");
    assert_eq!(world.record(), record);
    // A day that is n.d. no longer counts as answered once an answer leaves it out.
    let without = r#"{"config":{"series":[{"name":"Compra"},{"name":"Venta"}]},"periods":[{"name":"08.Set.26","values":["3.4","3.5"]}]}"#;
    world.upstream.fault(&Target::RateSeries, Replacement::Body(200, without), 1);
    let days: Vec<_> = new(world.run().await).closes.into_keys().map(Date::day).collect();
    assert_eq!(days, [3, 4, 8]);
}

#[tokio::test]
async fn the_first_update_replaces_the_sample_and_a_damaged_file() {
    let world = World::new().await;
    write_sample(world.folder.path(), EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS).unwrap();
    let record = new(world.run().await);
    assert_eq!((record.edition.origin, record.closes.len()), (EditionOrigin::Published, 4));
    fs::write(file(world.folder.path()), "damaged").unwrap();
    assert_eq!(new(world.run().await), record);
}

#[tokio::test]
async fn a_record_is_fetched_from_a_builder_whole_or_not_at_all() {
    let (world, built) = (World::new().await, TempDir::new().unwrap());
    write_sample(built.path(), EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS).unwrap();
    let bytes: &'static str = String::from_utf8(fs::read(file(built.path())).unwrap()).unwrap().leak();
    for (answer, is_whole) in [(&bytes[..bytes.len() - 1], false), ("<html>", false), (bytes, true)] {
        world.upstream.fault(&Target::RateText, Replacement::Body(200, answer), 1);
        let report = world.run_from(&world.upstream.rate_text_url(), Accepts::Edition, true).await;
        assert_eq!(report.is_ok(), is_whole, "{report:?}");
        assert_eq!(read(world.folder.path()).unwrap(), is_whole.then(|| read(built.path()).unwrap().unwrap()));
    }
    // The builder is the only source.
    assert_eq!(world.upstream.requests_in_all(&Target::RateSeries), 0);
}

#[test]
fn every_recorded_pair_is_in_the_series() {
    let names = ["bcrp_2026-06-15_2026-06-22_sell_first.json", "bcrp_2026-09-01_2026-09-08_ing.json"];
    let recorded_closes: Vec<_> = names.iter().flat_map(|name| read_series(&recorded(name)).unwrap()).collect();
    let pairs = String::from_utf8(recorded("pairs.csv")).unwrap();
    let mut compared = 0;
    for (close, rates) in recorded_closes.iter().filter_map(|(day, close)| Some((day, (*close)?))) {
        let row: Vec<_> = pairs
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .find(|row| row[0] == close.to_string())
            .unwrap();
        let published =
            read_text(format!("{}|{}|{}|", day(row[3]).dmy(), row[4], row[5]).as_bytes(), Date::MAX).unwrap();
        assert_eq!((published.1, row[6]), (rates, "yes"), "{close}");
        compared += 1;
    }
    assert_eq!(compared, 9);
}
