//! Types of taxpayer: every wording of every year has its code.

use std::collections::BTreeSet;

use kuraka_domain::TaxpayerType;
use kuraka_domain::text::folded;

#[test]
fn every_wording_of_a_type_is_found() {
    let mut seen = BTreeSet::new();
    for (index, known) in TaxpayerType::ALL.into_iter().enumerate() {
        assert_eq!(usize::from(known.code()), index + 1);
        assert_eq!(TaxpayerType::parse(&known.to_string()), Ok(known));
        for wording in known.wordings().iter().copied().chain([known.text()]) {
            assert!(seen.insert(folded(wording)), "{wording} occurs twice");
            assert_eq!(TaxpayerType::find(wording), Some(known));
        }
    }
}

#[test]
fn an_unknown_wording_is_no_type() {
    for text in ["NUCLEOS EJECUTORES", "", "SOCIEDAD"] {
        assert_eq!(TaxpayerType::find(text), None);
        let error = text.parse::<TaxpayerType>().expect_err(text);
        assert_eq!(error.to_string(), "the text is no known type of taxpayer");
    }
}
