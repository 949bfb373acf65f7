//! Exchange rates: the official notation, and nothing that only looks like it.

use kuraka_domain::{Currency, ExchangeRate};
use proptest::prelude::*;

#[test]
fn dropped_zeros_are_printed() {
    for (text, thousandths, printed) in
        [("3.36", 3_360, "3.360"), ("3.35", 3_350, "3.350"), ("4", 4_000, "4.000"), ("0.001", 1, "0.001")]
    {
        let rate = ExchangeRate::parse(text).expect(text);
        assert_eq!((rate.thousandths(), rate.to_string().as_str()), (thousandths, printed));
    }
}

#[test]
fn other_texts_are_no_rates() {
    for text in ["", ".", "3.", ".36", "03.36", "0", "0.000", "3,36", "3.3600", "3.41642857142857", "1000", "n.d.", "-"]
    {
        assert!(ExchangeRate::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn only_the_dollar_has_a_rate() {
    assert_eq!(Currency::parse("USD").map(Currency::code), Ok("USD"));
    for text in ["usd", "EUR", "", "USD "] {
        assert!(Currency::parse(text).is_err(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn every_rate_reads_back(thousandths in 1_u32..1_000_000) {
        let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
        let rate = ExchangeRate::parse(&text).expect("a rate");
        prop_assert_eq!((rate.thousandths(), rate.to_string()), (thousandths, text));
    }
}
