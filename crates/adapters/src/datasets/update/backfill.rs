//! Reads the open data of past months, oldest first. Each file is deleted once its month is recorded.

use std::sync::Arc;

use kuraka_domain::EditionOrigin;
use kuraka_ports::{Clock, chain, today};
use kuraka_registry::months::{Month, MonthError, Months, add_file};
use kuraka_registry::{Accepts, dataset};

use super::error::{UpdateError, read_may_pass};
use super::note::{Note, judge};
use super::request::UpdateProgress;
use super::{DatasetUpdate, beside_calls};
use crate::address::without_secrets;
use crate::datasets::downloads::downloads_of;
use crate::download::Fetched;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MonthOutcome {
    Known,
    /// It was added, with this many companies.
    Added(usize),
    /// There is no such file.
    NotPublished,
    /// The file is unreadable, or a guard refuses it, for this reason.
    Refused(String),
}

impl DatasetUpdate {
    /// Adds each missing month from `from` on that is published at `address`, in which `{AAAAMM}` stands for the month.
    /// `force` overrides the guards. `each` is called with every month's result. Safe to call again after an error, a
    /// dropped future or a kill: it resumes.
    ///
    /// # Errors
    /// [`UpdateError`] if a file cannot be fetched or recorded; earlier months stay.
    pub async fn backfill(
        &self,
        address: &str,
        (from, force): (Month, bool),
        clock: &dyn Clock,
        progress: Arc<dyn UpdateProgress>,
        mut each: impl FnMut(Month, &MonthOutcome),
    ) -> Result<(), UpdateError> {
        let registry = self.registry.clone();
        let known = beside_calls(move || Months::find(&registry)).await.map_err(UpdateError::Stopped)?;
        let known = known.map_err(UpdateError::Record)?.filter(|known| known.origin() == EditionOrigin::Published);
        let known: Vec<Month> = known.iter().flat_map(Months::months).collect();
        let last = Month::from_date(today(clock.now()));
        let months = std::iter::successors(Some(from), |month| Some(month.next()));
        for month in months.take_while(|month| Some(*month) <= last) {
            let outcome = match known.contains(&month) {
                true => {
                    // A process that was killed after adding the month has left its file.
                    let name = format!("month-{}", month.compact());
                    if downloads_of(&self.registry, self.dataset).join(&name).exists() {
                        let _ = self.download(&name, clock.now());
                    }
                    MonthOutcome::Known
                }
                false => {
                    // The guards compare a month with the known months next to it.
                    let (before, after): (Vec<Month>, Vec<_>) = known.iter().copied().partition(|known| *known < month);
                    let beside = [before.last(), after.first()];
                    let beside = beside.map(|near| near.map_or_else(String::new, |near| near.compact()));
                    self.month(address, month, (force, beside.join("-")), clock, &progress).await?
                }
            };
            each(month, &outcome);
        }
        Ok(())
    }

    async fn month(
        &self,
        address: &str,
        month: Month,
        (force, beside): (bool, String),
        clock: &dyn Clock,
        progress: &Arc<dyn UpdateProgress>,
    ) -> Result<MonthOutcome, UpdateError> {
        let (dataset, compact) = (self.dataset, month.compact());
        let url = dataset::with_month(address, &compact).ok_or(UpdateError::NoMonth { dataset })?;
        let file = self.download(&format!("month-{compact}"), clock.now())?;
        let note = file.read_note::<Note>().filter(|note| {
            !force && note.version.name == without_secrets(&url) && note.counts(Some(&beside), Accepts::Published)
        });
        let known = note.as_ref().map(|note| &note.version);
        let version = match self.request(&file, None, None, &**progress).fetch(&url, known).await {
            Ok(Fetched::New { version, html: false, .. }) => version,
            Ok(Fetched::New { .. }) => return Ok(MonthOutcome::NotPublished),
            Ok(Fetched::Unchanged) => {
                let refused = note.and_then(|note| note.refused);
                return Ok(refused.map_or(MonthOutcome::NotPublished, MonthOutcome::Refused));
            }
            Err(error) if error.is_not_found() => return Ok(MonthOutcome::NotPublished),
            Err(error) => return Err(error),
        };
        let _turn = self.turns.acquire().await;
        let (registry, path, progress) = (self.registry.clone(), file.path.clone(), Arc::clone(progress));
        let adding = move || add_file(&registry, month, &path, force, &*progress);
        match beside_calls(adding).await.map_err(UpdateError::Stopped)? {
            Ok(companies) => Ok(MonthOutcome::Added(companies)),
            Err(MonthError::Record(error)) => Err(UpdateError::Record(error)),
            Err(error) => {
                let may_pass = matches!(&error, MonthError::Read(error) if read_may_pass(error));
                let by_guard = matches!(error, MonthError::Guard(_));
                let force = if by_guard { "; --force adds it" } else { "" };
                let (url, cause) = (without_secrets(&url), chain(&error) + force);
                tracing::warn!(url, cause, "a month is not added");
                if !may_pass {
                    let (by, refused) = (judge(Accepts::Published), Some(cause.clone()));
                    let note = Note { version, label: Some(beside), sha256: None, by, refused, by_guard };
                    self.write_note(&file, &note);
                }
                Ok(MonthOutcome::Refused(cause))
            }
        }
    }
}
