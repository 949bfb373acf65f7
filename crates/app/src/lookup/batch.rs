//! Answers from one snapshot: a taxpayer's profile, a history, and lists of RUCs, today's or on past dates. For every
//! operation that the registry answers, the pages, and `kuraka lookup`.

use std::sync::Arc;

use kuraka_domain::{Date, DateError, ListedTaxpayer, Ruc, TaxpayerProfile};
use kuraka_ports::{Edition, ProfileParts, RegistrySnapshot, SourceError, SourceErrorKind};

use super::history::HistoryError;
use super::{LookupError, LookupTaxpayer, RegistryBatch};
use crate::ChargedCall;

/// RUCs looked up before the thread's other calls run.
const AT_ONCE: usize = 64;

/// A RUC, and the requested date; an error = no date.
pub type ListItem = (Ruc, Option<Result<Date, DateError>>);
/// `None` = the padrón proves that the RUC does not exist.
pub type ListAnswer = Result<Option<ListedTaxpayer>, HistoryError>;

pub struct RegistryAnswer {
    /// `None` = the padrón proves that the RUC does not exist.
    pub taxpayer: Option<TaxpayerProfile>,
    /// The required dataset's edition for a taxpayer, else the padrón's.
    pub edition: Arc<Edition>,
    /// The snapshot that answered.
    pub batch: RegistryBatch,
}

impl LookupTaxpayer {
    /// Takes the snapshot.
    ///
    /// # Errors
    /// [`LookupError::NoEdition`].
    pub fn batch(&self, _call: &ChargedCall) -> Result<RegistryBatch, LookupError> {
        let snapshot = self.registry.snapshot().ok_or(LookupError::NoEdition)?;
        Ok(RegistryBatch::new(snapshot, self.ages.clone()))
    }

    /// The parts about `ruc`, from one snapshot. A part without an edition is `None`, unless `required` names its
    /// dataset.
    ///
    /// # Errors
    /// [`LookupError`] if the padrón cannot prove whether the RUC exists, a file cannot be read, the required dataset is
    /// missing or too old, or `parts` have flags and a list is missing.
    pub fn run(
        &self,
        call: &ChargedCall,
        ruc: Ruc,
        parts: ProfileParts,
        required: Option<&'static str>,
    ) -> Result<RegistryAnswer, LookupError> {
        let batch = self.batch(call)?;
        let snapshot = &*batch.snapshot;
        let taxpayer = snapshot.profile(ruc, parts).map_err(|error| match parts.has(ProfileParts::FLAGS) {
            true => LookupError::without_flags(snapshot, error),
            false => error.into(),
        })?;
        let edition = Arc::clone(snapshot.edition());
        // The padrón decides whether the RUC exists.
        let edition = match (&taxpayer, required) {
            (None, _) => self.ages.prove_absence(&edition).map(|()| edition)?,
            (Some(_), None) => edition,
            (Some(_), Some(dataset)) => self.edition_of(dataset, snapshot)?,
        };
        Ok(RegistryAnswer { taxpayer, edition, batch })
    }

    fn edition_of(&self, dataset: &'static str, snapshot: &dyn RegistrySnapshot) -> Result<Arc<Edition>, LookupError> {
        let state = snapshot.dataset(dataset).ok_or(LookupError::NoDataset { dataset, is_damaged: false })?;
        let edition = state.edition.clone().ok_or_else(|| LookupError::no_dataset(state))?;
        match self.ages.too_old(dataset, &edition) {
            Some(age_days) => Err(LookupError::OldDataset { dataset, label: Arc::clone(&edition.label), age_days }),
            None => Ok(edition),
        }
    }
}

impl RegistryBatch {
    /// Checks that the items can be answered: those without a day need the lists of the flags.
    ///
    /// # Errors
    /// [`LookupError::NoDataset`].
    pub fn check(&self, items: &[ListItem]) -> Result<(), LookupError> {
        let is_of_today = items.iter().any(|(_, date)| date.is_none());
        let missing = self.snapshot.missing_list().filter(|_| is_of_today);
        missing.map_or(Ok(()), |list| Err(LookupError::no_dataset(list)))
    }

    /// The answers about these items, in their order. `parts` is what is read of a taxpayer as it is.
    pub fn answers(&self, items: &[ListItem], parts: ProfileParts) -> Vec<ListAnswer> {
        let rucs: Vec<Ruc> = items.iter().filter(|(_, date)| date.is_none()).map(|(ruc, _)| *ruc).collect();
        let mut profiles = self.snapshot.profiles(&rucs, parts).map(|profile| {
            let profile = profile.map_err(LookupError::from)?;
            if profile.is_none() {
                self.ages.prove_absence(self.snapshot.edition())?;
            }
            Ok(profile.map(ListedTaxpayer::Now))
        });
        let answer = |(ruc, date): &ListItem| match date {
            None => profiles.next().unwrap_or_else(|| {
                let lost = SourceError::new("registry", SourceErrorKind::Unreadable);
                Err(LookupError::from(lost).into())
            }),
            Some(date) => Ok(self.on_day(*ruc, *date)?.map(ListedTaxpayer::OnDay)),
        };
        items.iter().map(answer).collect()
    }

    /// As [`RegistryBatch::answers`], with other calls of the thread in between.
    pub async fn answers_of_call(&self, items: &[ListItem], parts: ProfileParts) -> Vec<ListAnswer> {
        let mut answers = Vec::with_capacity(items.len());
        for items in items.chunks(AT_ONCE) {
            answers.extend(self.answers(items, parts));
            tokio::task::yield_now().await;
        }
        answers
    }
}
