//! A taxpayer's state on a past day, and its recorded changes: for `POST /ruc-historial` and lists with dates.

mod changes;

use std::sync::Arc;

use kuraka_domain::{Date, DateError, OnDay, Ruc, TaxpayerOnDay, TaxpayerSummary};
use kuraka_ports::{ChangedDatum, FeedChange, MonthState, MonthlyHistory, TaxpayerHistory, Timeline, dataset};
use thiserror::Error;

pub(crate) use self::changes::changes;
use super::{Gap, LookupError, LookupTaxpayer, RegistryBatch};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTaxpayer {
    pub ruc: Ruc,
    /// The first day that the padrón's history covers.
    pub from: Date,
    pub until: Date,
    /// The uncovered days between them, by dataset.
    pub gaps: Vec<Gap>,
    /// Since when the present status and condition hold; `None` = the last edition lacks the taxpayer.
    pub valid_since: Option<(Date, Date)>,
    pub on_day: Option<OnDay>,
    /// The last changes, newest edition first.
    pub changes: Vec<FeedChange>,
    pub has_more_changes: bool,
    pub months: Option<MonthlyHistory>,
}

#[derive(Debug, Error)]
pub enum HistoryError {
    #[error("the record covers {}, not the requested day", covered(periods))]
    NotCovered {
        /// The day; an error = no date.
        date: Result<Date, DateError>,
        periods: Vec<(Date, Date)>,
    },
    #[error("the history does not include the active edition")]
    NoRecord,
    #[error(transparent)]
    Registry(#[from] LookupError),
}

/// For people.
fn covered(periods: &[(Date, Date)]) -> String {
    let periods: Vec<_> = periods.iter().map(|(from, until)| format!("{from} to {until}")).collect();
    if periods.is_empty() { "no day".to_owned() } else { periods.join(", ") }
}

/// A history, and the requested day with the index of the padrón's edition that covers it.
type Known<'s> = (TaxpayerHistory<'s>, Option<(Date, usize)>);

impl LookupTaxpayer {
    /// The periods that the padrón's history covers, read before the charge: a day outside of them is free. `None` =
    /// the history is unreadable or behind the active edition. The same for every `ruc`.
    pub fn covered(&self, ruc: Ruc) -> Option<CoveredPeriods> {
        let snapshot = self.registry.snapshot()?;
        let history = snapshot.history(ruc).ok()??;
        let coverage = self.ages.coverage(dataset::PADRON, self.ages.today());
        Some(CoveredPeriods(coverage.periods(history.summaries.record).collect()))
    }

    /// What the monthly open data said of a company in the month of a day; the inner `None` = the month does not have it.
    /// `None` = the month was not read, or it is no company. Whether there is an answer is known before the charge.
    pub fn month(&self, ruc: Ruc, date: Date) -> Option<Option<MonthState>> {
        let snapshot = self.registry.snapshot()?;
        let months = snapshot.history(ruc).ok()??.months?;
        let first = Date::new(date.year(), date.month(), 1).ok()?;
        let (record, mut changes) = (months.record, months.changes.into_iter());
        let is_read = (record.first..=record.last).contains(&first) && !record.missing.contains(&first);
        changes.find(|(from, _)| *from <= first).filter(|_| is_read).map(|(_, state)| state)
    }
}

/// The first and the last day of each covered period.
pub struct CoveredPeriods(Vec<(Date, Date)>);

impl CoveredPeriods {
    /// The oldest first.
    pub fn periods(&self) -> &[(Date, Date)] {
        &self.0
    }

    /// Whether a request for this day is free. An invalid date costs as any other.
    pub fn is_free(&self, date: &Result<Date, DateError>) -> bool {
        date.is_ok_and(|date| !self.0.iter().any(|(from, until)| (*from..=*until).contains(&date)))
    }
}

impl RegistryBatch {
    /// The history of `ruc`, with its state on `date`; `None` = the padrón proves that the RUC does not exist.
    ///
    /// # Errors
    /// [`HistoryError`] if the day is not covered, or the registry cannot answer.
    pub fn history(
        &self,
        ruc: Ruc,
        date: Option<Result<Date, DateError>>,
    ) -> Result<Option<RecordedTaxpayer>, HistoryError> {
        let (edition, today) = (self.snapshot.edition(), self.ages.today());
        let Some((mut history, day)) = self.read(ruc, date, today)? else { return Ok(None) };
        let editions = &history.summaries.record.editions;
        let from = editions.first().map_or(edition.date, |first| first.date);
        let coverage = self.ages.coverage(dataset::PADRON, today);
        let until = coverage.periods(history.summaries.record).last().map_or(edition.date, |(_, last)| last.max(from));
        let (changes, has_more_changes) = changes::changes(&history, ruc, from);
        let record = RecordedTaxpayer {
            ruc,
            from,
            until,
            gaps: self.gaps(&history, (from, until), today),
            valid_since: valid_since(&history.summaries),
            changes,
            has_more_changes,
            // Last, because it takes its state out of the history.
            on_day: day.map(|(date, place)| self.at(date, place, &mut history, today)),
            months: history.months,
        };
        Ok(Some(record))
    }

