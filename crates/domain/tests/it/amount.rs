//! Amounts: exact decimals, hostile notations, a reference model.

use kuraka_domain::{Amount, AmountError};
use proptest::prelude::*;

/// A second implementation of the rules, which splits the text and uses 128-bit integers.
fn reference(text: &str) -> Option<i128> {
    let mut parts = text.split('.');
    let (integer, decimals) = (parts.next()?, parts.next());
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !plain(integer) || !decimals.map_or(true, plain) {
        return None;
    }
    let value: i128 = integer.parse().ok()?;
    let cents: i128 = match decimals.unwrap_or("0").as_bytes() {
        [tenths] => i128::from(tenths - b'0') * 10,
        [tenths, hundredths] => i128::from(tenths - b'0') * 10 + i128::from(hundredths - b'0'),
        _ => return None,
    };
    (value.to_string() == integer && value < 1_000_000_000_000).then_some(value * 100 + cents)
}

#[test]
fn an_amount_is_exact_and_printed_with_two_decimals() {
    for (text, centimos, printed) in [
        ("0", 0, "0.00"),
        ("0.0", 0, "0.00"),
        ("0.01", 1, "0.01"),
        ("0.1", 10, "0.10"),
        ("0.29", 29, "0.29"),
        ("1.15", 115, "1.15"),
        ("70", 7_000, "70.00"),
        ("118.00", 11_800, "118.00"),
        ("1180.5", 118_050, "1180.50"),
        ("4503599627.37", 450_359_962_737, "4503599627.37"),
        ("999999999999.99", 99_999_999_999_999, "999999999999.99"),
    ] {
        let amount: Amount = text.parse().expect(text);
        assert_eq!((amount.centimos(), amount.to_string().as_str()), (centimos, printed));
    }
    assert_eq!("999999999999.99".parse(), Ok(Amount::MAX));
    assert_eq!("0".parse(), Ok(Amount::ZERO));
    assert_eq!(Amount::default(), Amount::ZERO);
}

#[test]
fn each_error_says_what_is_wrong() {
    let character = |position, found| AmountError::Character { position, found };
    for (text, error) in [
        ("-1", character(1, '-')),
        ("-0", character(1, '-')),
        ("+1", character(1, '+')),
        ("1e3", character(2, 'e')),
        ("1E400", character(2, 'E')),
        ("1.5e2", character(4, 'e')),
        ("1,180.50", character(2, ',')),
        ("1180,50", character(5, ',')),
        ("1.2.3", character(4, '.')),
        (" 1", character(1, ' ')),
        ("1.0\u{a0}", character(4, '\u{a0}')),
        ("1.\u{661}", character(3, '\u{661}')),
        ("\u{661}.x", character(1, '\u{661}')),
        ("NaN", character(1, 'N')),
        ("Infinity", character(1, 'I')),
        ("0x10", character(2, 'x')),
        ("S/ 10", character(1, 'S')),
        ("", AmountError::MissingDigit),
        (".", AmountError::MissingDigit),
        (".5", AmountError::MissingDigit),
        ("5.", AmountError::MissingDigit),
        ("00", AmountError::LeadingZero),
        ("007.50", AmountError::LeadingZero),
        ("1.000", AmountError::TooPrecise { decimals: 3 }),
        ("0.12345678901234567", AmountError::TooPrecise { decimals: 17 }),
        ("1000000000000", AmountError::OutOfRange),
        ("1000000000000.00", AmountError::OutOfRange),
        ("123456789012345678901234567890", AmountError::OutOfRange),
    ] {
        assert_eq!(text.parse::<Amount>(), Err(error), "{text:?}");
    }
}

#[test]
fn error_texts_show_a_valid_form() {
    for (text, message) in [
        ("1e3", "an amount is written as plain digits with at most one point, position 2 holds 'e'"),
        (".5", "an amount has a digit before its point and one after it, as in 0.50"),
        ("07", "an amount has no leading zeros, as in 7.00 and 0.70"),
        ("1.234", "an amount has at most 2 decimals, this has 3"),
        ("1000000000000", "an amount is from 0 to 999999999999.99"),
    ] {
        assert_eq!(text.parse::<Amount>().expect_err(text).to_string(), message);
    }
}

#[test]
fn centimos_outside_the_range_are_rejected() {
    assert_eq!(Amount::from_centimos(-1), Err(AmountError::OutOfRange));
    assert_eq!(Amount::from_centimos(i64::MIN), Err(AmountError::OutOfRange));
    assert_eq!(Amount::from_centimos(Amount::MAX.centimos() + 1), Err(AmountError::OutOfRange));
    assert_eq!(Amount::from_centimos(Amount::MAX.centimos()), Ok(Amount::MAX));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_printed_amount_parses_to_the_same_value(centimos in 0..=Amount::MAX.centimos()) {
        let amount = Amount::from_centimos(centimos).expect("in range");
        let text = amount.to_string();
        prop_assert_eq!(text.parse(), Ok(amount));
        let shortened = text.trim_end_matches('0').trim_end_matches('.');
        prop_assert_eq!(shortened.parse(), Ok(amount));
        prop_assert_eq!(reference(&text), Some(i128::from(centimos)));
    }

    #[test]
    fn the_parser_agrees_with_the_reference_model(
        text in prop_oneof!["[0-9]{1,14}", "[0-9]{1,13}\\.[0-9]{0,3}", "[-+0-9.eE]{0,6}", ".{0,8}"],
    ) {
        let read = text.parse::<Amount>().ok().map(|amount| i128::from(amount.centimos()));
        prop_assert_eq!(read, reference(&text), "{:?}", text);
    }
}
