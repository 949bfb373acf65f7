//! Full addresses: the form that every source's record has.

use kuraka_domain::{AnnexPremises, Ruc, TaxpayerSummary, Ubigeo};

#[test]
fn a_full_address_ends_with_the_known_of_district_province_and_department() {
    for (address, ubigeo, expected) in [
        ("AV. UNO NRO. 1", Some("150122"), "AV. UNO NRO. 1 - MIRAFLORES - LIMA - LIMA"),
        ("", Some("070101"), "CALLAO - CALLAO - CALLAO"),
        ("AV. UNO NRO. 1", None, "AV. UNO NRO. 1"),
        ("", None, ""),
        // Founded later than the table.
        ("AV. X", Some("240199"), "AV. X - TUMBES - TUMBES"),
    ] {
        let ubigeo = ubigeo.map(|code| Ubigeo::parse(code).expect(code));
        let of = |ruc: &str| {
            let summary = TaxpayerSummary::empty(Ruc::parse(ruc).expect(ruc));
            TaxpayerSummary { address: address.to_owned(), ubigeo, ..summary }.full_address()
        };
        assert_eq!(of("20131312955"), expected);
        assert_eq!(of("10999990075"), "", "a natural person's");
        assert_eq!(AnnexPremises { address: address.to_owned(), ubigeo }.full_address(), expected);
    }
}
