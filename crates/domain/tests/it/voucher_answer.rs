//! The three code tables of a voucher's validation.

use kuraka_domain::{IssuerCondition, IssuerStatus, VoucherStatus};

#[test]
fn the_tables_match_the_manual() {
    let vouchers: Vec<_> = VoucherStatus::KNOWN.iter().map(|known| (known.code(), known.text())).collect();
    assert_eq!(
        vouchers,
        [("0", "NO EXISTE"), ("1", "ACEPTADO"), ("2", "ANULADO"), ("3", "AUTORIZADO"), ("4", "NO AUTORIZADO")]
    );
    let statuses: Vec<_> = IssuerStatus::KNOWN.iter().map(|known| (known.code(), known.text())).collect();
    assert_eq!(
        statuses,
        [
            ("00", "ACTIVO"),
            ("01", "BAJA PROVISIONAL"),
            ("02", "BAJA PROV. POR OFICIO"),
            ("03", "SUSPENSION TEMPORAL"),
            ("10", "BAJA DEFINITIVA"),
            ("11", "BAJA DE OFICIO"),
            ("22", "INHABILITADO-VENT.UNICA"),
        ]
    );
    let conditions: Vec<_> = IssuerCondition::KNOWN.iter().map(|known| (known.code(), known.text())).collect();
    assert_eq!(
        conditions,
        [("00", "HABIDO"), ("09", "PENDIENTE"), ("11", "POR VERIFICAR"), ("12", "NO HABIDO"), ("20", "NO HALLADO")]
    );
}

#[test]
fn leading_zeros_of_an_issuers_code_are_ignored() {
    for zeros in ["", "0", "000"] {
        for known in IssuerStatus::KNOWN {
            assert_eq!(&IssuerStatus::from_code(&format!("{zeros}{}", known.code())), known);
        }
        for known in IssuerCondition::KNOWN {
            assert_eq!(&IssuerCondition::from_code(&format!("{zeros}{}", known.code())), known);
        }
    }
    assert_eq!(IssuerCondition::from_code("9"), IssuerCondition::Pending);
    assert_eq!(IssuerStatus::from_code("").text(), "");
}

#[test]
fn a_vouchers_code_is_compared_whole() {
    for known in VoucherStatus::KNOWN {
        assert_eq!(&VoucherStatus::from_code(known.code()), known);
    }
    // SUNAT's SOAP service: accepted, rejected, withdrawn.
    assert_eq!(VoucherStatus::from_code("0001"), VoucherStatus::Accepted);
    for code in ["0002", "0003", "0004", "0000", "01", "02", "00"] {
        assert_eq!(VoucherStatus::from_code(code), VoucherStatus::Other(code.into()));
    }
}

#[test]
fn an_unknown_code_is_kept_with_an_empty_text() {
    for code in ["", "5", "99", "0005", "-1", " 1", "1 ", "0x1", "0A", "00\u{e9}", "1.0", "\u{661}", "ACEPTADO"] {
        let status = VoucherStatus::from_code(code);
        assert_eq!(status, VoucherStatus::Other(code.into()));
        assert_eq!((status.code(), status.text()), (code, ""));
    }
    assert_eq!(IssuerStatus::from_code("12").text(), "");
    assert_eq!(IssuerCondition::from_code("40").text(), "");
}
