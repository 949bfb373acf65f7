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
