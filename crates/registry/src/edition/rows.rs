//! The rows of one taxpayer in a dataset.

use crate::dataset::Value;

/// The rows of one taxpayer, in the order of the published file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditionRows<'e> {
    values: Vec<Value<'e>>,
    width: usize,
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

    /// The values of each row, in the order of [`Dataset::fields`](crate::dataset::Dataset::fields); absent if the
    /// edition has no such field.
    pub fn iter(&self) -> impl Iterator<Item = &[Value<'e>]> {
        self.values.chunks_exact(self.width.max(1))
    }
}
