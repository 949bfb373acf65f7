//! Searching for companies by name: the pages, their fields, and the cursor between them.

mod cursor;
mod fields;

use std::sync::Arc;

use kuraka_domain::TaxpayerSummary;
use kuraka_ports::{Edition, NamePage, NamePosition, NameQuery, ProfileParts, RegistrySnapshot};
use thiserror::Error;

pub use self::fields::{SearchFieldError, SearchFields};
use super::{LookupError, LookupTaxpayer};
use crate::ChargedCall;

#[derive(Clone, Debug)]
pub struct SearchAnswer {
    pub edition: Arc<Edition>,
    /// In order, with their flags.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// [`SearchFields::cursor`] of the next page; `None` = no more results.
    pub cursor: Option<String>,
}

#[derive(Debug, Error)]
pub enum SearchError {
    /// The snapshot has no index of names.
    #[error("there is no index of names")]
    NoIndex,
    #[error(transparent)]
    Registry(#[from] LookupError),
}

impl LookupTaxpayer {
    /// A page of the companies that [`SearchFields::query`] names. Nothing found is an empty page.
    ///
    /// # Errors
    /// [`SearchError`] if there is no edition or no index, or one of them cannot be read.
    pub fn search(&self, _call: &ChargedCall, query: NameQuery) -> Result<SearchAnswer, SearchError> {
        self.page(query)
    }

    /// [`LookupTaxpayer::search`] for suggestions, free of charge: the caller limits their number.
    ///
    /// # Errors
    /// See [`LookupTaxpayer::search`].
    pub fn suggest(&self, query: NameQuery) -> Result<Vec<TaxpayerSummary>, SearchError> {
        Ok(self.page(query)?.taxpayers)
    }

    fn page(&self, mut query: NameQuery) -> Result<SearchAnswer, SearchError> {
        let snapshot = self.registry.snapshot().ok_or(LookupError::NoEdition)?;
        if let Some(after) = query.after.as_mut().filter(|after| cursor::may_be_cut(&after.name)) {
            complete(after, &*snapshot)?;
        }
        let found = snapshot.search(&query);
        let NamePage { taxpayers, next } =
            found.map_err(|error| LookupError::without_flags(&*snapshot, error))?.ok_or(SearchError::NoIndex)?;
        let cursor = next.map(|next| cursor::write(&query, &next));
        Ok(SearchAnswer { edition: Arc::clone(snapshot.edition()), taxpayers, cursor })
    }
}

/// Replaces a cut name by the whole one, if the taxpayer still has it.
fn complete(after: &mut NamePosition, snapshot: &dyn RegistrySnapshot) -> Result<(), LookupError> {
    let now =
        snapshot.profile(after.ruc, ProfileParts::NONE)?.map(|profile| NamePosition::from_taxpayer(&profile.summary));
    if let Some(now) = now.filter(|now| now.is_active == after.is_active && now.name.starts_with(&after.name)) {
        *after = now;
    }
    Ok(())
}
