//! Kinds of voucher by code.

use kuraka_domain::VoucherKind;

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
    for text in ["", "1", "02", "12", "23", "r1", "R01", " 01", "01 ", "001", "\u{660}1", "01\n", "FACTURA"] {
        let error = text.parse::<VoucherKind>().expect_err(text);
        assert_eq!(&*error.found, text);
        assert_eq!(error.to_string(), format!("a voucher's kind is 01, 03, 04, 07, 08, R1 or R7, this is {text:?}"));
    }
}
