//! A search by name through every taxpayer, against which every index is tested.

use kuraka_domain::name::SearchMode;
use kuraka_domain::{RucKind, TaxpayerSummary};

use crate::{NamePage, NamePosition, NameQuery};

/// Every company, in the order of results.
pub struct SearchModel<'a>(Vec<(NamePosition, &'a TaxpayerSummary)>);

impl<'a> SearchModel<'a> {
    pub fn new(taxpayers: impl IntoIterator<Item = &'a TaxpayerSummary>) -> Self {
        let companies = taxpayers.into_iter().filter(|taxpayer| taxpayer.ruc.kind() == RucKind::LegalPerson);
        let mut companies: Vec<_> =
            companies.map(|taxpayer| (NamePosition::from_taxpayer(taxpayer), taxpayer)).collect();
        companies.sort_by(|(first, _), (second, _)| first.key().cmp(&second.key()));
        Self(companies)
    }

    pub fn page(&self, query: &NameQuery) -> NamePage {
        let is_after = |position: &NamePosition| query.after.as_ref().is_none_or(|after| after.key() < position.key());
        let found =
            self.0.iter().filter(|(position, taxpayer)| is_after(position) && matches(query, position, taxpayer));
        let mut found: Vec<_> = found.take(query.limit.saturating_add(1)).collect();
        let has_more = found.len() > query.limit;
        found.truncate(query.limit);
        let next = found.last().filter(|_| has_more).map(|(position, _)| position.clone());
        NamePage { taxpayers: found.into_iter().map(|(_, taxpayer)| (*taxpayer).clone()).collect(), next }
    }
}

fn matches(query: &NameQuery, NamePosition { name, .. }: &NamePosition, taxpayer: &TaxpayerSummary) -> bool {
    let every = |is: fn(&str, &str) -> bool| {
        query.words.iter().all(|word| name.split(' ').any(|name| !name.is_empty() && is(name, word)))
    };
    let is_named = match query.mode {
        SearchMode::Words => every(|name, word| name.starts_with(word)),
        SearchMode::Prefix => name.starts_with(&query.words.join(" ")),
        SearchMode::Contains => every(|name, word| name.contains(word)),
    };
    is_named
        && query.status.as_ref().is_none_or(|status| *status == taxpayer.status)
        && query.condition.as_ref().is_none_or(|condition| *condition == taxpayer.condition)
        && query.department.is_none_or(|department| department == taxpayer.department())
}
