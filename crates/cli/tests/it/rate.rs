//! `kuraka rate`: the record of this machine, and what it does not know.

use kuraka_adapters::datasets::exchange_rates::write_sample;
use kuraka_sandbox::sample::{EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS};

use super::program::Home;

#[test]
fn a_day_and_a_month_are_printed_from_the_record() {
    let home = Home::new();
    let missing = home.run(&["rate", "2026-09-06"]);
    assert!(missing.stderr.contains("kuraka dataset update tipo_de_cambio"), "{}", missing.stderr);
    write_sample(&home.path("data").join("registry"), EXCHANGE_RATE_SERIES, EXCHANGE_RATE_TEXTS).unwrap();
    let day = home.run(&["rate", "2026-09-06"]).succeeded();
    assert_eq!(day.lines().nth(1), Some("2026-09-06  3.360  3.369  2026-09-04  BCRP"), "{day}");
    let month = home.run(&["rate", "2026-09", "--json"]).succeeded();
    assert!(month.contains("\"compra\": 3.360") && month.contains("\"fuente\": \"SUNAT\""), "{month}");
    for (day, reason) in [("1990-01-02", "does not cover"), ("2126-01-02", "in the future"), ("x", "YYYY-MM-DD")] {
        let refused = home.run(&["rate", day]);
        assert!(refused.stderr.contains(reason), "{day}: {}", refused.stderr);
    }
    let info = home.run(&["dataset", "info", "tipo_de_cambio"]).succeeded();
    assert!(info.contains("BCRP") && info.contains("2026-10-06-"), "{info}");
    let without = home.run(&["dataset", "rollback", "tipo_de_cambio"]);
    assert!(without.stderr.contains("has no editions"), "{}", without.stderr);
}
