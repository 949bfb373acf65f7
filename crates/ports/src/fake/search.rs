//! A search by name that goes through every taxpayer. It defines the results that every index is tested against.

use kuraka_domain::name::words;
use kuraka_domain::{RucKind, TaxpayerSummary};

use crate::{NamePage, NamePosition, NameQuery, SearchMode};

/// Whether a taxpayer is among the results of `query`, whatever the page.
#[must_use]
pub fn matches(query: &NameQuery, taxpayer: &TaxpayerSummary) -> bool {
    let names = words(&taxpayer.name);
    let every = |is: fn(&str, &str) -> bool| query.words.iter().all(|word| names.iter().any(|name| is(name, word)));
    let is_named = match query.mode {
        SearchMode::Words => every(|name, word| name.starts_with(word)),
        SearchMode::Prefix => names.join(" ").starts_with(&query.words.join(" ")),
        SearchMode::Contains => every(|name, word| name.contains(word)),
    };
    is_named
        && taxpayer.ruc.kind() == RucKind::LegalPerson
        && query.status.as_ref().is_none_or(|status| *status == taxpayer.status)
        && query.condition.as_ref().is_none_or(|condition| *condition == taxpayer.condition)
        && query.department.is_none_or(|department| department == taxpayer.department())
}

/// The page of `query` among these taxpayers.
#[must_use]
pub fn page_of<'a>(query: &NameQuery, taxpayers: impl IntoIterator<Item = &'a TaxpayerSummary>) -> NamePage {
    let is_after = |position: &NamePosition| query.after.as_ref().is_none_or(|after| after.key() < position.key());
    let mut found: Vec<_> = taxpayers
        .into_iter()
        .filter(|taxpayer| matches(query, taxpayer))
        .map(|taxpayer| (NamePosition::of(taxpayer), taxpayer))
        .filter(|(position, _)| is_after(position))
        .collect();
    found.sort_by(|(first, _), (second, _)| first.key().cmp(&second.key()));
    let has_more = found.len() > query.limit;
    found.truncate(query.limit);
    let next = found.last().filter(|_| has_more).map(|(position, _)| position.clone());
    NamePage { taxpayers: found.into_iter().map(|(_, taxpayer)| taxpayer.clone()).collect(), next }
}
