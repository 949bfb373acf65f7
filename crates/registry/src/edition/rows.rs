//! The rows of one taxpayer in a dataset.

use crate::dataset::Value;

/// The rows of one taxpayer, in the order of the published file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditionRows<'e> {
    values: Vec<Value<'e>>,
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditionRow<'a, 'e> {
    values: &'a [Value<'e>],
}

impl<'e> EditionRows<'e> {
    pub(super) const fn new(values: Vec<Value<'e>>, width: usize) -> Self {
        Self { values, width }
    }

    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = EditionRow<'_, 'e>> {
        self.values.chunks_exact(self.width.max(1)).map(|values| EditionRow { values })
    }
}

impl<'a, 'e> EditionRow<'a, 'e> {
    /// The value of a field, by its position among [`Dataset::fields`](crate::dataset::Dataset::fields); absent if the
    /// edition has no such field.
    pub fn get(&self, field: usize) -> Value<'e> {
        self.values.get(field).copied().unwrap_or(Value::Absent)
    }

    /// In the order of [`Dataset::fields`](crate::dataset::Dataset::fields).
    pub const fn values(&self) -> &'a [Value<'e>] {
        self.values
    }
}
