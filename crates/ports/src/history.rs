//! A taxpayer's states in the earlier editions of a snapshot's datasets.

use std::sync::Arc;

use kuraka_domain::{Date, TaxpayerSummary};
use smallvec::SmallVec;

use crate::{ChangedDatum, Edition, SanctionPeriod};

/// A taxpayer in every recorded edition. Borrows the record from the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerHistory<'s> {
    /// Without the flags of lists; `None` = the RUC was not in the padrón.
    pub summaries: Timeline<'s, Option<TaxpayerSummary>>,
    /// Whether it was in each dataset that only says so, in the order of datasets.
    pub flags: Vec<(ChangedDatum, Timeline<'s, bool>)>,
    /// In no order.
    pub sanctions: Timeline<'s, Vec<SanctionPeriod>>,
    /// `None` = no month was read, or it is no company.
    pub months: Option<MonthlyHistory>,
}

/// A company in the monthly open data. A month is its first day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthlyHistory {
    pub record: Arc<MonthsRecord>,
    /// The first month, and each that differs from the previous known month; newest first.
    pub changes: Vec<(Date, Option<MonthState>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthsRecord {
    pub first: Date,
    pub last: Date,
    /// Unpublished months between them.
    pub missing: Vec<Date>,
}

/// As published for a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthState {
    pub status: String,
    pub condition: String,
}

/// The states of a taxpayer in one dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline<'s, T> {
    pub record: &'s DatasetRecord,
    /// Newest first, each with the place of the first edition that has it. The last one has place 0; without editions
    /// there is none. Neighbours may be equal.
    pub states: States<T>,
}

/// Most taxpayers have one state, which takes no allocation.
pub type States<T> = SmallVec<[(usize, T); 1]>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetRecord {
    pub dataset: &'static str,
    /// By date, then in the order of publication.
    pub editions: Vec<Edition>,
    /// Whether there were earlier editions whose changes are unknown. Without editions: whether there is one, and its
    /// record is unusable.
    pub begins_after_gap: bool,
}

impl<T> Timeline<'_, T> {
    /// Of a dataset without an edition.
    pub fn none() -> Self {
        static NONE: DatasetRecord = DatasetRecord { dataset: "", editions: Vec::new(), begins_after_gap: false };
        Self { record: &NONE, states: States::new() }
    }

    /// `None` = there is no such edition.
    pub fn at(&self, place: usize) -> Option<&T> {
        self.record.editions.get(place)?;
        self.states.iter().find(|(first, _)| *first <= place).map(|(_, state)| state)
    }

    /// Newest first: the resulting edition, the state before and the state after.
    pub fn changes(&self) -> impl Iterator<Item = (&Edition, &T, &T)> {
        let pairs = self.states.iter().zip(self.states.iter().skip(1));
        pairs.filter_map(|((place, after), (_, before))| Some((self.record.editions.get(*place)?, before, after)))
    }
}
