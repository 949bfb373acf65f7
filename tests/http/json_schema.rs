//! A JSON Schema that has been checked, and what it says against values.
//!
//! By the library boon: jsonschema, which checks the same, takes more of the time of a build from a clean clone than any
//! other dependency.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

pub(crate) struct JsonSchema {
    schemas: Schemas,
    root: SchemaIndex,
}

impl JsonSchema {
    /// Panics if this is no schema of draft 2020-12.
    pub(crate) fn new(schema: Value) -> Self {
        const ADDRESS: &str = "urn:schema";
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.add_resource(ADDRESS, schema).unwrap();
        let root = compiler.compile(ADDRESS, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Self { schemas, root }
    }

    /// Fails with the place and the reason of each difference.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.root).map_err(|error| format!("{error:#}"))
    }
}

#[test]
fn a_value_that_a_schema_forbids_is_refused() {
    let schema = JsonSchema::new(serde_json::json!({
        "$ref": "#/components/schemas/a",
        "components": { "schemas": { "a": { "type": "object", "properties": { "b": { "type": "integer" } } } } },
    }));
    assert_eq!(schema.check(&serde_json::json!({ "b": 1 })), Ok(()));
    let refused = schema.check(&serde_json::json!({ "b": "1" })).unwrap_err();
    assert!(refused.contains("/b"), "{refused}");
}
