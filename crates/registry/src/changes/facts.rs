//! The facts of a change list: its editions, fields and counts.

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

use super::change::ChangeKind;
use crate::checksum::hex;
use crate::format::header::Identity;
use crate::{Edition, Meta};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionName {
    /// The publication that made it current.
    pub number: u64,
    /// `YYYY-MM-DD-<8 hex>`.
    pub label: String,
    pub date: Date,
    /// SHA-256 of its header, 64 lower-case hex digits.
    pub identity: String,
    pub taxpayers: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub new: u64,
    pub gone: u64,
    pub changed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListFacts {
    pub dataset: String,
    pub from: EditionName,
    pub to: EditionName,
    pub fields: Vec<String>,
    pub counts: Counts,
    /// Whether an operator returned to the resulting edition.
    pub is_rollback: bool,
    /// Why the editions were not compared; there are no changes then.
    pub gap: Option<String>,
}

impl Counts {
    pub const fn total(&self) -> u64 {
        self.new.saturating_add(self.gone).saturating_add(self.changed)
    }

    pub(super) const fn add(&mut self, change: &ChangeKind) {
        *match change {
            ChangeKind::New { .. } => &mut self.new,
            ChangeKind::Gone { .. } => &mut self.gone,
            ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => &mut self.changed,
        } += 1;
    }
}

impl EditionName {
    /// `number` is of the publication that made it current.
    pub(crate) fn new(number: u64, identity: Identity, meta: &Meta) -> Self {
        let Meta { ref label, date, rucs, .. } = *meta;
        Self { number, label: label.clone(), date, identity: hex(identity), taxpayers: rucs }
    }
}

impl Edition {
    pub(crate) fn name(&self, number: u64) -> EditionName {
        EditionName::new(number, self.identity(), self.meta())
    }
}
