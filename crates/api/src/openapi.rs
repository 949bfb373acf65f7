//! Writes the API as an OpenAPI 3.1 document for generators of clients: every type has a name, and all errors are one
//! type. What generators cannot read stays out: constants of type boolean, descriptions beside references, webhooks.
//!
//! Two documents are committed, `docs/reference/openapi.json` and `webhooks.json`; a test compares them.

pub mod fields;
mod responses;
mod schemas;

use serde_json::{Map, Value, json};

use crate::schema::parsed;
use crate::{CodeDescription, Operation, webhook};

/// The OpenAPI document. It omits codes that `codes` does not describe.
#[must_use]
pub fn document(operations: &[&Operation], codes: &[CodeDescription]) -> Value {
    let (mut paths, mut responses) = (Map::new(), Map::new());
    let mut tags = Vec::<(&str, Vec<&str>)>::new();
    let schemas = schemas::named(operations);
    for operation in operations {
        let method = operation.method.as_str().to_lowercase();
        let described = path_item(operation, codes, &mut responses);
        match paths.get_mut(&format!("/{}", operation.path)).and_then(Value::as_object_mut) {
            Some(path) => drop(path.insert(method, described)),
            None => drop(paths.insert(format!("/{}", operation.path), json!({ method: described }))),
        }
        if let (Some(parameter), Some(path)) = (operation.path_parameter, operation.parameter_path()) {
            let described = get_item(operation, parameter, &schemas, codes, &mut responses);
            paths.insert(path, json!({ "get": described }));
        }
        match tags.iter_mut().find(|(tag, _)| *tag == operation.tag) {
            Some((_, titles)) => titles.push(operation.title),
            None => tags.push((operation.tag, vec![operation.title])),
        }
    }
    let tag = |(name, titles): (_, Vec<_>)| json!({"name": name, "description": format!("{}.", titles.join("; "))});
    let tags: Vec<_> = tags.into_iter().map(tag).collect();
    json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "kur_ o, de prueba, kur_test_, y 36 letras y dígitos"}},
            "schemas": schemas,
            "responses": responses,
            "headers": parsed(include_str!("../schemas/headers.json")),
        },
    })
}

/// The document of what the server sends to the addresses of webhooks.
#[must_use]
pub fn webhooks() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": info(),
        "webhooks": {webhook::CHANGES: {"post": webhook_item()}},
        "components": {"schemas": schemas::plain((webhook::SCHEMA.build)())},
    })
}

fn info() -> Value {
    json!({
        "title": "Kuraka",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "Consultas de RUC y validación de comprobantes de pago del Perú.",
        "description": "Decida por `code` y `retryable`: \"no existe\", \"no es válido\" y \"no se pudo averiguar\" nunca \
                        se parecen. Cada respuesta lleva `X-Request-Id`. Bajo `/api`, y en los nombres que solo tiene el \
                        servicio original, las mismas operaciones aceptan también formularios y responden más campos, \
                        que este documento no describe.",
        "contact": {"name": "El operador de este servicio"},
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn path_item(operation: &Operation, codes: &[CodeDescription], shared: &mut Map<String, Value>) -> Value {
    let mut item = json!({
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.title,
        "description": operation.description,
        "responses": responses::by_status(operation, &schemas::answer_name(operation), operation.all_codes(), codes, shared),
    });
    if let (Some(request), Some(item)) = (&operation.request, item.as_object_mut()) {
        let json = json!({"schema": request.schema.reference(), "example": parsed(request.example)});
        let mut content = Map::from_iter([("application/json".to_owned(), json)]);
        if let Some(lines) = operation.batch.and_then(|batch| batch.lines) {
            content.insert("text/plain".to_owned(), json!({"schema": {"type": "string"}, "example": lines}));
        }
        item.insert("requestBody".into(), json!({"required": true, "content": content}));
    }
    if let (None, Some(name), Some(item)) = (operation.path_parameter, operation.query_parameter, item.as_object_mut())
    {
        let parameter = json!({"name": name, "in": "query", "required": false, "schema": {"type": "string"}});
        item.insert("parameters".into(), json!([parameter]));
    }
    item
}

fn webhook_item() -> Value {
    let header = |name: &str, what: &str| json!({"name": name, "in": "header", "required": true, "description": what, "schema": {"type": "string"}});
    let content = json!({"schema": webhook::SCHEMA.reference(), "example": parsed(webhook::EXAMPLE)});
    json!({
        "operationId": "webhook",
        "summary": "Un aviso de cambios",
        "description": "Llega al menos una vez y en orden, firmado según Standard Webhooks.",
        "security": [],
        "parameters": [
            header("webhook-id", "El mismo en cada intento."),
            header("webhook-timestamp", "Segundos desde 1970, del intento."),
            header("webhook-signature", "`v1,` y la firma en base64; dos mientras se cambia el secreto."),
        ],
        "requestBody": {"required": true, "content": {"application/json": content}},
        "responses": {
            "2XX": {"description": "Recibido."},
            "410": {"description": "Desactiva la dirección."},
            "default": {"description": "Se intentará otra vez."},
        },
    })
}

/// The `GET` form of an operation, with this field of the body in its path.
fn get_item(
    operation: &Operation,
    parameter: &str,
    schemas: &Map<String, Value>,
    codes: &[CodeDescription],
    shared: &mut Map<String, Value>,
) -> Value {
    let body = operation.request.and_then(|request| schemas.get(&*(request.schema.name)()));
    let described = |name: &str, place: &str| {
        let mut schema = body.and_then(|body| body.get("properties")?.get(name).cloned());
        if let Some(fields) = schema.as_mut().and_then(Value::as_object_mut) {
            // A segment of a path is never null.
            if place == "path" {
                fields.insert("type".to_owned(), "string".into());
            }
            // Some generators write a date with a time into an address.
            if fields.get("format").is_some_and(|format| format == "date") {
                fields.insert("format".to_owned(), "dia".into());
                fields.insert("pattern".to_owned(), "^[0-9]{4}-[0-9]{2}-[0-9]{2}$".into());
            }
        }
        let example = operation.request.and_then(|request| parsed(request.example).get(name).cloned());
        json!({"name": name, "in": place, "required": place == "path", "schema": schema, "example": example})
    };
    let parameters: Vec<_> = [described(parameter, "path")]
        .into_iter()
        .chain(operation.query_parameter.map(|name| described(name, "query")))
        .collect();
    let Operation { method, name, description, .. } = operation;
    let method = method.as_str();
    json!({
        "operationId": format!("{name}-get"),
        "tags": [operation.tag],
        "summary": operation.title,
        "description": format!("Lo mismo que {method} /{name}, con el campo {parameter} en la ruta y sin cuerpo. {description}"),
        "parameters": parameters,
        "responses": responses::by_status(operation, &schemas::path_answer_name(operation), operation.codes_of_path(), codes, shared),
    })
}
