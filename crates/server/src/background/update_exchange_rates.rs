//! Keeps the exchange rates up to date: the text until it has today's date, the series a few times a day, or a
//! builder's record.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::DatasetStatuses;
use kuraka_adapters::datasets::exchange_rates::RateUpdate;
use kuraka_app::disagreements;
use kuraka_domain::Date;
use kuraka_ports::{Clock, Datasets};
use kuraka_registry::dataset::TIPO_DE_CAMBIO;
use tokio::sync::Notify;

use super::{Job, Stopping};
use crate::logs;

/// Between requests for the text, which is published between midnight and noon.
const TEXT_EVERY: Duration = Duration::from_secs(600);
/// Between requests for the series, which are one to three business days late.
const SERIES_EVERY: Duration = Duration::from_secs(6 * 3_600);

pub struct UpdateExchangeRates {
    update: RateUpdate,
    datasets: Arc<DatasetStatuses>,
    wake: Arc<Notify>,
    every: Duration,
    series_every: Duration,
    /// When the series were last read, in monotonic time.
    series_read: Option<Duration>,
    reported: BTreeSet<Date>,
    clock: Arc<dyn Clock>,
    stopping: Stopping,
}

impl UpdateExchangeRates {
    /// `every` is the setting, which counts in full for a builder's record.
    pub fn new(
        update: RateUpdate,
        datasets: Arc<DatasetStatuses>,
        every: Duration,
        is_from_publisher: bool,
        clock: Arc<dyn Clock>,
        stopping: Stopping,
    ) -> Self {
        let (reported, series_every) = (BTreeSet::new(), SERIES_EVERY.min(every));
        let every = if is_from_publisher { TEXT_EVERY.min(every) } else { every };
        let wake = datasets.set_next_update(&TIPO_DE_CAMBIO, Duration::ZERO);
        Self { update, datasets, wake, every, series_every, series_read: None, reported, clock, stopping }
    }

    fn report_disagreements(&mut self) {
        let Some(record) = self.datasets.exchange_rates() else { return };
        for day in disagreements(&record).filter(|day| self.reported.insert(*day)) {
            let dataset = TIPO_DE_CAMBIO.name;
            tracing::error!(dataset, %day, "the central bank contradicts the tax authority's exchange rate, which counts");
        }
    }
}

impl Job for UpdateExchangeRates {
    const NAME: &'static str = "update_exchange_rates";
    const EVERY: Duration = TEXT_EVERY;

    fn period(&self) -> Duration {
        self.every
    }

    fn woken(&self) -> impl Future<Output = ()> + Send {
        self.wake.notified()
    }

    async fn tick(&mut self, _: u64) -> bool {
        drop(self.datasets.set_next_update(&TIPO_DE_CAMBIO, self.every));
        // Of the previous tick's record.
        self.report_disagreements();
        let (now, dataset) = (self.clock.monotonic(), TIPO_DE_CAMBIO.name);
        let with_series = self.series_read.is_none_or(|read| now.saturating_sub(read) >= self.series_every);
        let result = tokio::select! {
            result = self.update.run(self.clock.as_ref(), with_series) => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        match result {
            Ok(report) => {
                if with_series {
                    self.series_read = Some(now);
                }
                if let Some(record) = report {
                    tracing::info!(dataset, edition = &*record.edition.label, "the dataset is updated");
                }
                true
            }
            Err(error) => {
                tracing::error!(dataset, cause = logs::chain(&error), "the dataset could not be updated");
                false
            }
        }
    }
}
