//! Voucher series: the table of kinds and forms, tested exhaustively and with hostile texts.

use kuraka_domain::{VoucherKind, VoucherSeries, VoucherSeriesError};
use proptest::prelude::*;

use VoucherKind::{CreditNote, DebitNote, FeeCreditNote, FeeReceipt, Invoice, PurchaseSettlement, SalesReceipt};

const ALPHANUMERICS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The series that this text is for vouchers of this kind.
fn parse(kind: VoucherKind, text: &str) -> Result<VoucherSeries, VoucherSeriesError> {
    VoucherSeries::parse(text)?.for_kind(kind)
}

/// A second implementation of the rules, with one predicate for each kind.
fn reference(kind: VoucherKind, text: &str) -> bool {
    let alphanumeric = (1..=4).contains(&text.chars().count()) && text.chars().all(|c| ALPHANUMERICS.contains(c));
    let physical = alphanumeric && text.chars().all(|c| c.is_ascii_digit());
    let lettered = |letter: char| alphanumeric && text.len() == 4 && text.starts_with(letter);
    match kind {
        Invoice => physical || lettered('F') || text == "E001",
        SalesReceipt => physical || lettered('B') || text == "EB01",
        CreditNote | DebitNote => reference(Invoice, text) || reference(SalesReceipt, text),
        PurchaseSettlement | FeeReceipt | FeeCreditNote => alphanumeric,
    }
}

#[test]
fn each_kind_accepts_its_own_series() {
    for (kind, accepted, refused) in [
        (Invoice, ["F001", "FP01", "FZZZ", "E001", "0001", "7"], ["B001", "EB01", "E002", "F01", "FF", "G001"]),
        (SalesReceipt, ["B001", "B190", "BB01", "EB01", "0001", "12"], ["F001", "E001", "EB02", "B01", "B", "E"]),
        (CreditNote, ["F001", "B001", "E001", "EB01", "0001", "123"], ["E002", "EB02", "T001", "F1", "B1", "A"]),
        (DebitNote, ["F001", "B001", "E001", "EB01", "9999", "0"], ["E002", "EB02", "T001", "F1", "B1", "A"]),
    ] {
        for text in accepted {
            let series = parse(kind, text).expect(text);
            assert_eq!((series.as_str(), series.to_string().as_str()), (text, text));
            assert_eq!(series.is_physical(), text.bytes().all(|byte| byte.is_ascii_digit()), "{text}");
        }
        for text in refused {
            let error = parse(kind, text).expect_err(text);
            assert!(matches!(&error, VoucherSeriesError::Kind { found, .. } if found.as_str() == text), "{error}");
        }
    }
    for kind in [PurchaseSettlement, FeeReceipt, FeeCreditNote] {
        for text in ["E001", "0001", "1", "AB", "L001", "ZZZZ"] {
            assert!(parse(kind, text).is_ok(), "{kind} {text}");
        }
    }
}

#[test]
fn each_error_says_what_is_wrong() {
    let refused = |kind, text| parse(kind, text).expect_err(text);
    assert_eq!(refused(Invoice, ""), VoucherSeriesError::Length { found: 0 });
    assert_eq!(refused(FeeReceipt, "F0001"), VoucherSeriesError::Length { found: 5 });
    assert_eq!(refused(Invoice, "f001"), VoucherSeriesError::Character { position: 1, found: 'f' });
    assert_eq!(refused(Invoice, "F0\u{ff10}1"), VoucherSeriesError::Character { position: 3, found: '\u{ff10}' });
    assert_eq!(refused(FeeReceipt, "\u{d1}001"), VoucherSeriesError::Character { position: 1, found: '\u{d1}' });
    for text in ["F 01", "F-01", "F00\n", "F00\0", "\u{a0}001", "F00\u{200d}", "+001", "\u{661}\u{662}"] {
        for kind in VoucherKind::ALL {
            assert!(matches!(refused(kind, text), VoucherSeriesError::Character { .. }), "{text:?}");
        }
    }
}

#[test]
fn an_error_text_lists_the_series_of_the_kind() {
    let message = |kind, text| parse(kind, text).expect_err(text).to_string();
    assert_eq!(message(Invoice, "B001"), "a voucher of kind 01 has F and three more, E001, or digits, this is B001");
    assert_eq!(
        message(SalesReceipt, "F001"),
        "a voucher of kind 03 has B and three more, EB01, or digits, this is F001"
    );
    assert_eq!(
        message(DebitNote, "T001"),
        "a voucher of kind 08 has F or B and three more, E001, EB01, or digits, this is T001"
    );
    assert_eq!(message(Invoice, "F0001"), "a series has 1 to 4 characters, this has 5");
    assert_eq!(
        message(Invoice, "F00\n"),
        r"a series has upper-case ASCII letters and digits only, position 4 holds '\n'"
    );
}

proptest! {
    #[test]
    fn the_parser_agrees_with_the_reference_model(
        kind in prop::sample::select(VoucherKind::ALL.to_vec()),
        text in prop_oneof!["[FBE][0-9A-Z]{3}", "[0-9A-Z]{0,5}", "E[B0]0[12]", "[0-9A-Za-z\u{660}-\u{669} ]{0,5}", ".{0,5}"],
    ) {
        let read = parse(kind, &text);
        prop_assert_eq!(read.is_ok(), reference(kind, &text), "{} {:?}", kind, text);
        if let Ok(series) = read {
            prop_assert_eq!(series.to_string(), text);
        }
    }

    #[test]
    fn series_sort_like_their_texts(a in "[0-9A-Z]{1,4}", b in "[0-9A-Z]{1,4}") {
        let [x, y] = [&a, &b].map(|text| VoucherSeries::parse(text).expect("alphanumerics"));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
    }
}
