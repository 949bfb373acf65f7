//! The published registry of taxpayers: its editions, and snapshots for lookups.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{Date, Ruc, TaxpayerSummary};

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

/// One edition, open for lookups. A snapshot keeps answering from its edition after another one is published.
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
