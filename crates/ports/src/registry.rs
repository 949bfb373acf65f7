//! The published registry of taxpayers: editions, and lookups in a snapshot of one.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{Date, Ruc, TaxpayerSummary};

use crate::SourceError;

/// One published state of the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// `YYYY-MM-DD-<8 hex of the source's hash>`: what answers say they come from.
    pub label: Arc<str>,
    /// The day SUNAT published it.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: EditionOrigin,
    /// Taxpayers in it.
    pub rows: u64,
    /// Codes of the lists that were imported into it, such as `withholding`.
    pub lists: Vec<&'static str>,
}

/// Where an edition's rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditionOrigin {
    /// SUNAT's file.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

impl Edition {
    /// Whether the list with this code was ever imported into it.
    #[must_use]
    pub fn has_list(&self, code: &str) -> bool {
        self.lists.contains(&code)
    }

    /// The edition's age in days, if it is more than `limit_days` (`None` = no limit); a sample never ages.
    ///
    /// The rows of an overdue edition still count. A RUC that it does not have may be new, so its absence proves nothing.
    #[must_use]
    pub fn overdue(&self, now: Timestamp, limit_days: Option<u32>) -> Option<i32> {
        let limit = match self.origin {
            EditionOrigin::Sample => return None,
            EditionOrigin::Published => i32::try_from(limit_days?).unwrap_or(i32::MAX),
        };
        // Editions are dated in Peru. A time that has no date makes any edition old.
        let today = Date::in_peru(now.as_second()).unwrap_or(Date::MAX);
        let age = today.days_since_epoch() - self.date.days_since_epoch();
        (age > limit).then_some(age)
    }
}

/// One edition, open for lookups. It answers from this edition for as long as it is held, whatever is published
/// meanwhile.
pub trait RegistrySnapshot: Send + Sync + 'static {
    /// The edition that every lookup of this snapshot is answered from.
    fn edition(&self) -> &Arc<Edition>;

    /// The taxpayer with this RUC; `None` = the edition positively has no such RUC.
    ///
    /// Reads memory and never waits, so it may be called from asynchronous code, as often as wanted.
    ///
    /// # Errors
    /// `Unreadable` if the row's stored bytes fail their checksum.
    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError>;
}

/// The published registry. It holds the current edition.
pub trait TaxpayerRegistry: Send + Sync + 'static {
    /// The current edition, to look up in; `None` = none has been loaded.
    ///
    /// Costs no more than a counter: take one snapshot for lookups that must agree with each other.
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>>;

    /// The current edition's facts; `None` = none has been loaded.
    fn edition(&self) -> Option<Arc<Edition>> {
        self.snapshot().map(|snapshot| Arc::clone(snapshot.edition()))
    }
}
