//! Rules that classify an answer: a status, values at pointers, or both. All parts must match. Values are compared
//! whole, not searched for words.

use serde_json::Value;

use super::pointer::Pointer;
use crate::sources::text::folded;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    /// The HTTP status; `None` = any.
    pub(super) status: Option<u16>,
    /// The values required at these pointers: `true`, `false`, whole numbers and texts.
    pub(super) values: Vec<(Pointer, Vec<Value>)>,
}

impl Rule {
    pub(super) fn holds(&self, status: u16, document: &Value) -> bool {
        let value_holds = |(at, wanted): &(Pointer, Vec<Value>)| {
            at.find(document).is_some_and(|value| wanted.iter().any(|wanted| equals(wanted, value)))
        };
        self.status.is_none_or(|wanted| wanted == status) && self.values.iter().all(value_holds)
    }
}

/// In texts, case, runs of blanks and a full stop at the end are ignored.
fn equals(wanted: &Value, value: &Value) -> bool {
    match (wanted, value) {
        (Value::String(wanted), Value::String(text)) => sentence(wanted) == sentence(text),
        _ => wanted == value,
    }
}

fn sentence(text: &str) -> String {
    let folded = folded(text).to_lowercase();
    folded.trim_end_matches(['.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rule(status: Option<u16>, at: &str, wanted: impl Into<Value>) -> Rule {
        Rule { status, values: vec![(Pointer::parse(at).unwrap(), vec![wanted.into()])] }
    }

    #[test]
    fn all_of_a_rule_must_hold() {
        let not_found = rule(Some(404), "/code", "404");
        assert!(not_found.holds(404, &json!({"code": "404"})));
        assert!(!not_found.holds(200, &json!({"code": "404"})));
        assert!(!not_found.holds(404, &json!({"code": 404})));
        assert!(!not_found.holds(404, &json!({"mensaje": "Not Found"})));
    }

    #[test]
    fn a_sentence_is_compared_whole() {
        let rule = rule(None, "/message", "No se encontraron registros");
        assert!(rule.holds(200, &json!({"message": " no se  encontraron registros."})));
        assert!(!rule.holds(200, &json!({"message": "No se encontraron registros por mantenimiento"})));
    }

    #[test]
    fn values_of_different_types_are_different() {
        assert!(!rule(None, "/success", false).holds(200, &json!({"success": "false"})));
        assert!(!rule(None, "/success", false).holds(200, &json!({"success": null})));
        assert!(!rule(None, "/status", 200).holds(200, &json!({"status": "200"})));
        assert!(rule(None, "/status", 200).holds(200, &json!({"status": 200})));
    }
}
