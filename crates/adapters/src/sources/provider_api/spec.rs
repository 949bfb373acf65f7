//! A provider as data: how to query it, how to classify its answers, and where they contain the record's fields.

use serde_json::Value;

use super::dialect::Dialect;
use super::error::UnreadableAnswerError;
use super::field::Field;
use super::pointer::Pointer;
use super::request::Template;
use super::rule::Rule;

#[derive(Clone, Debug)]
pub struct ProviderSpec {
    pub(super) request: Template,
    pub(super) found: Rule,
    pub(super) not_found: Vec<Rule>,
    pub(super) throttled: Vec<Rule>,
    pub(super) credentials: Vec<Rule>,
    pub(super) places: Vec<FieldPlace>,
    pub(super) dialect: Option<Dialect>,
}

#[derive(Clone, Debug)]
pub(super) struct FieldPlace {
    pub(super) field: Field,
    /// Alternatives; the first that exists in the answer counts.
    pub(super) at: Vec<Pointer>,
    /// Whether `null` means that the field is empty.
    pub(super) nullable: bool,
    /// An answer has all optional fields or none.
    pub(super) optional: bool,
}

impl ProviderSpec {
    pub(super) fn place(&self, field: Field) -> Option<&FieldPlace> {
        self.places.iter().find(|place| place.field == field)
    }
}

impl FieldPlace {
    /// The first pointer that exists in the document, with its value.
    pub(super) fn find<'a>(&'a self, document: &'a Value) -> Option<(&'a Pointer, &'a Value)> {
        self.at.iter().find_map(|pointer| Some((pointer, pointer.find(document)?)))
    }

    pub(super) fn missing(&self) -> UnreadableAnswerError {
        let at = self.at.iter().map(Pointer::to_string).collect::<Vec<_>>().join(" or ");
        UnreadableAnswerError::Missing { field: self.field, at: at.into() }
    }
}
