//! The OpenAPI document is one from which generators make good clients: named types, one type for all errors, no field
//! that may be missing, and examples that fit.

use std::collections::BTreeSet;
use std::time::Duration;

use kuraka_api::{CodeDescription, Operation, cpe, openapi, ruc, ruc_official};
use kuraka_domain::{Envelope, ResultCode};
use serde::Serialize;
use serde_json::{Value, json};

use crate::records::OPERATIONS;

/// Every code with a status of its own, except that `found` has 200.
fn codes() -> Vec<CodeDescription> {
    let describe = |(code, status)| CodeDescription { code, status, message: "Un mensaje." };
    ResultCode::ALL.into_iter().zip([200].into_iter().chain(400..)).map(describe).collect()
}

fn document() -> Value {
    openapi::document(&OPERATIONS, &codes())
}

/// The value that a reference leads to; any other value itself.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    document.pointer(reference.trim_start_matches('#')).unwrap()
}

/// Path and description of every operation, with the `GET` forms.
fn described(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let items = document["paths"].as_object().unwrap().iter();
    items.flat_map(|(path, item)| item.as_object().unwrap().values().map(move |operation| (path, operation)))
}

#[test]
fn the_document_has_every_operation_once_and_both_prefixes_as_servers() {
    let document = document();
    for operation in OPERATIONS {
        let method = operation.method.as_str().to_lowercase();
        let described = &document["paths"][format!("/{}", operation.path)][method];
        assert_eq!(described["summary"], operation.title, "{}", operation.name);
    }
    let get_forms = OPERATIONS.iter().filter(|operation| operation.path_parameter.is_some()).count();
    // `/seguimiento` has two operations.
    assert_eq!(document["paths"].as_object().unwrap().len(), OPERATIONS.len() + get_forms - 1);
    assert_eq!(document["servers"], json!([{"url": "/"}]));
}

#[test]
fn the_document_lists_the_tag_of_every_operation() {
    let document = document();
    for (path, operation) in described(&document) {
        let tag = &operation["tags"][0];
        let known = document["tags"].as_array().unwrap().iter().find(|known| known["name"] == *tag).unwrap();
        assert!(
            known["description"].as_str().is_some_and(|text| text.contains(operation["summary"].as_str().unwrap())),
            "{path}"
        );
    }
    let names: Vec<&Value> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    assert_eq!(names, ["Contribuyentes", "Comprobantes", "Tablas", "Cuenta", "Seguimiento"]);
}

#[test]
fn every_failure_is_the_one_error_type_and_every_success_a_named_answer() {
    let document = document();
    let mut answers = BTreeSet::new();
    for (path, operation) in described(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let schema = &resolve(&document, response)["content"]["application/json"]["schema"];
            if status == "304" {
                assert_eq!((path.as_str(), schema), ("/ubigeos", &Value::Null));
            } else if status == "200" {
                answers.insert(schema["$ref"].as_str().unwrap());
            } else {
                assert_eq!(*schema, json!({"$ref": "#/components/schemas/ErrorAnswer"}), "{path} {status}");
            }
        }
    }
    // One operation answers a record in its path form, and that or a list otherwise.
    assert!(answers.remove("#/components/schemas/TipoDeCambioGetAnswer"), "{answers:?}");
    assert_eq!(answers.len(), OPERATIONS.len(), "{answers:?}");
    assert!(answers.contains("#/components/schemas/RucOfficialAnswer"), "{answers:?}");
}

#[test]
fn operations_that_fail_alike_share_the_response() {
    let document = document();
    let status = |code| codes().iter().find(|described| described.code == code).unwrap().status.to_string();
    let response = |path: &str, code| document["paths"][path]["post"]["responses"][status(code)].clone();
    let shared = json!({"$ref": "#/components/responses/invalid_input"});
    for path in ["/ruc", "/ruc-official", "/cpe"] {
        assert_eq!(response(path, ResultCode::InvalidInput), shared, "{path}");
        assert!(response(path, ResultCode::Found)["content"].is_object(), "{path}");
    }
    for name in ["invalid_input", "document_not_found"] {
        let example = &document["components"]["responses"][name]["content"]["application/json"]["examples"][name];
        assert_eq!(example["value"]["code"], name);
    }
}

