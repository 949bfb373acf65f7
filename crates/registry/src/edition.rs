//! One open edition: verified once, then answered from.

use std::io;

use kuraka_domain::{Ruc, TaxpayerSummary};
use thiserror::Error;

use crate::Meta;

/// An edition file that was verified and is mapped into memory.
#[derive(Debug)]
pub struct OpenEdition {
    meta: Meta,
}

/// Why a file is not a usable edition.
#[derive(Debug, Error)]
pub enum EditionError {
    /// The system refused to open or read it.
    #[error("the edition file cannot be read")]
    Io(#[from] io::Error),
}

/// The bytes of a row changed after the edition was opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("block {block} of the edition is damaged; import the padrón again or roll back")]
pub struct CorruptRow {
    /// Which block of 8,192 consecutive numbers.
    pub block: u32,
}

impl OpenEdition {
    /// `YYYY-MM-DD-<8 hex>`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.meta.label
    }

    /// What the edition says about itself.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Taxpayers in it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.meta.rows
    }

    /// The taxpayer with this RUC; `None` = the edition positively has none.
    ///
    /// # Errors
    /// [`CorruptRow`] if the stored bytes changed since the edition was opened.
    pub fn lookup(&self, _ruc: Ruc) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        Err(CorruptRow { block: 0 })
    }

    /// The taxpayer at this place in the edition's order, from 0; `None` = past the last.
    ///
    /// # Errors
    /// As [`OpenEdition::lookup`].
    pub fn row(&self, _ordinal: u64) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        Err(CorruptRow { block: 0 })
    }

    /// Every taxpayer in the edition's order: by prefix, then by number.
    pub fn iter(&self) -> impl Iterator<Item = Result<TaxpayerSummary, CorruptRow>> + '_ {
        (0..self.rows()).filter_map(|ordinal| self.row(ordinal).transpose())
    }
}
