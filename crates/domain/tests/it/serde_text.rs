//! Small values serialise as strings and deserialise from nothing else.

use kuraka_domain::{
    Amount, Currency, Date, Dni, DomicileCondition, ExchangeRate, IssueDate, ResultCode, Ruc, TaxpayerStatus,
    TaxpayerType, Ubigeo, VoucherKind, VoucherNumber, VoucherSeries, VoucherStatus,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn reads_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(json: &str) {
    let value: T = serde_json::from_str(json).expect(json);
    assert_eq!(serde_json::to_string(&value).expect("serialises"), json);
    // Formats that buffer pass an owned string.
    let owned = serde_json::from_str::<serde_json::Value>(json).expect(json);
    assert_eq!(serde_json::from_value::<T>(owned).expect(json), value);
}

fn refusal<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
    serde_json::from_str::<T>(json).expect_err(json).to_string()
}

#[test]
fn values_deserialize_from_their_texts() {
    reads_back::<Ruc>(r#""20131312955""#);
    reads_back::<Date>(r#""2025-10-07""#);
    reads_back::<Ubigeo>(r#""070101""#);
    reads_back::<Amount>(r#""118.00""#);
    reads_back::<VoucherKind>(r#""R1""#);
    reads_back::<VoucherNumber>(r#""00000007""#);
    reads_back::<Dni>(r#""01234567""#);
    reads_back::<VoucherSeries>(r#""F001""#);
    reads_back::<TaxpayerType>(r#""SOCIEDAD ANONIMA""#);
    reads_back::<ResultCode>(r#""found""#);
    reads_back::<ExchangeRate>(r#""3.360""#);
    reads_back::<Currency>(r#""USD""#);
    reads_back::<TaxpayerStatus>(r#""PENDIENTE DE INI. DE""#);
    reads_back::<DomicileCondition>(r#""HABIDO""#);
    reads_back::<VoucherStatus>(r#""1""#);
}

#[test]
fn an_escaped_text_is_unescaped() {
    let ruc: Ruc = serde_json::from_str(r#""\u0032\u0030131312955""#).expect("escaped");
    assert_eq!(ruc.to_string(), "20131312955");
}

#[test]
fn a_value_without_a_parser_serializes_as_its_text() {
    let day = Date::new(2025, 10, 8).expect("a day");
    let issued = IssueDate::new(day, day).expect("today");
    assert_eq!(serde_json::to_string(&issued).expect("serialises"), r#""2025-10-08""#);
}

#[test]
fn a_json_number_is_rejected() {
    assert!(refusal::<Ruc>("20131312955").contains("expected a RUC of 11 digits"));
    assert!(refusal::<Amount>("118.00").contains("expected an amount as text"));
    assert!(refusal::<Ubigeo>("70101").contains("expected a ubigeo of six digits"));
    for json in ["null", "[]", "{}", "true", r#"["20131312955"]"#] {
        assert!(refusal::<Ruc>(json).contains("expected a RUC of 11 digits"), "{json}");
    }
}

#[test]
fn the_error_is_that_of_the_parser() {
    assert!(refusal::<Ruc>(r#""20131312954""#).starts_with("the check digit is 4, the first ten digits demand 5"));
    assert!(refusal::<Date>(r#""2023-02-29""#).starts_with("there is no day 2023-02-29"));
}