/// The schema's required fields are the fields of the written envelope, in its order.
fn has_the_fields_of<T: Serialize>(schema: &Value, envelope: &Envelope<T>, constants: &[&str]) {
    let (written, object) = (serde_json::to_string(envelope).unwrap(), serde_json::to_value(envelope).unwrap());
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|field| field.as_str().unwrap()).collect();
    let places: Vec<_> = required.iter().map(|field| written.find(&format!("\"{field}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{required:?} {written}");
    assert_eq!(
        required.iter().copied().collect::<BTreeSet<_>>(),
        object.as_object().unwrap().keys().map(|key| &**key).collect()
    );
    for field in constants {
        assert_eq!(schema["properties"][field]["const"], object[field]);
    }
}

#[test]
fn the_schemas_of_answers_have_the_fields_of_the_envelope() {
    let schemas = &document()["components"]["schemas"];
    let found = Envelope::Found { data: (), time: Duration::ZERO };
    has_the_fields_of(&schemas["RucAnswer"], &found, &["code"]);
    let known: Vec<&str> = ResultCode::ALL.into_iter().skip(1).map(ResultCode::as_str).collect();
    assert_eq!(schemas["ErrorCode"]["enum"], json!(known));
    for code in ResultCode::ALL.into_iter().skip(1) {
        let failed = Envelope::<()>::Failed { code, message: "Un mensaje.".into(), dates: None };
        has_the_fields_of(&schemas["ErrorAnswer"], &failed, &[]);
    }
}

/// Asserts that no schema below has fields without a name for their type.
fn has_no_nameless_object(name: &str, schema: &Value) {
    for (key, value) in schema.as_object().into_iter().flatten() {
        assert!(key != "properties", "a nested object of {name} has no name: {schema}");
        assert!(key != "anyOf" && key != "allOf", "{name}: {schema}");
        let several = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
        several.iter().for_each(|value| has_no_nameless_object(name, value));
    }
}

/// How many fields of the parts of a batch may be missing: an item was found or not, `ficha` was asked for or not, an
/// issuer stands once for all items or not.
const OPTIONAL: [(&str, usize); 8] = [
    ("DayRecord", 10),
    ("ErrorAnswer", 2),
    ("ExchangeRateRecord", 3),
    ("RucBatchRecord", 2),
    ("RucItemRecord", 4),
    ("TaxpayerData", 20),
    ("VoucherInBatch", 1),
    ("VoucherItemRecord", 10),
];

#[test]
fn every_field_of_an_answer_is_required_and_every_nested_object_has_a_name() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let Some(properties) = schema["properties"].as_object() else { continue };
        let required: BTreeSet<&str> =
            schema["required"].as_array().into_iter().flatten().flat_map(Value::as_str).collect();
        // A field of a request may be missing if it may be null.
        let may_miss =
            |(_, field): &(&String, &Value)| name.ends_with("Request") && field.to_string().contains("\"null\"");
        let expected = properties.iter().filter(|field| !may_miss(field)).map(|(field, _)| field.as_str()).collect();
        match OPTIONAL.iter().find(|(part, _)| part == name) {
            None => assert_eq!(required, expected, "{name}"),
            Some((_, optional)) => assert_eq!(required.len() + optional, properties.len(), "{name}"),
        }
        properties.values().for_each(|property| has_no_nameless_object(name, property));
    }
    let profile = &document["components"]["schemas"]["ProfileRecord"]["properties"];
    assert_eq!(profile["sanciones"]["type"], json!(["array", "null"]));
    assert_eq!(profile["anexos"]["oneOf"][1], json!({"type": "null"}));
}

#[test]
fn a_voucher_request_is_a_flat_object_of_six_fields() {
    let schema = &document()["components"]["schemas"]["VoucherRequest"];
    let keys: Vec<&String> = schema.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["description", "properties", "required", "type"]);
    let properties = schema["properties"].as_object().unwrap();
    let types: Vec<&Value> =
        properties.values().map(|field| &field["type"]).filter(|kind| **kind != "string").collect();
    assert_eq!((properties.len(), types), (6, vec![&Value::Null]));
    let of_total: Vec<&Value> =
        properties["total"]["oneOf"].as_array().unwrap().iter().map(|choice| &choice["type"]).collect();
    assert_eq!(of_total, ["number", "string"]);
    assert_eq!(properties["codigo_tipo_documento"]["enum"], json!(["01", "03", "04", "07", "08", "R1", "R7"]));
}

/// Whether a value has exactly the fields and types of a schema.
fn fits(document: &Value, value: &Value, schema: &Value) -> bool {
    let schema = resolve(document, schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        return choices.iter().filter(|choice| fits(document, value, choice)).count() == 1;
    }
    if schema.get("type").is_none() {
        // Any value.
        return true;
    }
    let allowed = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let is = |name: &str| allowed.contains(&json!(name));
    match value {
        Value::Null => is("null"),
        Value::Bool(_) => is("boolean"),
        Value::Number(number) => is("number") || is("integer") && number.is_u64(),
        Value::String(_) => is("string"),
        Value::Array(items) => is("array") && items.iter().all(|item| fits(document, item, &schema["items"])),
        Value::Object(fields) => {
            let Some(properties) = schema["properties"].as_object() else { return false };
            let all = fields.iter().all(|(key, field)| properties.get(key).is_some_and(|of| fits(document, field, of)));
            let mut required = schema["required"].as_array().into_iter().flatten();
            is("object") && all && required.all(|field| fields.contains_key(field.as_str().unwrap()))
        }
    }
}

