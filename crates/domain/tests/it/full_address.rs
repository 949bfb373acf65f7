//! Full addresses: the form that every source's record has.

use kuraka_domain::{AnnexPremises, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};

fn summary(ruc: &str, address: &str, ubigeo: Option<&str>) -> TaxpayerSummary {
    TaxpayerSummary {
        ruc: Ruc::parse(ruc).expect(ruc),
        name: "UNO S.A.".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: address.to_owned(),
        ubigeo: ubigeo.map(|code| Ubigeo::parse(code).expect(code)),
        withholding_agent: Some(false),
        good_taxpayer: Some(false),
    }
}

#[test]
fn a_full_address_ends_with_district_province_and_department() {
    let company = |address, ubigeo| summary("20131312955", address, ubigeo).full_address();
    assert_eq!(company("AV. UNO NRO. 1", Some("150122")), "AV. UNO NRO. 1 - MIRAFLORES - LIMA - LIMA");
    assert_eq!(company("", Some("070101")), "CALLAO - CALLAO - CALLAO");
    assert_eq!(company("AV. UNO NRO. 1", None), "AV. UNO NRO. 1");
    assert_eq!(company("", None), "");
}

#[test]
fn a_district_that_is_not_in_the_table_is_left_out() {
    let founded_later = Some("240199");
    assert_eq!(summary("20131312955", "AV. X", founded_later).full_address(), "AV. X - TUMBES - TUMBES");
}

#[test]
fn a_natural_person_has_no_full_address() {
    assert_eq!(summary("10999990075", "AV. UNO NRO. 1", Some("150122")).full_address(), "");
}

#[test]
fn an_annex_has_the_same_form_as_a_taxpayer() {
    let annex = |ubigeo: Option<&str>| AnnexPremises {
        address: "JR. DOS NRO. 2".to_owned(),
        ubigeo: ubigeo.and_then(|code| Ubigeo::parse(code).ok()),
    };
    assert_eq!(annex(Some("150122")).full_address(), "JR. DOS NRO. 2 - MIRAFLORES - LIMA - LIMA");
    assert_eq!(annex(None).full_address(), "JR. DOS NRO. 2");
}
