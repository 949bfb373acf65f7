//! Rules that classify an answer: a status, values at pointers, or both.
//!
//! A rule matches if all of its parts match. Values are compared whole; texts are not searched for words.

use serde_json::Value;

use super::pointer::Pointer;
use crate::sources::text::folded;

/// The conditions of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    /// The HTTP status; `None` = any.
    pub(super) status: Option<u16>,
    /// The values required at these pointers.
    pub(super) values: Vec<(Pointer, Vec<Scalar>)>,
}

/// A value to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A text; case, runs of blanks and a full stop at the end are ignored.
    Text(String),
}

impl Rule {
    /// Whether every condition matches.
    pub(super) fn holds(&self, status: u16, document: &Value) -> bool {
        let value_holds = |(at, wanted): &(Pointer, Vec<Scalar>)| {
            at.find(document).is_some_and(|value| wanted.iter().any(|scalar| scalar.equals(value)))
        };
        self.status.is_none_or(|wanted| wanted == status) && self.values.iter().all(value_holds)
    }
}

impl Scalar {
    /// Whether a JSON value equals this one.
    fn equals(&self, value: &Value) -> bool {
        match self {
            Self::Bool(wanted) => value.as_bool() == Some(*wanted),
            Self::Number(wanted) => value.as_i64() == Some(*wanted),
            Self::Text(wanted) => value.as_str().is_some_and(|text| sentence(text) == sentence(wanted)),
        }
    }
}

/// A text in lower case, without runs of blanks and without a full stop at its end.
fn sentence(text: &str) -> String {
    let folded = folded(text).to_lowercase();
    folded.trim_end_matches(['.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rule(status: Option<u16>, at: &str, wanted: Scalar) -> Rule {
        Rule { status, values: vec![(Pointer::parse(at).unwrap(), vec![wanted])] }
    }

    #[test]
    fn all_of_a_rule_must_hold() {
        let not_found = rule(Some(404), "/code", Scalar::Text("404".into()));
        assert!(not_found.holds(404, &json!({"code": "404"})));
        assert!(!not_found.holds(200, &json!({"code": "404"})));
        assert!(!not_found.holds(404, &json!({"code": 404})));
        assert!(!not_found.holds(404, &json!({"mensaje": "Not Found"})));
    }

    #[test]
    fn a_sentence_is_compared_whole() {
        let rule = rule(None, "/message", Scalar::Text("No se encontraron registros".into()));
        assert!(rule.holds(200, &json!({"message": " no se  encontraron registros."})));
        assert!(!rule.holds(200, &json!({"message": "No se encontraron registros por mantenimiento"})));
    }

    #[test]
    fn values_of_different_types_are_different() {
        assert!(!rule(None, "/success", Scalar::Bool(false)).holds(200, &json!({"success": "false"})));
        assert!(!rule(None, "/success", Scalar::Bool(false)).holds(200, &json!({"success": null})));
        assert!(!rule(None, "/status", Scalar::Number(200)).holds(200, &json!({"status": "200"})));
        assert!(rule(None, "/status", Scalar::Number(200)).holds(200, &json!({"status": 200})));
    }
}
