//! A provider as data: what to ask it, how to tell its answers apart, where its answers keep the record.

use serde_json::Value;

use super::error::Unreadable;
use super::field::Field;
use super::pointer::Pointer;
use super::request::Template;
use super::rule::Rule;

/// A provider, as its file describes it.
#[derive(Clone, Debug)]
pub struct ProviderSpec {
    pub(super) request: Template,
    pub(super) found: Rule,
    pub(super) not_found: Vec<Rule>,
    pub(super) throttled: Vec<Rule>,
    pub(super) credentials: Vec<Rule>,
    pub(super) places: Vec<Place>,
}

/// Where an answer keeps a field of the record.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) field: Field,
    /// The first that is there counts.
    pub(super) at: Vec<Pointer>,
    /// Whether `null` is a way of leaving the field empty.
    pub(super) nullable: bool,
    /// Whether the field is one of those that only a fuller answer has, all of them or none.
    pub(super) optional: bool,
}

impl Place {
    /// What stands at the first place that is there, and where that is.
    pub(super) fn find<'a>(&'a self, document: &'a Value) -> Option<(&'a Pointer, &'a Value)> {
        self.at.iter().find_map(|pointer| Some((pointer, pointer.find(document)?)))
    }

    /// The error for a document that has it nowhere.
    pub(super) fn missing(&self) -> Unreadable {
        let at = self.at.iter().map(Pointer::to_string).collect::<Vec<_>>().join(" or ");
        Unreadable::Missing { field: self.field, at: at.into() }
    }
}

impl ProviderSpec {
    /// Whether the provider asks for a token.
    #[must_use]
    pub const fn needs_token(&self) -> bool {
        self.request.token.is_some()
    }
}
