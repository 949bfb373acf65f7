//! The tables of fields in `/docs`.

use std::sync::OnceLock;

use kuraka_api::openapi::fields::{self, Field};
use kuraka_api::{CodeDescription, Operation, openapi};

/// The operations with their tables, made at the first visit.
#[derive(Default)]
pub struct Documentation(OnceLock<Vec<Documented>>);

pub(crate) struct Documented {
    pub(crate) operation: &'static Operation,
    /// Title and rows; no table is empty.
    pub(crate) tables: Vec<(&'static str, Vec<Field>)>,
}

impl Documentation {
    /// Each call must pass the same operations and codes.
    pub(crate) fn get_or_build(&self, operations: &[&'static Operation], codes: &[CodeDescription]) -> &[Documented] {
        self.0.get_or_init(|| {
            let document = openapi::document(operations, codes);
            let documented = |operation: &&'static Operation| {
                let tables = [
                    ("Campos que se envían", fields::sent(&document, operation)),
                    ("Campos de data", fields::answered(&document, operation)),
                ];
                Documented { operation, tables: tables.into_iter().filter(|(_, fields)| !fields.is_empty()).collect() }
            };
            operations.iter().map(documented).collect()
        })
    }
}
