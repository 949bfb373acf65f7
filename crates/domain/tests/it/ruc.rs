//! The RUC: official examples, a reference model, hostile texts, masking.

use kuraka_domain::{Dni, Ruc, RucError, RucKind};
use proptest::prelude::*;

/// Numbers of public bodies and companies, as SUNAT publishes them.
const PUBLISHED: [&str; 9] = [
    "20131312955",
    "20272209325",
    "20101599206",
    "20330791412",
    "20100193117",
    "20440374248",
    "20550263948",
    "20207845044",
    "20256136865",
];

/// A second implementation of the rules, which works on characters and looks up the complement of the sum.
fn reference(text: &str) -> bool {
    let digits: Vec<usize> = text.chars().filter_map(|c| "0123456789".find(c)).collect();
    if text.chars().count() != 11 || digits.len() != 11 {
        return false;
    }
    let weighted: usize =
        [5, 4, 3, 2, 7, 6, 5, 4, 3, 2].iter().zip(&digits).map(|(weight, digit)| weight * digit).sum();
    let demanded = [1, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1][weighted % 11];
    ["10", "15", "16", "17", "20"].contains(&&text[..2]) && digits[10] == demanded
}

fn kinds() -> impl Strategy<Value = RucKind> {
    prop::sample::select(RucKind::ALL.to_vec())
}

#[test]
fn published_numbers_parse_and_print_the_same() {
    for text in PUBLISHED {
        let ruc = Ruc::parse(text).expect(text);
        assert_eq!(ruc.to_string(), text);
        assert_eq!(ruc.kind(), RucKind::LegalPerson);
        assert_eq!(Ruc::from_ascii(text.as_bytes()), Ok(ruc));
        assert_eq!(Ruc::try_from(ruc.get()), Ok(ruc));
        assert_eq!(u64::from(ruc).to_string(), text);
    }
}

#[test]
fn each_error_says_what_is_wrong() {
    let refused = |text: &str| Ruc::parse(text).expect_err(text);
    assert_eq!(refused(""), RucError::Length { found: 0 });
    assert_eq!(refused("2013131295"), RucError::Length { found: 10 });
    assert_eq!(refused("201313129555"), RucError::Length { found: 12 });
    assert_eq!(refused("20131312955\n"), RucError::Length { found: 12 });
    assert_eq!(refused("+2013131295"), RucError::NotADigit { position: 1, found: '+' });
    assert_eq!(refused("2013131295\u{a0}"), RucError::NotADigit { position: 11, found: '\u{a0}' });
    assert_eq!(refused("2013131295\u{b2}"), RucError::NotADigit { position: 11, found: '\u{b2}' });
    assert_eq!(refused("2\u{ff10}131312955"), RucError::NotADigit { position: 2, found: '\u{ff10}' });
    assert_eq!(refused("00000000000"), RucError::Prefix { found: 0 });
    assert_eq!(refused("01131312955"), RucError::Prefix { found: 1 });
    assert_eq!(refused("99999999999"), RucError::Prefix { found: 99 });
    assert_eq!(refused("20131312954"), RucError::CheckDigit { found: 4, expected: 5 });
    assert_eq!(Ruc::from_parts(RucKind::Estate, 100_000_000), Err(RucError::Length { found: 12 }));
}

#[test]
fn positions_count_characters_in_a_text_and_bytes_in_bytes() {
    let wide = "\u{ff12}\u{ff10}131312955";
    assert_eq!(Ruc::parse(wide), Err(RucError::NotADigit { position: 1, found: '\u{ff12}' }));
    assert_eq!(Ruc::from_ascii(wide.as_bytes()), Err(RucError::Length { found: 15 }));
    // The text has eleven bytes and ten characters.
    let short = "2013131\u{e9}95";
    assert_eq!(Ruc::parse(short), Err(RucError::Length { found: 10 }));
    assert_eq!(Ruc::from_ascii(short.as_bytes()), Err(RucError::NotADigit { position: 8, found: '\u{c3}' }));
}

