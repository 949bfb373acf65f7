//! Kinds of voucher by code.

use kuraka_domain::{VoucherKind, VoucherKindError};

#[test]
fn the_codes_match_those_of_sunat() {
    assert_eq!(VoucherKind::ALL.map(VoucherKind::code), ["01", "03", "04", "07", "08", "R1", "R7"]);
    for kind in VoucherKind::ALL {
        assert_eq!(kind.code().parse(), Ok(kind));
        assert_eq!(kind.to_string(), kind.code());
    }
}

#[test]
fn another_text_is_not_a_kind() {
    for text in ["02", "12", "23", "r1", "\u{660}1", "1 ", "R\n"] {
        let error = VoucherKind::parse(text).expect_err(text);
        let characters: Vec<char> = text.chars().collect();
        assert_eq!(error, VoucherKindError::Unknown { found: characters.try_into().expect("two") });
        let quoted = text.escape_debug();
        assert_eq!(error.to_string(), format!("a voucher's kind is 01, 03, 04, 07, 08, R1 or R7, this is {quoted}"));
    }
    for (text, found) in [("", 0), ("1", 1), ("\u{660}", 1), ("R01", 3), (" 01", 3), ("01\n", 3), ("FACTURA", 7)] {
        let error = VoucherKind::parse(text).expect_err(text);
        assert_eq!(error, VoucherKindError::Length { found });
        assert_eq!(error.to_string(), format!("the code of a voucher's kind has 2 characters, this has {found}"));
    }
}
