//! What a history says about itself: its editions, and why it does not reach further back.

use serde::{Deserialize, Serialize};

use crate::changes::EditionName;

/// The `meta` section of a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    /// The dataset.
    pub(super) dataset: String,
    /// The names of the values of a row.
    pub(super) fields: Vec<String>,
    /// The editions in the order of publication; one at least. A change has the number of the publication of the edition
    /// that it led to.
    pub(super) editions: Vec<EditionName>,
    /// Whether an earlier edition was published, and no list of changes tells what became of it.
    pub(super) begins_after_gap: bool,
}

impl Facts {
    /// The number of the first edition's publication.
    pub(super) fn first(&self) -> u64 {
        self.editions.first().map_or(0, |first| first.number)
    }

    /// The number of the last edition's publication.
    pub(super) fn last(&self) -> u64 {
        self.editions.last().map_or(0, |last| last.number)
    }
}
