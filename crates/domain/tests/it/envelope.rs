//! The envelope's exact JSON and the closed set of codes.

use kuraka_domain::ResultCode;

#[test]
fn codes_and_their_retryability_match_the_contract() {
    let table: Vec<(&str, bool)> = ResultCode::ALL.iter().map(|code| (code.as_str(), code.retryable())).collect();
    assert_eq!(
        table,
        [
            ("found", false),
            ("invalid_input", false),
            ("date_not_covered", false),
            ("cursor_expired", false),
            ("unauthenticated", false),
            ("forbidden", false),
            ("watch_limit_exceeded", false),
            ("document_not_found", false),
            ("route_not_found", false),
            ("method_not_allowed", false),
            ("payload_too_large", false),
            ("unsupported_media_type", false),
            ("rate_limited", true),
            ("quota_exceeded", false),
            ("upstream_unavailable", true),
            ("service_unavailable", true),
            ("internal_error", true),
        ]
    );
    assert_eq!(ResultCode::QuotaExceeded.to_string(), "quota_exceeded");
}

#[test]
fn a_code_parses_from_its_text() {
    for code in ResultCode::ALL {
        assert_eq!(ResultCode::parse(code.as_str()), Ok(code));
    }
    for text in ["", "Found", "found ", "ok"] {
        let error = ResultCode::parse(text).expect_err(text);
        assert_eq!(error.to_string(), "the text is no result code");
    }
}

#[cfg(feature = "serde")]
mod json {
    use std::borrow::Cow;
    use std::time::Duration;

    use kuraka_domain::{Date, Envelope, ErrorDates, ResultCode, Ruc};
    use proptest::prelude::*;

    fn refusal(json: &str) -> String {
        serde_json::from_str::<Envelope<Ruc>>(json).expect_err(json).to_string()
    }

    #[test]
    fn a_record_has_its_fields_in_the_contracts_order() {
        let data = [Ruc::parse("20131312955").expect("published")];
        let answer = Envelope::Found { data, time: Duration::from_micros(250) };
        let json = r#"{"success":true,"code":"found","retryable":false,"data":["20131312955"],"time":0.00025}"#;
        assert_eq!(serde_json::to_string(&answer).expect("serialises"), json);
        assert_eq!(serde_json::from_str::<Envelope<[Ruc; 1]>>(json).expect(json), answer);
    }

    #[test]
    fn an_error_has_its_fields_in_the_contracts_order() {
        for code in ResultCode::ALL.into_iter().filter(|code| *code != ResultCode::Found) {
            let message = Cow::Borrowed("El RUC \"1\" no existe");
            let answer: Envelope<()> = Envelope::Failed { code, message, dates: None };
            let json = format!(
                r#"{{"success":false,"code":"{code}","retryable":{},"message":"El RUC \"1\" no existe"}}"#,
                code.retryable()
            );
            assert_eq!(serde_json::to_string(&answer).expect("serialises"), json);
            assert_eq!(serde_json::from_str::<Envelope<()>>(&json).expect(&json), answer);
        }
    }

    #[test]
    fn the_dates_of_an_error_come_after_its_message() {
        let date = |text| Date::parse(text).expect(text);
        let (first, last) = (date("2026-11-22"), date("2027-03-02"));
        for (dates, json) in [
            (ErrorDates::Covered(vec![]), r#""cubierto":[]"#),
            (
                ErrorDates::Covered(vec![(first, last), (last, last)]),
                r#""cubierto":[{"desde":"2026-11-22","hasta":"2027-03-02"},{"desde":"2027-03-02","hasta":"2027-03-02"}]"#,
            ),
            (ErrorDates::Since(first), r#""desde":"2026-11-22""#),
        ] {
            let code = ResultCode::DateNotCovered;
            let answer: Envelope<()> = Envelope::Failed { code, message: "No.".into(), dates: Some(dates) };
            let whole =
                format!(r#"{{"success":false,"code":"date_not_covered","retryable":false,"message":"No.",{json}}}"#);
            assert_eq!(serde_json::to_string(&answer).expect("serialises"), whole);
            assert_eq!(serde_json::from_str::<Envelope<()>>(&whole).expect(&whole), answer);
        }
    }

    #[test]
    fn a_short_time_is_a_number_with_an_exponent() {
        for (micros, written) in [(0, "0.0"), (1_500_000, "1.5"), (10, "0.00001"), (9, "9e-6")] {
            let time = Duration::from_micros(micros);
            let json = serde_json::to_string(&Envelope::Found { data: (), time }).expect("serialises");
            assert!(json.ends_with(&format!(r#""time":{written}}}"#)), "{json}");
        }
    }

    #[test]
    fn fields_in_any_order_and_unknown_fields_are_read() {
        let json = r#"{"time":1,"new":[{}],"data":"20131312955","retryable":false,"code":"found","success":true}"#;
        let data = Ruc::parse("20131312955").expect("published");
        let answer = Envelope::Found { data, time: Duration::from_secs(1) };
        assert_eq!(serde_json::from_str::<Envelope<Ruc>>(json).expect(json), answer);
    }

    #[test]
    fn a_record_of_null_is_a_record() {
        let answer = Envelope::Found { data: None::<Ruc>, time: Duration::ZERO };
        let json = serde_json::to_string(&answer).expect("serialises");
        assert!(json.contains(r#""data":null"#), "{json}");
        assert_eq!(serde_json::from_str::<Envelope<Option<Ruc>>>(&json).expect(&json), answer);
    }

    #[test]
    fn an_envelope_that_contradicts_itself_is_rejected() {
        for json in [
            r#"{"success":false,"code":"found","retryable":false,"data":"20131312955","time":0.1}"#,
            r#"{"success":true,"code":"found","retryable":true,"data":"20131312955","time":0.1}"#,
            r#"{"success":true,"code":"forbidden","retryable":false,"message":"No."}"#,
            r#"{"success":false,"code":"rate_limited","retryable":false,"message":"No."}"#,
        ] {
            assert!(refusal(json).starts_with("success and retryable contradict the code"), "{json}");
        }
    }

    #[test]
    fn an_incomplete_envelope_is_rejected() {
        for (json, reason) in [
            (r#"{"success":true,"code":"found","retryable":false,"time":0.1}"#, "missing field `data`"),
            (r#"{"success":true,"code":"found","retryable":false,"data":"20131312955"}"#, "missing field `time`"),
            (r#"{"success":false,"code":"forbidden","retryable":false}"#, "missing field `message`"),
            (r#"{"success":false,"retryable":false,"message":"No."}"#, "missing field `code`"),
            (r#"{"success":false,"code":"no","retryable":false,"message":"No."}"#, "the text is no result code"),
            (r#"{"success":true,"code":"found","retryable":false,"data":"1","time":0.1}"#, "a RUC has 11 digits"),
            (r#"{"success":true,"code":"found","retryable":false,"data":"20131312955","time":-1}"#, "negative"),
        ] {
            assert!(refusal(json).contains(reason), "{json}: {}", refusal(json));
        }
    }

    proptest! {
        #[test]
        fn a_time_in_microseconds_reads_back(micros in prop_oneof![0_u64..20_000_000, 0_u64..1_000_000_000_000]) {
            let answer = Envelope::Found { data: (), time: Duration::from_micros(micros) };
            let json = serde_json::to_string(&answer).expect("serialises");
            prop_assert_eq!(serde_json::from_str::<Envelope<()>>(&json).expect("an envelope"), answer);
        }
    }
}
