//! The published registry of taxpayers: its editions, and snapshots for lookups.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{AnnexPremises, Date, OpenData, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};
use thiserror::Error;

use crate::SourceError;

/// The facts of one published edition of the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// `YYYY-MM-DD-<8 hex digits of the source's hash>`; answers name their edition by it.
    pub label: Arc<str>,
    /// The day SUNAT published it.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: EditionOrigin,
    /// Number of taxpayers in the edition.
    pub rows: u64,
    /// Codes of the lists that were imported into it, such as `withholding`.
    pub lists: Vec<&'static str>,
}

/// The origin of an edition's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditionOrigin {
    /// SUNAT's file.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

impl Edition {
    /// Whether the edition includes the list with this code.
    #[must_use]
    pub fn has_list(&self, code: &str) -> bool {
        self.lists.contains(&code)
    }

    /// The edition's age in days, if it is more than `limit_days` (`None` = no limit); a sample never ages.
    ///
    /// An overdue edition still answers with its rows. A RUC that is not in it may be new, so it cannot confirm that
    /// the RUC does not exist.
    #[must_use]
    pub fn overdue(&self, now: Timestamp, limit_days: Option<u32>) -> Option<i32> {
        let limit = match self.origin {
            EditionOrigin::Sample => return None,
            EditionOrigin::Published => i32::try_from(limit_days?).unwrap_or(i32::MAX),
        };
        // Editions are dated in Peru. A time out of the calendar's range makes every edition overdue.
        let today = Date::in_peru(now.as_second()).unwrap_or(Date::MAX);
        let age = today.days_since_epoch() - self.date.days_since_epoch();
        (age > limit).then_some(age)
    }
}

/// The edition of one dataset in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedDataset {
    /// The dataset's name, such as `anexos`.
    pub name: &'static str,
    /// The edition's label.
    pub label: Arc<str>,
    /// The day it was published.
    pub date: Date,
}

/// Why a dataset does not answer.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The dataset has no edition in the snapshot.
    #[error("no edition of the dataset {dataset} has been imported")]
    NoEdition {
        /// The dataset's name.
        dataset: &'static str,
    },
    /// The dataset's edition cannot be read.
    #[error("the dataset cannot be read")]
    Source(#[source] SourceError),
}

/// One edition of each dataset, open for lookups. A snapshot keeps answering from its editions after others are
/// published.
pub trait RegistrySnapshot: Send + Sync + 'static {
    /// The edition of every lookup of this snapshot.
    fn edition(&self) -> &Arc<Edition>;

    /// The taxpayer with this RUC; `None` = the RUC is not in the edition.
    ///
    /// Reads memory and never blocks, so asynchronous code may call it at any rate.
    ///
    /// # Errors
    /// `Unreadable` if the row's stored bytes fail their checksum.
    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError>;

    /// The datasets with an edition, the padrón first.
    fn datasets(&self) -> &[PublishedDataset];

    /// The names of the datasets without an edition.
    fn missing_datasets(&self) -> &[&'static str];

    /// All that the datasets say about a taxpayer of the padrón; `None` = the RUC is not in the padrón.
    ///
    /// Each dataset is read once. Blocks as little as [`RegistrySnapshot::lookup`].
    ///
    /// # Errors
    /// `Unreadable` if stored bytes fail their checksum.
    fn profile(&self, ruc: Ruc) -> Result<Option<TaxpayerProfile>, SourceError>;

    /// What the monthly open data says about a RUC; `None` = it does not have the RUC. Reads no other dataset.
    ///
    /// # Errors
    /// [`DatasetError`].
    fn open_data(&self, ruc: Ruc) -> Result<Option<OpenData>, DatasetError>;

    /// The annex premises of a RUC, in the file's order. A RUC without any, or unknown, has none.
    ///
    /// # Errors
    /// [`DatasetError`].
    fn annexes(&self, ruc: Ruc) -> Result<Vec<AnnexPremises>, DatasetError>;

    /// The resolution that declared a taxpayer without operating capacity; `None` = there is none.
    ///
    /// # Errors
    /// [`DatasetError`].
    fn operating_incapacity(&self, ruc: Ruc) -> Result<Option<OperatingIncapacity>, DatasetError>;
}

/// The published registry. It holds the current edition.
pub trait TaxpayerRegistry: Send + Sync + 'static {
    /// A snapshot of the current edition; `None` = none has been loaded.
    ///
    /// Costs one reference count. Lookups that must agree with each other use the same snapshot.
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>>;

    /// The current edition's facts; `None` = none has been loaded.
    fn edition(&self) -> Option<Arc<Edition>> {
        self.snapshot().map(|snapshot| Arc::clone(snapshot.edition()))
    }
}
