//! Runs a search: the documents of each word and each filter, chunk by chunk, until enough are found.

use std::ops::Range;

use kuraka_domain::{DomicileCondition, name};
use kuraka_domain::{Ruc, RucKind, TaxpayerStatus, TaxpayerSummary};
use thiserror::Error;

use super::blocks::Reader;
use super::list::{self, Bits, CHUNK, Documents};
use super::query::{NameMatch, NameSearch};
use super::terms::{Filter, Terms};
use super::{Names, ROW_ID};
use crate::format::{CorruptRow, u32_at};
use crate::row_id::ruc_at;

/// The bytes of an index or of a row changed after the edition was opened, so the search has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Bytes of the index of names.
    #[error("the edition's index of names is damaged; import the file again or roll back")]
    Index,
    /// Bytes of a row.
    #[error(transparent)]
    Row(#[from] CorruptRow),
}

/// A page of companies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundNames {
    /// The companies, in order, without the flags of lists.
    pub taxpayers: Vec<TaxpayerSummary>,
    /// Whether there are more.
    pub has_more: bool,
}

/// One search in an edition's index.
pub(super) struct Search<'s, 'a, L> {
    terms: Terms<'s, 'a>,
    query: &'s NameSearch<'s>,
    /// The query's words, joined by blanks, if the name begins with them.
    prefix: Option<String>,
    /// Reads a row.
    look_up: L,
    found: FoundNames,
}

impl<'s, 'a, L: Fn(Ruc) -> Result<Option<TaxpayerSummary>, CorruptRow>> Search<'s, 'a, L> {
    pub(super) fn new(names: &'s Names, section: &'a [u8], query: &'s NameSearch<'s>, look_up: L) -> Self {
        let prefix = (query.matching == NameMatch::Prefix).then(|| query.words.join(" "));
        let terms = Terms { names, reader: Reader::new(section) };
        Self { terms, query, prefix, look_up, found: FoundNames::default() }
    }

    pub(super) fn run(mut self) -> Result<FoundNames, SearchError> {
        let Names { active, documents, .. } = *self.terms.names;
        let mut sets = self.sets().ok_or(SearchError::Index)?;
        if sets.iter().any(Documents::is_empty) {
            return Ok(self.found);
        }
        // Those with few documents first, so that the others are often not needed.
        sets.sort_by_key(|set| set.bytes);
        for (is_active, tier) in [(true, 0..active), (false, active..documents)] {
            let from = self.first_in(is_active, tier.clone())?;
            if self.collect(from..tier.end, &sets)? {
                self.found.has_more = true;
                break;
            }
        }
        Ok(self.found)
    }

    /// The documents of each word and each filter.
    fn sets(&mut self) -> Option<Vec<Documents>> {
        let NameSearch { words, matching, status, condition, department, .. } = *self.query;
        let mut sets = Vec::new();
        for word in words {
            match matching {
                NameMatch::Words => sets.push(self.terms.beginning(word)?),
                NameMatch::Contains => sets.push(self.terms.containing(word)?),
                NameMatch::Prefix => {}
            }
        }
        // A value that is no text of the registry as it is read has an equal text, but is another value.
        let status = status.map(|status| (status.as_str(), TaxpayerStatus::from_text(status.as_str()) == *status));
        let condition = condition.map(|value| (value.as_str(), DomicileCondition::from_text(value.as_str()) == *value));
        let department = department.map(|department| (department, true));
        for (filter, value) in
            [(Filter::Status, status), (Filter::Condition, condition), (Filter::Department, department)]
        {
            match value {
                Some((value, true)) => sets.push(self.terms.equal(&filter.term(value))?),
                Some((_, false)) => sets.push(Documents::none(self.terms.names.documents)),
                None => {}
            }
        }
        Some(sets)
    }

    /// The first document of a tier that may be found: after the last page, and not before the prefix.
    fn first_in(&mut self, is_active: bool, tier: Range<u32>) -> Result<u32, SearchError> {
        let after = match self.query.after {
            Some((false, ..)) if is_active => return Ok(tier.end),
            Some((of_active, name, ruc)) if of_active == is_active => Some((name, ruc)),
            _ => None,
        };
        if after.is_none() && self.prefix.is_none() {
            return Ok(tier.start);
        }
        let Range { start: mut low, end: mut high } = tier;
        while low < high {
            let middle = low.midpoint(high);
            let taxpayer = self.taxpayer(middle)?;
            let name = name::folded(&taxpayer.name);
            let is_before = after.is_some_and(|after| (name.as_str(), taxpayer.ruc) <= after)
                || self.prefix.as_ref().is_some_and(|prefix| name < *prefix);
            if is_before { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// Finds the documents in this range that are in all sets. Returns whether there are more than the limit.
    fn collect(&mut self, range: Range<u32>, sets: &[Documents]) -> Result<bool, SearchError> {
        if range.is_empty() {
            return Ok(false);
        }
        for chunk in range.start >> CHUNK..=(range.end - 1) >> CHUNK {
            let first = chunk << CHUNK;
            let mut bits: Bits = [0; _];
            list::set(&mut bits, range.start.max(first) - first..range.end.min(first + (1 << CHUNK)) - first);
            for set in sets {
                let mut of_set: Bits = [0; _];
                set.put(&mut self.terms.reader, chunk as usize, &mut of_set).ok_or(SearchError::Index)?;
                let any = bits.iter_mut().zip(of_set).fold(0, |any, (bits, other)| {
                    *bits &= other;
                    any | *bits
                });
                if any == 0 {
                    break;
                }
            }
            for (at, mut word) in (0_u32..).zip(bits) {
                while word != 0 {
                    let document = first + at * u64::BITS + word.trailing_zeros();
                    word &= word - 1;
                    let is_full = self.found.taxpayers.len() >= self.query.limit;
                    if is_full && self.prefix.is_none() {
                        return Ok(true);
                    }
                    let taxpayer = self.taxpayer(document)?;
                    // The names ascend: no later one has the prefix either.
                    if self.prefix.as_ref().is_some_and(|prefix| !name::folded(&taxpayer.name).starts_with(prefix)) {
                        return Ok(false);
                    }
                    if is_full {
                        return Ok(true);
                    }
                    self.found.taxpayers.push(taxpayer);
                }
            }
        }
        Ok(false)
    }

    /// The taxpayer of a document.
    fn taxpayer(&mut self, document: u32) -> Result<TaxpayerSummary, SearchError> {
        let at = self.terms.names.rows + document as usize * ROW_ID;
        let row_id = self.terms.reader.read(at, ROW_ID).and_then(|bytes| u32_at(bytes, 0));
        let ruc = row_id.and_then(ruc_at).filter(|ruc| ruc.kind() == RucKind::LegalPerson);
        let ruc = ruc.ok_or(SearchError::Index)?;
        (self.look_up)(ruc)?.ok_or(SearchError::Index)
    }
}
