//! The facts of a history.

use serde::{Deserialize, Serialize};

use crate::changes::EditionName;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) dataset: String,
    pub(super) fields: Vec<String>,
    /// In the order of publication; at least one. A change has the number of the resulting edition's publication.
    pub(super) editions: Vec<EditionName>,
    /// Whether an earlier edition was published whose changes are unknown.
    pub(super) begins_after_gap: bool,
}

impl Facts {
    pub(super) fn first(&self) -> u64 {
        self.editions.first().map_or(0, |first| first.number)
    }

    pub(super) fn last(&self) -> u64 {
        self.editions.last().map_or(0, |last| last.number)
    }
}
