//! Fields of a row by the names of the description.

use kuraka_domain::{Date, Ubigeo};
use kuraka_registry::EditionRow;
use kuraka_registry::dataset::{Dataset, Value};

/// A row of a dataset. A field that the dataset does not have has no value.
pub(super) struct NamedRow<'a, 'e> {
    pub(super) dataset: &'static Dataset,
    pub(super) row: EditionRow<'a, 'e>,
}

impl<'e> NamedRow<'_, 'e> {
    fn get(&self, field: &str) -> Value<'e> {
        self.dataset.field(field).map_or(Value::Absent, |place| self.row.get(place))
    }

    /// `None` = the file has no value.
    pub(super) fn text(&self, field: &str) -> Option<&'e str> {
        if let Value::Text(text) = self.get(field) { Some(text) } else { None }
    }

    /// A text as published; empty if the file has none.
    pub(super) fn owned(&self, field: &str) -> String {
        self.text(field).unwrap_or_default().to_owned()
    }

    pub(super) fn date(&self, field: &str) -> Option<Date> {
        if let Value::Date(date) = self.get(field) { Some(date) } else { None }
    }

    pub(super) fn integer(&self, field: &str) -> Option<u32> {
        if let Value::Integer(number) = self.get(field) { Some(number) } else { None }
    }

    pub(super) fn ubigeo(&self, field: &str) -> Option<Ubigeo> {
        if let Value::Ubigeo(ubigeo) = self.get(field) { Some(ubigeo) } else { None }
    }
}
