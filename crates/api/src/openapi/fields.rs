//! The fields of an operation's request and answer for people, from the schemas of the OpenAPI document.

use serde_json::Value;

use crate::Operation;

/// Nested schemas are followed to this depth.
const DEPTH: usize = 5;

/// A field of a request or of an answer.
#[derive(Clone, Debug)]
pub struct Field {
    /// With the fields around it, such as `emision_electronica.desde`; `[]` follows the name of a list.
    pub path: String,
    /// The JSON type, in Spanish.
    pub kind: String,
    /// What it means.
    pub meaning: String,
    /// The possible values, if they are few.
    pub values: Vec<String>,
    /// The page's list of possible values; empty if there is none.
    pub list: &'static str,
}

/// The fields of the body; none if the operation has no body.
#[must_use]
pub fn sent(document: &Value, operation: &Operation) -> Vec<Field> {
    let example = operation.request.map_or("", |body| body.example);
    let content = described(document, operation).and_then(|described| described.get("requestBody"));
    fields(document, content.and_then(|body| schema_of(document, body)), example)
}

/// The fields of `data`.
#[must_use]
pub fn answered(document: &Value, operation: &Operation) -> Vec<Field> {
    let found = described(document, operation).and_then(|described| described.pointer("/responses/200"));
    let envelope = found.and_then(|response| schema_of(document, response));
    let data = envelope.and_then(|envelope| property(document, envelope, "data", DEPTH));
    let example = operation.response.example;
    fields(document, data, example.split_once("\"data\"").map_or(example, |(_, data)| data))
}

/// The description of the operation at its own name.
fn described<'a>(document: &'a Value, operation: &Operation) -> Option<&'a Value> {
    let paths = document.get("paths")?.as_object()?;
    let (_, item) = paths.iter().find(|(path, _)| path.strip_prefix('/') == Some(operation.path))?;
    item.get(operation.method.as_str().to_ascii_lowercase())
}

fn schema_of<'a>(document: &'a Value, body: &'a Value) -> Option<&'a Value> {
    resolved(document, body).pointer("/content/application~1json/schema")
}

/// The target of a reference; anything else is itself.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(schema)
}

/// A schema and the schemas that it consists of or is one of, without references.
fn parts<'a>(document: &'a Value, schema: &'a Value, depth: usize) -> Vec<&'a Value> {
    let schema = resolved(document, schema);
    let inner = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    let inner = inner.filter(|_| depth > 0).flat_map(|part| parts(document, part, depth - 1));
    std::iter::once(schema).chain(inner).collect()
}

fn property<'a>(document: &'a Value, schema: &'a Value, name: &str, depth: usize) -> Option<&'a Value> {
    parts(document, schema, depth).into_iter().find_map(|part| part.get("properties")?.get(name))
}

fn fields(document: &Value, schema: Option<&Value>, example: &str) -> Vec<Field> {
    let mut found = Vec::new();
    if let Some(schema) = schema {
        collect(document, schema, "", example, DEPTH, &mut found);
    }
    found
}

/// Adds the fields of a schema, or of a list's entries, in the order of the example.
fn collect(document: &Value, schema: &Value, around: &str, example: &str, depth: usize, found: &mut Vec<Field>) {
    let Some(deeper) = depth.checked_sub(1) else { return };
    let parts = parts(document, schema, DEPTH);
    if let Some(entries) = parts.iter().find_map(|part| part.get("items")) {
        return collect(document, entries, &format!("{around}[]"), example, deeper, found);
    }
    let mut named: Vec<(&String, &Value)> = Vec::new();
    for (name, property) in parts.iter().filter_map(|part| part.get("properties")?.as_object()).flatten() {
        if named.iter().all(|(known, _)| *known != name) {
            named.push((name, property));
        }
    }
    let place = |name: &str| example.find(&format!("\"{name}\"")).unwrap_or(usize::MAX);
    named.sort_by_key(|(name, _)| place(name));
    for (name, property) in named {
        let path = if around.is_empty() { name.clone() } else { format!("{around}.{name}") };
        let at = example.get(place(name)..).unwrap_or(example);
        found.push(field(document, name, property, path.clone()));
        collect(document, property, &path, at, deeper, found);
    }
}

fn field(document: &Value, name: &str, schema: &Value, path: String) -> Field {
    let parts = parts(document, schema, DEPTH);
    let text = |key: &str| parts.iter().filter_map(|part| part.get(key)?.as_str()).next_back();
    // A description beside a reference is more specific than the referenced schema's.
    let meaning = schema.get("description").and_then(Value::as_str).or_else(|| text("description"));
    let entries =
        parts.iter().filter_map(|part| part.get("items")).flat_map(|items| self::parts(document, items, DEPTH));
    let named = parts.iter().copied().chain(entries);
    let values = named.filter_map(|part| part.get("enum")?.as_array()).flatten().filter_map(Value::as_str);
    Field {
        path,
        kind: kind(document, &parts),
        meaning: meaning.unwrap_or_default().to_owned(),
        values: values.map(str::to_owned).collect(),
        list: match name {
            "estado" | "empresa_estado_descripcion" => "estados",
            "condicion" | "empresa_condicion_descripcion" => "condiciones",
            "departamento" => "departamentos",
            "comprobante_estado_codigo" | "comprobante_estado_descripcion" => "estados-de-comprobante",
            _ => "",
        },
    }
}

/// The JSON types of a schema, in Spanish.
fn kind(document: &Value, all: &[&Value]) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for part in all {
        let types = match part.get("type") {
            Some(Value::String(only)) => vec![only.as_str()],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for name in types {
            let word = match name {
                "string" if part.get("format").and_then(Value::as_str) == Some("date") => "fecha AAAA-MM-DD".to_owned(),
                "string" => "texto".to_owned(),
                "integer" => match part.get("minimum").zip(part.get("maximum")) {
                    Some((least, most)) => format!("entero de {least} a {most}"),
                    None => "entero".to_owned(),
                },
                "number" => "número".to_owned(),
                "boolean" => "true o false".to_owned(),
                "object" => "objeto".to_owned(),
                "array" => {
                    let entries = part.get("items").map(|entries| parts(document, entries, DEPTH)).unwrap_or_default();
                    format!("lista de {}", kind(document, &entries))
                }
                other => other.to_owned(),
            };
            if !kinds.contains(&word) {
                kinds.push(word);
            }
        }
    }
    kinds.sort_by_key(|kind| kind == "null");
    kinds.join(" o ")
}