#[test]
fn the_count_of_digits_is_checked_first() {
    assert_eq!(Ruc::try_from(0), Err(RucError::Length { found: 1 }));
    assert_eq!(Ruc::try_from(123), Err(RucError::Length { found: 3 }));
    assert_eq!(Ruc::try_from(2_013_131_295), Err(RucError::Length { found: 10 }));
    assert_eq!(Ruc::try_from(120_131_312_955), Err(RucError::Length { found: 12 }));
    assert_eq!(Ruc::try_from(u64::MAX), Err(RucError::Length { found: 20 }));
    assert_eq!(Ruc::try_from(99_999_999_999), Err(RucError::Prefix { found: 99 }));
}

#[test]
fn error_texts_escape_what_they_quote() {
    let texts = [
        (RucError::Length { found: 10 }, "a RUC has 11 digits, this has 10 characters"),
        (RucError::NotADigit { position: 3, found: '\n' }, r"a RUC has ASCII digits only, position 3 holds '\n'"),
        (RucError::Prefix { found: 1 }, "a RUC begins with 10, 15, 16, 17 or 20, this begins with 01"),
        (RucError::CheckDigit { found: 4, expected: 5 }, "the check digit is 4, the first ten digits demand 5"),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn each_kind_has_one_prefix() {
    let of_a_kind: Vec<u8> = (0..=u8::MAX).filter(|prefix| RucKind::from_prefix(*prefix).is_some()).collect();
    assert_eq!(of_a_kind, RucKind::ALL.map(RucKind::prefix));
    for kind in RucKind::ALL {
        assert_eq!(RucKind::from_prefix(kind.prefix()), Some(kind));
    }
}

#[test]
fn prefix_10_has_a_dni_and_prefix_20_is_not_personal() {
    for kind in RucKind::ALL {
        let ruc = Ruc::from_parts(kind, 1_234_567).expect("seven digits");
        assert_eq!(ruc.kind(), kind);
        assert_eq!(ruc.dni(), Dni::from_number(1_234_567).filter(|_| kind == RucKind::NaturalPerson));
        assert_eq!(ruc.is_personal(), kind != RucKind::LegalPerson);
    }
}

#[test]
fn debug_masks_a_person_and_prints_a_company() {
    let company = Ruc::parse("20131312955").expect("published");
    assert_eq!(format!("{company:?}"), "Ruc(20131312955)");
    for kind in RucKind::ALL {
        let ruc = Ruc::from_parts(kind, 98_765_432).expect("eight digits");
        let shown = format!("{:?}", Some(ruc));
        assert_eq!(shown.contains("98765432"), kind == RucKind::LegalPerson, "{shown}");
        assert_eq!(shown.contains("******"), kind != RucKind::LegalPerson, "{shown}");
    }
}

proptest! {
    #[test]
    fn a_ruc_built_from_parts_parses(kind in kinds(), body in 0..100_000_000_u32) {
        let ruc = Ruc::from_parts(kind, body).expect("eight digits");
        let text = ruc.to_string();
        prop_assert!(reference(&text), "{}", text);
        prop_assert_eq!(Ruc::parse(&text), Ok(ruc));
        prop_assert_eq!(Ruc::try_from(ruc.get()), Ok(ruc));
        prop_assert_eq!((ruc.kind(), ruc.prefix(), ruc.body()), (kind, kind.prefix(), body));
    }

    #[test]
    fn the_parser_agrees_with_the_reference_model(
        text in prop_oneof!["(10|15|16|17|20)[0-9]{9}", "[0-9]{10,12}", "[12][05-7][0-9]{8}[0-9\u{660}-\u{669} +]", ".{0,13}"],
    ) {
        let read = Ruc::parse(&text);
        prop_assert_eq!(read.is_ok(), reference(&text), "{:?} gives {:?}", text, read);
        prop_assert_eq!(Ruc::from_ascii(text.as_bytes()).ok(), read.ok());
        if let Ok(ruc) = read {
            prop_assert_eq!(ruc.to_string(), text);
        }
    }

    #[test]
    fn a_number_and_its_text_give_the_same_result(number in prop_oneof![any::<u64>(), 10_000_000_000..21_000_000_000_u64]) {
        prop_assert_eq!(Ruc::try_from(number).ok(), Ruc::parse(&number.to_string()).ok());
    }
}
