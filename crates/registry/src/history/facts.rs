//! What a history says about itself: its editions, and why it does not reach further back.

use serde::{Deserialize, Serialize};

use crate::changes::EditionName;

/// An edition in a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEdition {
    /// The number of the list of changes that led to it; for the first edition 0.
    pub list: u64,
    /// The edition.
    #[serde(flatten)]
    pub name: EditionName,
}

/// The `meta` section of a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    /// The dataset.
    pub(super) dataset: String,
    /// The names of the values of a row.
    pub(super) fields: Vec<String>,
    /// The number of the first edition. The next ones follow without a gap; a change has the number of the edition that
    /// it led to.
    pub(super) first: u32,
    /// The editions in the order of publication; one at least.
    pub(super) editions: Vec<HistoryEdition>,
    /// Whether an earlier edition was published, and no list of changes tells what became of it.
    pub(super) begins_after_gap: bool,
}

impl Facts {
    /// The number of the last edition.
    pub(super) fn last(&self) -> u32 {
        self.first.saturating_add(self.editions.len() as u32).saturating_sub(1)
    }
}
