//! Answers, a folder each: `meta.json` has the status, `expected.json` what the answer means. Then every code of the
//! tables, and answers damaged in every place.

use kuraka_adapters::sources::sunat_vouchers::{Statement, explain};
use kuraka_domain::{IssuerCondition, IssuerStatus, VoucherStatus};
use serde_json::{Value, json};

use crate::recorded::recorded;

fn told(body: &[u8], status: u16) -> Value {
    let explanation = explain(body, status);
    let class = explanation.class;
    match explanation.record {
        None => json!({ "class": class }),
        Some(Statement { status, issuer_status, issuer_condition, observations }) => json!({
            "class": class,
            "status": status.text(),
            "issuer_status": issuer_status.map(|status| status.text()),
            "issuer_condition": issuer_condition.map(|condition| condition.text()),
            "observations": observations,
        }),
    }
}

fn answer(data: &str) -> String {
    format!(r#"{{"success":true,"message":"Operation Success! ","data":{data}}}"#)
}

#[test]
fn every_answer_means_what_is_written_beside_it() {
    for case in recorded("sunat_vouchers") {
        let status = case.meta["status"].as_u64().unwrap().try_into().unwrap();
        assert_eq!(told(&case.response, status), case.expected, "{}", case.name);
    }
}

#[test]
fn every_status_with_every_issuer_comes_through() {
    let mut count = 0;
    for status in VoucherStatus::KNOWN {
        for issuer in IssuerStatus::KNOWN.iter().map(Some).chain([None]) {
            for condition in IssuerCondition::KNOWN.iter().map(Some).chain([None]) {
                let mut data = json!({ "estadoCp": status.code() });
                if let Some(issuer) = issuer {
                    data["estadoRuc"] = issuer.code().into();
                }
                if let Some(condition) = condition {
                    data["condDomiRuc"] = condition.code().into();
                }
                let expected = Statement {
                    status: status.clone(),
                    issuer_status: issuer.cloned(),
                    issuer_condition: condition.cloned(),
                    observations: Vec::new(),
                };
                assert_eq!(explain(answer(&data.to_string()).as_bytes(), 200).record, Some(expected));
                count += 1;
            }
        }
    }
    assert_eq!(count, 5 * 8 * 6);
}

#[test]
fn an_answer_cut_anywhere_is_no_answer() {
    for case in recorded("sunat_vouchers").into_iter().filter(|case| case.expected["class"] == "found") {
        let whole = case.response.trim_ascii_end();
        for end in 0..whole.len() {
            let cut = explain(&whole[..end], 200);
            assert_eq!(cut.record, None, "{} cut at {end}", case.name);
        }
    }
}

#[test]
fn one_changed_byte_never_changes_a_vouchers_status() {
    let whole = answer(r#"{"estadoCp":"1","estadoRuc":"00","condDomiRuc":"00","observaciones":["- Uno."]}"#);
    let expected = explain(whole.as_bytes(), 200).record.unwrap();
    // The codes themselves carry no redundancy: a digit turned into another is a different answer, and no parser can tell.
    let digits = |at: usize| whole.as_bytes()[at].is_ascii_digit();
    for at in (0..whole.len()).filter(|at| !digits(*at)) {
        for byte in 0..=u8::MAX {
            let mut changed = whole.clone().into_bytes();
            changed[at] = byte;
            if let Some(statement) = explain(&changed, 200).record {
                assert_eq!(statement.status, expected.status, "byte {at} is {byte}");
            }
        }
    }
}

#[test]
fn a_reason_is_passed_on_clean_and_short() {
    let told = |message: &str| explain(json!({ "message": message }).to_string().as_bytes(), 422).reason;
    assert!(told("  Fecha \n incorrecta ").ends_with(": Fecha incorrecta"));
    assert!(told(&"x".repeat(900)).ends_with(&format!(": {}", "x".repeat(200))));
    for unfit in ["", "<script>", "a\u{1b}[31m", "\u{fffd}"] {
        assert_eq!(explain(json!({ "message": unfit }).to_string().as_bytes(), 422).class, "unreadable", "{unfit:?}");
    }
}
