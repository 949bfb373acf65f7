//! What an answer says, field by field, before anything is made of it.

use std::collections::BTreeMap;

use super::field::Field;

/// What an answer says of each placed field, cleaned.
#[derive(Debug, Default)]
pub(super) struct RawRecord {
    pub(super) texts: BTreeMap<Field, String>,
    pub(super) lists: BTreeMap<Field, Vec<String>>,
    /// Fields that are `null`.
    pub(super) nulls: Vec<Field>,
}