    /// The state of `ruc` on a day; `None` = the padrón proves that the RUC does not exist.
    pub(super) fn on_day(&self, ruc: Ruc, date: Result<Date, DateError>) -> Result<Option<OnDay>, HistoryError> {
        let today = self.ages.today();
        let known = self.read(ruc, Some(date), today)?;
        Ok(known.and_then(|(mut history, day)| day.map(|(date, place)| self.at(date, place, &mut history, today))))
    }

    /// A taxpayer's history; `None` = the padrón proves that the RUC does not exist.
    fn read(
        &self,
        ruc: Ruc,
        date: Option<Result<Date, DateError>>,
        today: Date,
    ) -> Result<Option<Known<'_>>, HistoryError> {
        let history = self.snapshot.history(ruc).map_err(LookupError::from)?.ok_or(HistoryError::NoRecord)?;
        let summaries = &history.summaries;
        let day = match date {
            None => None,
            Some(date) => {
                let coverage = self.ages.coverage(dataset::PADRON, today);
                let covered = date.ok().and_then(|date| Some((date, coverage.place_on(summaries.record, date)?)));
                let not_covered =
                    || HistoryError::NotCovered { date, periods: coverage.periods(summaries.record).collect() };
                Some(covered.ok_or_else(not_covered)?)
            }
        };
        if summaries.states.iter().any(|(_, state)| state.is_some()) {
            return Ok(Some((history, day)));
        }
        self.ages.prove_absence(self.snapshot.edition())?;
        Ok(None)
    }

    /// The taxpayer in the padrón's edition at this index, and in the lists' editions that cover the day.
    fn at(&self, date: Date, place: usize, history: &mut TaxpayerHistory<'_>, today: Date) -> OnDay {
        let TaxpayerHistory { summaries, flags, .. } = history;
        let edition = summaries.record.editions.get(place);
        let on = |timeline: &Timeline<'_, bool>| {
            let place = self.ages.coverage(timeline.record.dataset, today).place_on(timeline.record, date)?;
            timeline.at(place).copied()
        };
        let flag = |wanted| flags.iter().find(|(datum, _)| *datum == wanted).and_then(|(_, timeline)| on(timeline));
        let lists = flags.iter().filter_map(|(datum, timeline)| {
            let ChangedDatum::List(list) = datum else { return None };
            (on(timeline) == Some(true)).then_some(*list)
        });
        let state = summaries.states.iter_mut().find(|(first, _)| *first <= place);
        let taxpayer = state.and_then(|(_, summary)| summary.take()).map(|summary| TaxpayerOnDay {
            summary: TaxpayerSummary {
                withholding_agent: flag(ChangedDatum::List(dataset::WITHHOLDING)),
                good_taxpayer: flag(ChangedDatum::List(dataset::GOOD_TAXPAYERS)),
                ..summary
            },
            lists: lists.collect(),
            without_capacity: flag(ChangedDatum::Capacity),
        });
        OnDay { date, edition: edition.map_or_else(|| "".into(), |edition| Arc::clone(&edition.label)), taxpayer }
    }

    /// The uncovered ones of these days.
    fn gaps(&self, history: &TaxpayerHistory<'_>, days: (Date, Date), today: Date) -> Vec<Gap> {
        let flags = history.flags.iter().map(|(_, timeline)| timeline.record);
        let all = [history.summaries.record].into_iter().chain(flags).chain([history.sanctions.record]);
        let mut gaps = Vec::new();
        all.for_each(|record| self.ages.coverage(record.dataset, today).add_gaps(record, days, &mut gaps));
        gaps
    }
}

/// Since when the last edition's status and condition hold.
fn valid_since(summaries: &Timeline<'_, Option<TaxpayerSummary>>) -> Option<(Date, Date)> {
    let now = summaries.states.first()?.1.as_ref()?;
    let since = |is_same: &dyn Fn(&TaxpayerSummary) -> bool| {
        let same = summaries.states.iter().take_while(|(_, state)| state.as_ref().is_some_and(is_same));
        Some(summaries.record.editions.get(same.last()?.0)?.date)
    };
    let status = since(&|state| state.status == now.status)?;
    Some((status, since(&|state| state.condition == now.condition)?))
}
