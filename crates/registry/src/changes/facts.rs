//! What a list of changes says about itself: its editions, its fields and its counts.

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

use super::change::ChangeKind;
use crate::Edition;
use crate::checksum::hex;
use crate::edition::Summary;

/// A published edition, as a list of changes names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionName {
    /// The number of the publication that made it the current one.
    pub number: u64,
    /// Its label, `YYYY-MM-DD-<8 hex>`.
    pub label: String,
    /// Its date.
    pub date: Date,
    /// SHA-256 of its header, 64 lower-case hex digits.
    pub identity: String,
    /// Taxpayers in it.
    pub taxpayers: u64,
}

/// Numbers of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Taxpayers that only the resulting edition has.
    pub new: u64,
    /// Taxpayers that only the previous edition has.
    pub gone: u64,
    /// Taxpayers with other values or rows.
    pub changed: u64,
}

/// What a list of changes says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListFacts {
    /// The dataset.
    pub dataset: String,
    /// The previous edition.
    pub from: EditionName,
    /// The resulting edition.
    pub to: EditionName,
    /// The names of the fields that were compared.
    pub fields: Vec<String>,
    /// Changes in the list.
    pub counts: Counts,
    /// Whether an operator returned to the resulting edition, which had been current before.
    pub is_rollback: bool,
    /// Why the editions were not compared; the list has no changes then.
    pub gap: Option<String>,
}

impl Counts {
    /// All changes.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.new.saturating_add(self.gone).saturating_add(self.changed)
    }

    /// Counts a change.
    pub(super) const fn add(&mut self, change: &ChangeKind) {
        *match change {
            ChangeKind::New { .. } => &mut self.new,
            ChangeKind::Gone { .. } => &mut self.gone,
            ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => &mut self.changed,
        } += 1;
    }
}

impl EditionName {
    /// The edition with these facts, made current by the publication with this number.
    pub(crate) fn new(number: u64, Summary { identity, meta, .. }: &Summary) -> Self {
        let (label, identity) = (meta.label.clone(), hex(*identity));
        Self { number, label, date: meta.date, identity, taxpayers: meta.rucs }
    }
}

impl Edition {
    /// The edition, made current by the publication with this number.
    pub(crate) fn name(&self, number: u64) -> EditionName {
        let (label, identity) = (self.label().to_owned(), hex(self.identity()));
        EditionName { number, label, date: self.meta().date, identity, taxpayers: self.taxpayers() }
    }
}