#[test]
fn every_example_has_exactly_the_fields_and_types_of_its_schema() {
    let document = document();
    let mut fitted = 0;
    for (path, operation) in described(&document) {
        let bodies = operation["responses"].as_object().unwrap().values();
        let bodies = bodies.filter_map(|response| resolve(&document, response).get("content"));
        let bodies = bodies.map(|content| &content["application/json"]);
        for body in bodies {
            for example in body["examples"].as_object().unwrap().values() {
                assert!(fits(&document, &example["value"], &body["schema"]), "{path}: {example}");
                fitted += 1;
            }
        }
        let request = &operation["requestBody"]["content"]["application/json"];
        assert!(request.is_null() || fits(&document, &request["example"], &request["schema"]), "{path}: {request}");
    }
    assert!(fitted > 100);
    let schema = json!({"$ref": "#/components/schemas/RucRequest"});
    for other in [json!({}), json!({"ruc": 1}), json!({"ruc": "20100119227", "más": 1}), json!(null)] {
        assert!(!fits(&document, &other, &schema), "{other}");
    }
}

#[test]
fn the_example_of_an_answer_is_about_what_its_request_asks() {
    let parsed = |text| serde_json::from_str::<Value>(text).unwrap();
    let mut compared = Vec::new();
    for operation in OPERATIONS {
        let (Some(request), answer) = (operation.request, parsed(operation.response.example)) else { continue };
        for (field, asked) in parsed(request.example).as_object().unwrap() {
            if let Some(told) = answer["data"].get(field) {
                assert_eq!(told, asked, "{} of /{}", field, operation.name);
                compared.push(operation.name);
            }
        }
    }
    for operation in [ruc::OPERATION, ruc_official::OPERATION, cpe::OPERATION] {
        assert!(compared.contains(&operation.name), "{compared:?}");
    }
}

#[test]
fn the_document_has_the_get_forms_with_their_path_parameter() {
    let document = document();
    let with_parameter: Vec<&Operation> =
        OPERATIONS.into_iter().filter(|operation| operation.path_parameter.is_some()).collect();
    assert!(!with_parameter.is_empty());
    for operation in with_parameter {
        let parameter = operation.path_parameter.unwrap();
        let get = &document["paths"][operation.parameter_path().unwrap()]["get"];
        assert_eq!(get["parameters"][0]["name"], parameter);
        assert_eq!(get["parameters"][0]["schema"]["format"], if parameter == "ruc" { "ruc" } else { "dia" });
        let body: Value = serde_json::from_str(operation.request.unwrap().example).unwrap();
        assert_eq!(get["parameters"][0]["example"], body[parameter]);
        assert!(get.get("requestBody").is_none());
    }
}

/// Calls `check` on every object below, and the key that it is under.
fn each_object(key: &str, value: &Value, check: &mut impl FnMut(&str, &serde_json::Map<String, Value>)) {
    if let Some(fields) = value.as_object() {
        check(key, fields);
        fields.iter().for_each(|(key, field)| each_object(key, field, check));
    }
    value.as_array().into_iter().flatten().for_each(|item| each_object(key, item, check));
}

#[test]
fn the_documents_have_nothing_that_generators_cannot_read() {
    let document = document();
    assert!(document.get("webhooks").is_none() && document["info"]["contact"].is_object());
    let webhooks = openapi::webhooks();
    assert!(webhooks["webhooks"].is_object() && webhooks["components"]["schemas"]["WebhookRecord"].is_object());
    for document in [document, webhooks] {
        each_object("", &document, &mut |key, fields| {
            let is_boolean = fields.get("type").is_some_and(|kind| kind == "boolean");
            assert!(!(is_boolean && fields.contains_key("const")), "a boolean constant: {fields:?}");
            assert!(
                key != "oneOf" || !fields.contains_key("$ref") || fields.len() == 1,
                "beside a reference: {fields:?}"
            );
            let reference = fields.get("$ref").and_then(Value::as_str).unwrap_or_default();
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        });
    }
}

#[test]
fn every_operation_has_an_id_of_its_own() {
    let document = document();
    let ids: BTreeSet<&str> = described(&document).map(|(_, item)| item["operationId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), described(&document).count());
    assert!(ids.contains(cpe::OPERATION.name) && ids.contains(format!("{}-get", ruc::OPERATION.name).as_str()));
}
