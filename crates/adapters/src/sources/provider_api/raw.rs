//! The fields of an answer, cleaned and not yet interpreted.

use std::collections::BTreeMap;

use super::field::Field;

/// The fields of an answer, cleaned.
#[derive(Debug, Default)]
pub(super) struct RawRecord {
    pub(super) texts: BTreeMap<Field, String>,
    pub(super) lists: BTreeMap<Field, Vec<String>>,
    /// Fields that are `null`.
    pub(super) nulls: Vec<Field>,
}
