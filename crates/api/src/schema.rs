//! Named schemas, of which the OpenAPI document is made. Without the feature `openapi` they are empty.

#[cfg(feature = "openapi")]
use std::borrow::Cow;

#[cfg(feature = "openapi")]
use serde_json::{Map, Value};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

/// Every type: without the document, none has a schema.
#[cfg(not(feature = "openapi"))]
pub trait ToSchema {}

#[cfg(not(feature = "openapi"))]
impl<T> ToSchema for T {}

/// A named schema of the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name under `components.schemas`.
    #[cfg(feature = "openapi")]
    pub name: fn() -> Cow<'static, str>,
    /// Builds the schema and all schemas that it refers to, by name.
    #[cfg(feature = "openapi")]
    pub build: fn() -> Map<String, Value>,
}

impl Schema {
    /// The schemas of `T` and the types of its fields in an answer, which never lacks a field, nullable or not.
    #[must_use]
    pub const fn new<T: ToSchema>() -> Self {
        Self {
            #[cfg(feature = "openapi")]
            name: T::name,
            #[cfg(feature = "openapi")]
            build: || named::<T>(complete),
        }
    }

    /// As [`Schema::new`], for a request: a field that is an `Option` may be missing.
    #[must_use]
    pub const fn for_request<T: ToSchema>() -> Self {
        Self {
            #[cfg(feature = "openapi")]
            name: T::name,
            #[cfg(feature = "openapi")]
            build: || named::<T>(|schema| schema),
        }
    }
}

/// Makes these fields of one of an answer's schemas optional.
#[cfg(feature = "openapi")]
pub(crate) fn with_optional(mut schemas: Map<String, Value>, optional: &[(&str, &[&str])]) -> Map<String, Value> {
    for (schema, fields) in optional {
        if let Some(Value::Array(required)) = schemas.get_mut(*schema).and_then(|schema| schema.get_mut("required")) {
            required.retain(|name| !fields.iter().any(|field| name == field));
        }
    }
    schemas
}

#[cfg(feature = "openapi")]
fn named<T: ToSchema>(finish: fn(Value) -> Value) -> Map<String, Value> {
    let mut named = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut named);
    let write = |schema| finish(serde_json::to_value(schema).unwrap_or_default());
    named.into_iter().map(|(name, schema)| (name, write(schema))).collect()
}

/// Makes all properties required.
#[cfg(feature = "openapi")]
fn complete(mut schema: Value) -> Value {
    let names = |properties: &Value| Some(properties.as_object()?.keys().cloned().collect::<Vec<_>>());
    if let (Some(names), Some(schema)) = (schema.get("properties").and_then(names), schema.as_object_mut()) {
        schema.insert("required".into(), names.into());
    }
    schema
}

/// Null if the text is not JSON.
#[cfg(feature = "openapi")]
pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
