//! Any text as a series of any kind of voucher: an accepted series is valid for the kind and prints as it was.

#![no_main]

use kuraka_domain::{VoucherKind, VoucherSeries};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (index, text) = input;
    let kind = VoucherKind::ALL[usize::from(index) % VoucherKind::ALL.len()];
    match VoucherSeries::parse(text).and_then(|series| series.for_kind(kind)) {
        Ok(series) => {
            assert_eq!(series.to_string(), text);
            assert!((1..=4).contains(&text.len()));
            assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()));
            let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
            assert_eq!(series.is_physical(), digits_only);
            match kind {
                VoucherKind::Invoice => assert!(digits_only || text.starts_with('F') || text == "E001"),
                VoucherKind::SalesReceipt => assert!(digits_only || text.starts_with('B') || text == "EB01"),
                VoucherKind::CreditNote | VoucherKind::DebitNote => {
                    assert!(digits_only || text.starts_with(['F', 'B']) || text == "E001" || text == "EB01");
                }
                VoucherKind::PurchaseSettlement | VoucherKind::FeeReceipt | VoucherKind::FeeCreditNote => {}
            }
        }
        Err(error) => assert!(!error.to_string().chars().any(char::is_control), "{error}"),
    }
});
