//! Updates the exchange rates from the tax authority's text and the missing days of the central bank's series, or from
//! another server's record.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use kuraka_domain::{Date, DayRates};
use kuraka_ports::{AttemptOutcome, Clock, DatasetAttempt, ExchangeRateRecord, chain, today};
use kuraka_registry::Accepts;
use kuraka_registry::dataset::TIPO_DE_CAMBIO;
use thiserror::Error;

use super::file::{Content, RecordError, load};
use super::sources::{RateAnswerError, read_series, read_text};
use crate::address::without_secrets;
use crate::datasets::attempt::record_attempt;
use crate::datasets::downloads::DownloadedFile;
use crate::datasets::update::UpdateSource;
use crate::download::{DownloadError, Downloader};
use crate::files::FileError;

/// The central bank's series of the bank supervisor's closes: *compra* and *venta*. First and last day follow.
pub const SERIES_URL: &str = "https://estadisticas.bcrp.gob.pe/estadisticas/series/api/PD04639PD-PD04640PD/json";

/// Requests to a source whose firewall answers some of them with a web page, with a pause between two.
const ATTEMPTS: u32 = 5;
/// Length of that pause, in the downloader's pauses of a second.
const PAUSES: u32 = 5;
/// Days before the last known close that are requested again, because the bank may complete them.
const AGAIN: i32 = 14;

pub struct RateUpdate {
    registry: PathBuf,
    source: UpdateSource,
    series_url: Option<String>,
    downloader: Downloader,
}

