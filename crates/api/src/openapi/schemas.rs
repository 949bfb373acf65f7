//! The named schemas: requests, records, the envelope of each operation's record, and the envelope of all errors.

use kuraka_domain::ResultCode;
use serde_json::{Map, Value, json};

use crate::schema::parsed;
use crate::{Operation, Schema};

pub(super) const ERROR: &str = "Error";

pub(super) fn named(operations: &[&Operation]) -> Map<String, Value> {
    let mut named = Map::new();
    for operation in operations {
        let bodies = operation.request.iter().chain([&operation.response]);
        named.extend(bodies.flat_map(|body| (body.schema.build)()));
        named.insert(answer_name(operation), answer(operation));
    }
    let codes: Vec<&str> =
        ResultCode::ALL.map(ResultCode::as_str).into_iter().filter(|code| *code != "found").collect();
    named.insert(
        "ErrorCode".into(),
        json!({"type": "string", "description": "Por qué no hay respuesta.", "enum": codes}),
    );
    named.insert(ERROR.into(), parsed(include_str!("../../schemas/error.json")));
    let day = json!({"type": "string", "format": "date"});
    named.insert(
        "CoveredPeriod".into(),
        json!({"type": "object", "description": "Primer y último día.", "required": ["desde", "hasta"],
            "properties": {"desde": day, "hasta": day}}),
    );
    named
}

/// Such as `RucOfficialAnswer` for `ruc-official`.
pub(super) fn answer_name(operation: &Operation) -> String {
    let words = operation.name.split('-');
    let capital = |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
    words.map(capital).chain(["Answer".to_owned()]).collect()
}

fn answer(operation: &Operation) -> Value {
    json!({
        "type": "object",
        "description": "Una respuesta con datos.",
        "required": ["success", "code", "retryable", "data", "time"],
        "properties": {
            "success": {"type": "boolean", "const": true},
            "code": {"type": "string", "const": ResultCode::Found.as_str()},
            "retryable": {"type": "boolean", "const": ResultCode::Found.retryable()},
            "data": operation.response.schema.reference(),
            "time": {"type": "number", "minimum": 0, "description": "Tiempo de proceso, en segundos."},
        },
    })
}

impl Schema {
    pub(super) fn reference(&self) -> Value {
        reference("schemas", &(self.name)())
    }
}

pub(super) fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}
