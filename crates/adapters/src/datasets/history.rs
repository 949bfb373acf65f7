//! The histories of a snapshot: a taxpayer's state in each edition, by date.
//!
//! A history file has the editions in the order of publication. If an earlier file was imported later, the states are
//! sorted by date here.

use std::sync::Arc;

use kuraka_domain::{Ruc, RucKind};
use kuraka_ports::{
    self as ports, DatasetRecord, MonthState, MonthlyHistory, MonthsRecord, SanctionPeriod, SourceError,
    SourceErrorKind::Unreadable, States, TaxpayerHistory, Timeline,
};
use kuraka_registry::Edition;
use kuraka_registry::changes::EditionName;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::{History, HistoryError};
use kuraka_registry::months::{Month, Months};

use super::SOURCE;
use super::feed::data::{self, Said};

/// The histories of all datasets, and the months of the open data.
#[derive(Default)]
pub(super) struct Histories {
    datasets: Vec<(&'static Dataset, Result<DatasetHistory, DatasetRecord>)>,
    months: Option<(Arc<Months>, Arc<MonthsRecord>)>,
}

struct DatasetHistory {
    edition: Arc<Edition>,
    history: Arc<History>,
    at: usize,
    record: DatasetRecord,
    /// The present state, also of forgotten persons.
    present: DatasetRecord,
    /// The indexes of the editions by date, if the file's order differs.
    order: Option<Vec<usize>>,
}

impl Histories {
    /// Adds a dataset of a snapshot, with its served edition.
    pub(super) fn add(
        &mut self,
        dataset: &'static Dataset,
        edition: Option<&Arc<Edition>>,
        history: Option<&Arc<History>>,
    ) {
        if dataset.history.is_none() {
            return;
        }
        let recorded = edition.zip(history).and_then(|(edition, history)| DatasetHistory::new(edition, history));
        let begins_after_gap = edition.is_some();
        let missing = || DatasetRecord { dataset: dataset.name, editions: Vec::new(), begins_after_gap };
        self.datasets.push((dataset, recorded.ok_or_else(missing)));
    }

    pub(super) fn add_months(&mut self, months: Option<&Arc<Months>>) {
        let Some(months) = months else { return };
        let (Some(first), Some(last)) = (months.months().min(), months.months().max()) else { return };
        let between = std::iter::successors(Some(first), |month| Some(month.next())).take_while(|month| *month < last);
        let missing = between.filter(|month| months.months().all(|known| known != *month)).map(Month::first_day);
        let record = MonthsRecord { first: first.first_day(), last: last.first_day(), missing: missing.collect() };
        self.months = Some((Arc::clone(months), Arc::new(record)));
    }

    fn months_of(&self, ruc: Ruc) -> Result<Option<MonthlyHistory>, SourceError> {
        let is_company = ruc.kind() == RucKind::LegalPerson;
        let Some((months, record)) = self.months.as_ref().filter(|_| is_company) else { return Ok(None) };
        let states = months.states(ruc).map_err(unreadable)?;
        let state = |(status, condition): (&str, &str)| MonthState {
            status: status.to_owned(),
            condition: condition.to_owned(),
        };
        let changes = states.into_iter().rev().map(|(month, known)| (month.first_day(), known.map(state)));
        Ok(Some(MonthlyHistory { record: Arc::clone(record), changes: changes.collect() }))
    }

    /// A taxpayer's history; `None` = the padrón's is not usable.
    pub(super) fn taxpayer(&self, ruc: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError> {
        let (mut summaries, mut flags, mut sanctions) = (None, Vec::new(), Timeline::none());
        for (dataset, recorded) in &self.datasets {
            match Said::by(dataset) {
                Said::Summary => {
                    let Ok(recorded) = recorded else { return Ok(None) };
                    summaries = Some(recorded.timeline(History::summaries, ruc)?);
                }
                Said::Periods => sanctions = timeline(recorded, periods, ruc)?,
                Said::Flag(datum) => flags.push((datum, timeline(recorded, History::presence, ruc)?)),
                Said::Nothing => {}
            }
        }
        let months = self.months_of(ruc)?;
        Ok(summaries.map(|summaries| TaxpayerHistory { summaries, flags, sanctions, months }))
    }
}

type Read<T> = fn(&History, &Edition, usize, Ruc) -> Result<States<T>, HistoryError>;

/// A dataset's timeline; without editions if it has no usable history.
fn timeline<T: Clone>(
    recorded: &Result<DatasetHistory, DatasetRecord>,
    read: Read<T>,
    ruc: Ruc,
) -> Result<Timeline<'_, T>, SourceError> {
    match recorded {
        Ok(recorded) => recorded.timeline(read, ruc),
        Err(record) => Ok(Timeline { record, ..Timeline::none() }),
    }
}

impl DatasetHistory {
    /// `None` = the history lacks the edition.
    fn new(edition: &Arc<Edition>, history: &Arc<History>) -> Option<Self> {
        let at = history.place_of(edition)?;
        let known = history.editions().get(..=at)?;
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by_key(|&place| known.get(place).map(|edition| edition.date));
        let origin = edition.meta().origin;
        let facts = |edition: &EditionName| ports::Edition {
            label: edition.label.as_str().into(),
            digest: None,
            date: edition.date,
            origin,
            rows: edition.taxpayers,
        };
        let editions = order.iter().filter_map(|&place| known.get(place)).map(facts).collect();
        let dataset = edition.dataset().name;
        let record = DatasetRecord { dataset, editions, begins_after_gap: history.begins_after_gap() };
        let editions = known.last().map(facts).into_iter().collect();
        let present = DatasetRecord { dataset, editions, begins_after_gap: true };
        let order = (!order.is_sorted()).then_some(order);
        Some(Self { edition: Arc::clone(edition), history: Arc::clone(history), at, record, present, order })
    }

    fn timeline<T: Clone>(&self, read: Read<T>, ruc: Ruc) -> Result<Timeline<'_, T>, SourceError> {
        let states = read(&self.history, &self.edition, self.at, ruc);
        let mut states = states.map_err(unreadable)?;
        if self.history.has_forgotten(ruc) {
            states.truncate(1);
            states.iter_mut().for_each(|(place, _)| *place = 0);
            return Ok(Timeline { record: &self.present, states });
        }
        let states = match &self.order {
            None => states,
            Some(order) => by_date(order, &states),
        };
        Ok(Timeline { record: &self.record, states })
    }
}

/// The states in this order, newest first.
fn by_date<T: Clone>(order: &[usize], states: &[(usize, T)]) -> States<T> {
    let mut ordered = States::new();
    let mut last = None;
    for (place, published) in order.iter().enumerate() {
        let state = states.iter().position(|(first, _)| first <= published);
        if let Some((_, value)) = state.filter(|_| state != last).and_then(|state| states.get(state)) {
            ordered.push((place, value.clone()));
        }
        last = state;
    }
    ordered.reverse();
    ordered
}

fn unreadable<E: std::error::Error + Send + Sync + 'static>(error: E) -> SourceError {
    SourceError::new(SOURCE, Unreadable).with_cause(error)
}

fn periods(
    history: &History,
    edition: &Edition,
    at: usize,
    ruc: Ruc,
) -> Result<States<Vec<SanctionPeriod>>, HistoryError> {
    let fields = edition.dataset().history.unwrap_or_default();
    let states = history.rows(edition, at, ruc)?;
    Ok(states.into_iter().map(|(place, rows)| (place, data::periods(fields, &rows))).collect())
}
