//! The DNI: eight digits, in a natural person's RUC and nowhere else, masked.

use kuraka_domain::{Dni, DniError, Ruc, RucKind};
use proptest::prelude::*;

#[test]
fn each_error_says_what_is_wrong() {
    let refused = |text: &str| Dni::parse(text).expect_err(text);
    assert_eq!(refused(""), DniError::Length { found: 0 });
    assert_eq!(refused("1234567"), DniError::Length { found: 7 });
    assert_eq!(refused("12345678-9"), DniError::Length { found: 10 });
    assert_eq!(refused("+1234567"), DniError::NotADigit { position: 1, found: '+' });
    assert_eq!(refused("1234567\u{661}"), DniError::NotADigit { position: 8, found: '\u{661}' });
    assert_eq!(refused("1234567").to_string(), "a DNI has 8 digits, this has 7 characters");
    assert_eq!(refused("1234567\n").to_string(), r"a DNI has ASCII digits only, position 8 holds '\n'");
}

#[test]
fn a_number_of_nine_digits_is_not_a_dni() {
    assert_eq!(Dni::from_number(99_999_999).map(Dni::get), Some(99_999_999));
    assert_eq!(Dni::from_number(100_000_000), None);
}

#[test]
fn debug_masks_a_dni() {
    let dni = Dni::parse("98765432").expect("eight digits");
    assert_eq!(format!("{dni:?}"), "Dni(*****432)");
}

proptest! {
    #[test]
    fn a_dni_is_eight_ascii_digits(text in prop_oneof!["[0-9]{7,9}", "[0-9\u{660}-\u{669}+ ]{8}", ".{0,9}"]) {
        let well_formed = text.len() == 8 && text.chars().all(|c| "0123456789".contains(c));
        let read = Dni::parse(&text);
        prop_assert_eq!(read.is_ok(), well_formed, "{:?}", text);
        if let Ok(dni) = read {
            prop_assert_eq!(dni.to_string(), text.clone());
            prop_assert_eq!(text.parse(), Ok(dni.get()));
        }
    }

    #[test]
    fn a_natural_persons_ruc_contains_the_dni(number in 0..100_000_000_u32) {
        let dni = Dni::from_number(number).expect("eight digits");
        let ruc = Ruc::from_dni(dni);
        prop_assert_eq!(Ok(ruc), Ruc::from_parts(RucKind::NaturalPerson, number));
        prop_assert_eq!(Ruc::parse(&ruc.to_string()), Ok(ruc));
        prop_assert_eq!(&ruc.to_string()[2..10], dni.to_string());
        prop_assert_eq!(ruc.dni(), Some(dni));
    }
}
