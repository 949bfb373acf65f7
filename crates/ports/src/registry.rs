//! The published registry of taxpayers, as the application sees it.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::{Date, Ruc, TaxpayerSummary};

use crate::SourceError;

/// One published state of the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// `YYYY-MM-DD-<8 hex of the source's hash>`: what answers say they come from.
    pub label: Arc<str>,
    /// The day the tax authority published it.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: EditionOrigin,
    /// Taxpayers in it.
    pub rows: u64,
    /// Whether the list of withholding agents was ever imported into it.
    pub has_withholding_list: bool,
    /// Whether the list of good taxpayers was ever imported into it.
    pub has_good_taxpayer_list: bool,
}

/// Where an edition's rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditionOrigin {
    /// The tax authority's file.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

/// What one edition says about one RUC.
#[derive(Clone, Debug)]
pub struct RegistryAnswer {
    /// The edition that answered.
    pub edition: Arc<Edition>,
    /// The taxpayer; `None` = this edition positively has no such RUC.
    pub taxpayer: Option<TaxpayerSummary>,
}

impl Edition {
    /// The edition's age in days, if it is more than `limit_days` (`None` = no limit); a sample never ages.
    ///
    /// What an overdue edition holds still counts; that it misses a RUC means nothing any more.
    #[must_use]
    pub fn overdue(&self, now: Timestamp, limit_days: Option<u32>) -> Option<i32> {
        let limit = match self.origin {
            EditionOrigin::Sample => return None,
            EditionOrigin::Published => i32::try_from(limit_days?).unwrap_or(i32::MAX),
        };
        // Editions are dated in Peru. A clock beyond every calendar makes any edition old.
        let today = Date::in_peru(now.as_second()).unwrap_or(Date::MAX);
        let age = today.days_since_epoch() - self.date.days_since_epoch();
        (age > limit).then_some(age)
    }
}

/// Lookups in the registry.
#[async_trait]
pub trait TaxpayerRegistry: Send + Sync + 'static {
    /// The edition that answers now; `None` = none has been loaded.
    fn edition(&self) -> Option<Arc<Edition>>;

    /// What the current edition says about `ruc`.
    ///
    /// Safe to call twice and to drop at any point.
    ///
    /// # Errors
    /// `Unavailable` without an edition, `Unreadable` if the row's stored bytes fail their checksum.
    async fn summary(&self, ruc: Ruc) -> Result<RegistryAnswer, SourceError>;
}
