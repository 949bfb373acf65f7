//! Voucher numbers: one to eight digits, printed as they were written.

use kuraka_domain::{VoucherNumber, VoucherNumberError};
use proptest::prelude::*;

#[test]
fn a_number_prints_as_it_was_written() {
    for (text, value) in [("0", 0), ("7", 7), ("00000007", 7), ("100672", 100_672), ("99999999", 99_999_999)] {
        let number: VoucherNumber = text.parse().expect(text);
        assert_eq!((number.get(), number.to_string().as_str()), (value, text));
    }
}

#[test]
fn leading_zeros_change_the_value_but_not_the_number() {
    let [short, long]: [VoucherNumber; 2] = ["7", "007"].map(|text| text.parse().expect(text));
    assert_ne!(short, long);
    assert_eq!(short.get(), long.get());
}

#[test]
fn each_error_says_what_is_wrong() {
    let refused = |text: &str| text.parse::<VoucherNumber>().expect_err(text);
    assert_eq!(refused(""), VoucherNumberError::Length { found: 0 });
    assert_eq!(refused("123456789"), VoucherNumberError::Length { found: 9 });
    assert_eq!(refused("-7"), VoucherNumberError::NotADigit { position: 1, found: '-' });
    assert_eq!(refused("1.5"), VoucherNumberError::NotADigit { position: 2, found: '.' });
    assert_eq!(refused("12\u{663}"), VoucherNumberError::NotADigit { position: 3, found: '\u{663}' });
    assert_eq!(refused("123456789").to_string(), "a voucher's number has 1 to 8 digits, this has 9 characters");
    assert_eq!(refused("7\t").to_string(), r"a voucher's number has ASCII digits only, position 2 holds '\t'");
}

proptest! {
    #[test]
    fn a_number_is_one_to_eight_ascii_digits(text in prop_oneof!["[0-9]{0,10}", "[0-9\u{660}-\u{669}+ ]{1,8}", ".{0,9}"]) {
        let well_formed = (1..=8).contains(&text.len()) && text.chars().all(|c| "0123456789".contains(c));
        let read = text.parse::<VoucherNumber>();
        prop_assert_eq!(read.is_ok(), well_formed, "{:?}", text);
        if let Ok(number) = read {
            prop_assert_eq!(number.to_string(), text.clone());
            prop_assert_eq!(text.parse(), Ok(number.get()));
        }
    }
}