/// Why an update failed, or a part of it. The other source's answer is kept.
#[derive(Debug, Error)]
pub enum RateUpdateError {
    #[error("{0} has no address: set datasets.{0}.url", TIPO_DE_CAMBIO.name)]
    NoAddress,
    #[error(transparent)]
    Download(#[from] DownloadError),
    #[error("the answer of {} is not used", without_secrets(url))]
    Answer { url: String, source: RateAnswerError },
    #[error("the record of the builder is not used")]
    Builder(#[source] RecordError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl RateUpdate {
    /// Updates the registry in this folder. `source` is the tax authority's text or a builder's record, `series_url`
    /// the central bank's series, if they are requested.
    pub fn new(registry: PathBuf, source: UpdateSource, series_url: Option<String>, downloader: &Downloader) -> Self {
        Self { registry, source, series_url, downloader: downloader.for_dataset(&TIPO_DE_CAMBIO) }
    }

    /// Requests today's text and, if `with_series`, the missing days of the series, and records the attempt. `None` =
    /// the sources said nothing new. Safe to call again after an error or a dropped future.
    ///
    /// # Errors
    /// [`RateUpdateError`] of the first source that failed; the other one's answer is recorded.
    pub async fn run(
        &self,
        clock: &dyn Clock,
        with_series: bool,
    ) -> Result<Option<ExchangeRateRecord>, RateUpdateError> {
        let result = self.update(clock.now(), with_series).await;
        let outcome = match &result {
            Ok(Some(record)) => AttemptOutcome::Published { edition: record.edition.label.to_string() },
            Ok(None) => AttemptOutcome::Unchanged,
            Err(error) => AttemptOutcome::Failed {
                cause: chain(error),
                reason: match error {
                    RateUpdateError::NoAddress => "La dirección del archivo no está bien configurada.",
                    RateUpdateError::File(_) => "Este servidor no pudo guardar el archivo o leer los que tiene.",
                    RateUpdateError::Download(_) | RateUpdateError::Answer { .. } | RateUpdateError::Builder(_) => {
                        "El publicador no respondió, o sus datos no se entienden."
                    }
                }
                .to_owned(),
                needs_operator: false,
                force_helps: false,
            },
        };
        record_attempt(&self.registry, &TIPO_DE_CAMBIO, &DatasetAttempt { at: clock.now(), outcome })?;
        result
    }

    async fn update(&self, now: Timestamp, with_series: bool) -> Result<Option<ExchangeRateRecord>, RateUpdateError> {
        let (text_url, series_url) = (&self.source.address, self.series_url.as_deref().filter(|_| with_series));
        if text_url.is_empty() && self.series_url.is_none() {
            return Err(RateUpdateError::NoAddress);
        }
        let _lock = self.download(now, TIPO_DE_CAMBIO.name)?;
        let before = match load(&self.registry) {
            Ok(stored) => stored.map(|(content, _)| content).unwrap_or_default(),
            // It is fetched again.
            Err(RecordError::Damaged) => Content::default(),
            Err(RecordError::File(error)) => return Err(error.into()),
        };
        if self.source.accepts == Accepts::Edition {
            let bytes = self.get(text_url, now).await?;
            let (content, _) = Content::parse(&bytes).map_err(RateUpdateError::Builder)?;
            return Ok(self.replace(&before, content)?);
        }
        // The sample does not answer beside published days.
        let mut after = if before.is_sample { Content::default() } else { before.clone() };
        let today = today(now);
        let mut failures = Vec::new();
        if !text_url.is_empty() && !after.published.contains_key(&today) {
            match self.ask(text_url, now, |bytes| read_text(bytes, today)).await {
                Ok((date, rates)) => drop(after.published.insert(date, rates)),
                Err(error) => failures.push(error),
            }
        }
        if let Some(url) = series_url {
            let from = after.first_missing();
            let url = format!("{}/{from}/{today}", url.trim_end_matches('/'));
            let read = |bytes: &[u8]| after.with_series(read_series(bytes)?, from, today);
            match self.ask(&url, now, read).await {
                Ok(closes) => after.closes = closes,
                Err(error) => failures.push(error),
            }
        }
        let report = self.replace(&before, after)?;
        let mut failures = failures.into_iter();
        let Some(first) = failures.next() else { return Ok(report) };
        for other in failures {
            tracing::warn!(dataset = TIPO_DE_CAMBIO.name, cause = chain(&other), "the other source failed too");
        }
        Err(first)
    }

    /// Requests a source. A web page is a refusal, after which another attempt may succeed in seconds.
    async fn ask<T>(
        &self,
        url: &str,
        now: Timestamp,
        read: impl Fn(&[u8]) -> Result<T, RateAnswerError>,
    ) -> Result<T, RateUpdateError> {
        let mut attempt = 1;
        loop {
            match read(&self.get(url, now).await?) {
                Err(RateAnswerError::WebPage) if attempt < ATTEMPTS => attempt += 1,
                answer => return answer.map_err(|source| RateUpdateError::Answer { url: url.to_owned(), source }),
            }
            tokio::time::sleep(self.downloader.pause() * PAUSES).await;
        }
    }

    async fn get(&self, url: &str, now: Timestamp) -> Result<Vec<u8>, RateUpdateError> {
        let file = self.download(now, "answer")?;
        self.downloader.fetch(url, None, &file.path, &|_, _| {}).await?;
        Ok(fs::read(&file.path).map_err(FileError::at(&file.path))?)
    }

    fn download(&self, now: Timestamp, name: &str) -> Result<DownloadedFile, DownloadError> {
        DownloadedFile::new(&self.registry, &TIPO_DE_CAMBIO, name, now)
    }

    fn replace(&self, before: &Content, after: Content) -> Result<Option<ExchangeRateRecord>, FileError> {
        if *before == after { Ok(None) } else { after.write(&self.registry) }
    }
}

impl Content {
    /// The first requested day of the series: the first hole, or some days before the last close.
    fn first_missing(&self) -> Date {
        let closes = || self.closes.iter().filter(|(_, close)| close.is_some()).map(|(day, _)| day.days_since_epoch());
        let (Some(first), Some(last)) = (closes().next(), closes().next_back()) else {
            return ExchangeRateRecord::BEFORE_FIRST;
        };
        let is_hole = |day: &Date| !day.is_weekend() && !self.closes.contains_key(day);
        let hole = (first..last).filter_map(Date::from_days_since_epoch).find(is_hole);
        hole.or_else(|| Date::from_days_since_epoch(last - AGAIN)).unwrap_or(ExchangeRateRecord::BEFORE_FIRST)
    }

    /// Adds the bank's answer of today about the days from `from` on. A known close is kept. A day without one counts
    /// as a holiday only if the answer has a later close.
    fn with_series(
        &self,
        series: BTreeMap<Date, Option<DayRates>>,
        from: Date,
        today: Date,
    ) -> Result<BTreeMap<Date, Option<DayRates>>, RateAnswerError> {
        let mut closes = self.closes.clone();
        closes.retain(|day, close| close.is_some() || *day < from);
        for (day, close) in series {
            if day > today {
                return Err(RateAnswerError::Future(day));
            }
            let known = closes.insert(day, close).flatten();
            if known.is_some() && close.is_none() {
                return Err(RateAnswerError::Gone(day));
            }
        }
        Ok(closes)
    }
}
