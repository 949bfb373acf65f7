//! Nine days of the exchange rate, hour by hour, with both sources late, wrong and down: no hour has a wrong rate, and in
//! the end every day has one.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::SignedDuration;
use kuraka_adapters::datasets::exchange_rates::{RateUpdate, read};
use kuraka_adapters::datasets::update::UpdateSource;
use kuraka_adapters::download::{DownloadLimits, Downloader, USER_AGENT};
use kuraka_adapters::http::{ClientLimits, client};
use kuraka_app::{ExchangeRateError, calendar, disagreements, rates_on};
use kuraka_domain::{Date, DayRates, ExchangeRate};
use kuraka_ports::Clock;
use kuraka_ports::fake::ManualClock;
use kuraka_registry::Accepts;
use kuraka_sandbox::upstream::{Delivery, Fault, Framing, Page, Replacement, Target, Upstream};
use tempfile::TempDir;

/// What the central bank answers to a range of months: a known close is gone.
const NO_CLOSES: &str = r#"{"config":{"series":[{"name":"Compra"},{"name":"Venta"}]},"periods":[{"name":"31.Ago.26","values":["n.d.","n.d."]}]}"#;
/// Monday, 31 August 2026.
const FIRST: (u16, u8, u8) = (2026, 8, 31);
/// Wednesday, 9 September 2026.
const HOLIDAY: u8 = 9;

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn fault(&mut self) -> Option<Fault> {
        let faults: [Fault; 8] = [
            Page::Firewall.into(),
            Page::Captcha.into(),
            Fault::Replaced(Replacement::Status(503)),
            Fault::Replaced(Replacement::Empty),
            Fault::Replaced(Replacement::Body(200, NO_CLOSES)),
            Delivery::ResetMidBody.into(),
            Delivery::Cut { at: 18, framing: Framing::UntilClose }.into(),
            Delivery::CloseWithoutStatus.into(),
        ];
        // Down for two thirds of the time.
        faults.get(usize::try_from(self.below(12)).unwrap()).copied()
    }
}

fn after(date: Date, days: i32) -> Date {
    Date::from_days_since_epoch(date.days_since_epoch() + days).unwrap()
}

fn is_business_day(date: Date) -> bool {
    !date.is_weekend() && (date.month(), date.day()) != (9, HOLIDAY)
}

/// The close of each business day: other rates every day, as texts.
fn closes(first: Date) -> BTreeMap<Date, [String; 2]> {
    let days = (0..14).map(|days| after(first, days)).filter(|date| is_business_day(*date));
    days.map(|date| (date, [format!("3.3{:02}", date.day()), format!("3.4{:02}", date.day())])).collect()
}

fn rates([buy, sell]: &[String; 2]) -> DayRates {
    DayRates { buy: ExchangeRate::parse(buy).unwrap(), sell: ExchangeRate::parse(sell).unwrap() }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_hour_has_a_wrong_rate() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let first = Date::new(FIRST.0, FIRST.1, FIRST.2).unwrap();
    let closes = closes(first);
    let truth = |date: Date| closes.range(..date).next_back().map(|(_, close)| rates(close));
    let (mut waited, mut known) = (0, 0);
    let weeks = super::reliability::number("RATE_WEEKS", 1);
    for seed in 1..=weeks {
        let (mut dice, folder) = (Dice(seed), TempDir::new().unwrap());
        let upstream = Upstream::start(([127, 0, 0, 1], 0).into(), Vec::new()).await.unwrap();
        upstream.remove_closes();
        upstream.set_rate_text("");
        // Midnight of the second Monday but one, in Peru.
        let clock = ManualClock::at("2026-09-01T05:00:00Z".parse().unwrap());
        let source = UpdateSource {
            address: upstream.rate_text_url(),
            plain_address: None,
            accepts: Accepts::Published,
            changes_url: None,
            sha256_url: None,
        };
        let limits = DownloadLimits { attempts: 1, pause: Duration::from_micros(1), ..Default::default() };
        let second = Duration::from_secs(20);
        let client = client(USER_AGENT, ClientLimits { connect: second, read: second, total: second }).unwrap();
        let series = Some(upstream.rate_series_url());
        let update = RateUpdate::new(folder.path().to_owned(), source, series, &Downloader::new(client, limits));
        let (mut text_hour, mut late) = (dice.below(12), 1 + dice.below(3));
        for hour in 0..9 * 24 {
            let today = calendar::today(clock.now());
            if hour % 24 == 0 {
                (text_hour, late) = (dice.below(14), 1 + dice.below(3));
            }
            // The text has yesterday's rate until some hour, on some days always.
            let of_text = if hour % 24 >= text_hour && text_hour < 12 { today } else { after(today, -1) };
            if let Some(rates) = truth(of_text) {
                upstream.set_rate_text(&format!("{}|{}|{}|", of_text.dmy(), rates.buy, rates.sell));
            }
            for (date, [buy, sell]) in closes.range(..after(today, -i32::try_from(late).unwrap())) {
                upstream.set_close(*date, [buy.trim_end_matches('0'), sell.trim_end_matches('0')]);
            }
            upstream.heal();
            for target in [Target::RateText, Target::RateSeries] {
                if let Some(fault) = dice.fault() {
                    upstream.fault(&target, fault, usize::MAX);
                }
            }
            let _ = update.run(&clock, true).await;
            let record = read(folder.path()).unwrap();
            for date in (-3..4).map(|days| after(today, days)) {
                match record.as_ref().map(|record| rates_on(record, date, today)) {
                    Some(Ok(day)) => {
                        assert_eq!(Some(day.rates), truth(date), "{date} as of {today}, hour {hour}, seed {seed}");
                        let close = closes.range(..date).next_back().map(|(close, _)| *close);
                        assert!(day.close.is_none() || day.close == close, "{day:?}");
                        known += 1;
                    }
                    Some(Err(ExchangeRateError::Future(day))) => assert!(day > today),
                    Some(Err(_)) | None => waited += 1,
                }
            }
            clock.advance(Duration::from_secs(3_600));
        }
        // A day later both sources are complete.
        upstream.heal();
        clock.set(clock.now() + SignedDuration::from_hours(72));
        for (date, [buy, sell]) in &closes {
            upstream.set_close(*date, [buy, sell]);
        }
        let _ = update.run(&clock, true).await;
        let (record, today) = (read(folder.path()).unwrap().unwrap(), calendar::today(clock.now()));
        for date in (1..11).map(|days| after(first, days)) {
            assert_eq!(rates_on(&record, date, today).ok().map(|day| day.rates), truth(date), "{date}");
        }
        assert_eq!(disagreements(&record).count(), 0);
    }
    // Otherwise it has proved nothing.
    assert!(waited > 30 * weeks && known > 300 * weeks, "{waited} {known}");
}
