//! Writes the API as an OpenAPI 3.1 document. The schemas come from the records, everything else from the descriptions
//! of the operations and codes.
//!
//! The document is committed as `docs/reference/openapi.json`; a test compares the two.

mod responses;

use serde_json::{Map, Value, json};

use crate::operation::parsed;
use crate::{CodeDescription, Operation};
use responses::reference;

/// The OpenAPI document. It omits codes that `codes` does not describe.
#[must_use]
pub fn document(operations: &[&Operation], codes: &[CodeDescription]) -> Value {
    let (mut paths, mut responses) = (Map::new(), Map::new());
    for (prefix, id_prefix) in [("", ""), ("/api", "api-")] {
        for operation in operations {
            let method = operation.method.as_str().to_lowercase();
            let described = path_item(operation, &format!("{id_prefix}{}", operation.name), codes, &mut responses);
            paths.insert(format!("{prefix}/{}", operation.name), json!({ method: described }));
            if let (Some(parameter), Some(path)) = (operation.path_parameter, operation.parameter_path()) {
                let id = format!("{id_prefix}{}-get", operation.name);
                let described = get_item(operation, parameter, &id, codes, &mut responses);
                paths.insert(format!("{prefix}{path}"), json!({ "get": described }));
            }
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Kuraka",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Consultas de RUC y validación de comprobantes de pago del Perú.",
            "description": "Decida por `code` y `retryable`: \"no existe\", \"no es válido\" y \"no se pudo averiguar\" \
                            nunca se parecen. Cada respuesta lleva `X-Request-Id`.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "kur_ y 36 letras y dígitos"}},
            "schemas": schemas(operations),
            "responses": responses,
            "headers": parsed(include_str!("../schemas/headers.json")),
        },
    })
}

fn path_item(operation: &Operation, id: &str, codes: &[CodeDescription], shared: &mut Map<String, Value>) -> Value {
    let mut item = json!({
        "operationId": id,
        "summary": operation.title,
        "description": operation.description,
        "responses": responses::by_status(operation, operation.all_codes(), codes, shared),
    });
    if let (Some(request), Some(item)) = (&operation.request, item.as_object_mut()) {
        let content = json!({"schema": reference("schemas", request.schema.name), "example": parsed(request.example)});
        item.insert("requestBody".into(), json!({"required": true, "content": {"application/json": content}}));
    }
    item
}

/// The `GET` form of an operation, whose path has this field of the body.
fn get_item(
    operation: &Operation,
    parameter: &str,
    id: &str,
    codes: &[CodeDescription],
    shared: &mut Map<String, Value>,
) -> Value {
    let body = operation.request.map(|request| (request.schema.build)()).unwrap_or_default();
    let schema = body.pointer(&format!("/properties/{parameter}")).cloned().unwrap_or_default();
    let Operation { method, name, description, .. } = operation;
    let method = method.as_str();
    json!({
        "operationId": id,
        "summary": operation.title,
        "description": format!("Lo mismo que {method} /{name}, con el campo {parameter} en la ruta y sin cuerpo. {description}"),
        "parameters": [{"name": parameter, "in": "path", "required": true, "schema": schema}],
        "responses": responses::by_status(operation, operation.codes_of_path(), codes, shared),
    })
}

/// The schemas of all requests and records, by name.
fn schemas(operations: &[&Operation]) -> Map<String, Value> {
    let bodies = operations.iter().flat_map(|operation| operation.request.iter().chain([&operation.response]));
    bodies.map(|body| (body.schema.name.to_owned(), (body.schema.build)())).collect()
}
