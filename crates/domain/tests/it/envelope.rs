//! The envelope's exact JSON and the closed set of codes.

use std::collections::HashSet;

use kuraka_domain::ResultCode;

#[test]
fn codes_and_their_retryability_match_the_contract() {
    let table: Vec<(&str, bool)> = ResultCode::ALL.iter().map(|code| (code.as_str(), code.retryable())).collect();
    assert_eq!(
        table,
        [
            ("found", false),
            ("invalid_input", false),
            ("unauthenticated", false),
            ("forbidden", false),
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
    let distinct: HashSet<&str> = ResultCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(distinct.len(), ResultCode::ALL.len());
    assert_eq!(ResultCode::QuotaExceeded.to_string(), "quota_exceeded");
}

#[cfg(feature = "serde")]
mod json {
    use std::borrow::Cow;

    use kuraka_domain::{Envelope, ResultCode, Ruc};

    #[test]
    fn a_record_has_its_fields_in_the_contracts_order() {
        let data = [Ruc::parse("20131312955").expect("published")];
        let answer = Envelope::Found { data, time: 0.000_25 };
        assert_eq!(
            serde_json::to_string(&answer).expect("serialises"),
            r#"{"success":true,"code":"found","retryable":false,"data":["20131312955"],"time":0.00025}"#
        );
    }

    #[test]
    fn an_error_has_its_fields_in_the_contracts_order() {
        for code in ResultCode::ALL.into_iter().filter(|code| *code != ResultCode::Found) {
            let answer: Envelope<()> = Envelope::Failed { code, message: Cow::Borrowed("El RUC \"1\" no existe") };
            assert_eq!(
                serde_json::to_string(&answer).expect("serialises"),
                format!(
                    r#"{{"success":false,"code":"{code}","retryable":{},"message":"El RUC \"1\" no existe"}}"#,
                    code.retryable()
                )
            );
        }
    }

    #[test]
    fn a_short_time_is_a_number_with_an_exponent() {
        for (time, written) in [(0.0, "0.0"), (1.5, "1.5"), (0.000_01, "0.00001"), (0.000_009, "9e-6")] {
            let json = serde_json::to_string(&Envelope::Found { data: (), time }).expect("serialises");
            assert!(json.ends_with(&format!(r#""time":{written}}}"#)), "{json}");
        }
    }
}
