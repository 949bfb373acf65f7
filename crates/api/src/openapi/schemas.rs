//! The named schemas: requests, records, the envelope of each operation's record, and the envelope of all errors.

use kuraka_domain::ResultCode;
use serde_json::{Map, Value, json};

use crate::schema::parsed;
use crate::{Operation, Schema};

// Not `Error`, which hides the global of that name in TypeScript.
pub(super) const ERROR: &str = "ErrorAnswer";

pub(super) fn named(operations: &[&Operation]) -> Map<String, Value> {
    let mut named = Map::new();
    for operation in operations {
        let bodies = operation.request.iter().chain([&operation.response]);
        named.extend(bodies.flat_map(|body| (body.schema.build)()));
        let (name, data) = (answer_name(operation), &*(operation.response.schema.name)());
        if !has_choice(operation) {
            named.insert(name, answer(&operation.response.schema.reference()));
            continue;
        }
        let choices = named.remove(data).and_then(|mut data| Some(data.get_mut("oneOf")?.take()));
        let names = [path_answer_name(operation), name.replace("Answer", "ListAnswer")];
        for (name, data) in names.iter().zip(choices.iter().filter_map(Value::as_array).flatten()) {
            named.insert(name.clone(), answer(data));
        }
        named.insert(name, json!({"oneOf": names.map(|name| reference("schemas", &name))}));
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
    plain(named)
}

/// Moves a description that stands beside a reference, which generators do not read, from a choice to its schema.
pub(super) fn plain(schemas: Map<String, Value>) -> Map<String, Value> {
    schemas.into_iter().map(|(name, schema)| (name, plain_value(schema))).collect()
}

fn plain_value(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(plain_value).collect(),
        Value::Object(fields) => {
            let mut fields: Map<_, _> = fields.into_iter().map(|(name, field)| (name, plain_value(field))).collect();
            let choices = fields.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
            let references = choices.filter_map(Value::as_object_mut).filter(|choice| choice.contains_key("$ref"));
            let description = references.filter_map(|choice| choice.remove("description")).last();
            if let Some(description) = description {
                fields.entry("description").or_insert(description);
            }
            Value::Object(fields)
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// Such as `RucOfficialAnswer` for `ruc-official`.
pub(super) fn answer_name(operation: &Operation) -> String {
    let words = operation.name.split('-');
    let capital = |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
    words.map(capital).chain(["Answer".to_owned()]).collect()
}

/// Of the form with the field in the path.
pub(super) fn path_answer_name(operation: &Operation) -> String {
    let name = answer_name(operation);
    if has_choice(operation) { name.replace("Answer", "GetAnswer") } else { name }
}

/// Whether the data is one record, or a list of them if a field other than the path's asks for that. Generators read such a
/// choice between answers, and not below one.
fn has_choice(operation: &Operation) -> bool {
    let data = (operation.response.schema.build)();
    data.get(&*(operation.response.schema.name)()).is_some_and(|data| data.get("oneOf").is_some())
}

fn answer(data: &Value) -> Value {
    json!({
        "type": "object",
        "description": "Una respuesta con datos.",
        "required": ["success", "code", "retryable", "data", "time"],
        "properties": {
            "success": {"type": "boolean", "description": "true."},
            "code": {"type": "string", "const": ResultCode::Found.as_str()},
            "retryable": {"type": "boolean", "description": "false."},
            "data": data,
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
