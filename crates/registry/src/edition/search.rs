//! A search for companies by name: the documents that all words and filters have in common, until enough are found.
//!
//! The work is bounded, whatever the words: comparing names with a word stops once it has cost as much as reading the
//! word's lists, which are then read once.

use std::cmp::Reverse;
use std::ops::Range;

use kuraka_domain::name::{self, SearchMode};
use kuraka_domain::{DomicileCondition, NamePage, NamePosition, NameQuery, Ruc, RucKind, TaxpayerStatus};
use thiserror::Error;

use super::Edition;
use crate::format::header::NAMES;
use crate::format::{CorruptRowError, record};
use crate::names::{DocumentSet, Filter, IndexReader, TermQuery};
use crate::row_id::ruc_at;

/// Bytes of the edition changed after it was opened, so the search has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    #[error("the edition's index of names is damaged; import the file again or roll back")]
    Index,
    #[error(transparent)]
    Row(#[from] CorruptRowError),
}

const BATCH: usize = 16;

impl Edition {
    /// The companies that are found, without the flags of lists; `None` = the edition has no index of names.
    ///
    /// # Errors
    /// [`SearchError`] if bytes that were read have changed, or the file can no longer be read.
    pub fn search(&self, query: &NameQuery) -> Result<Option<NamePage>, SearchError> {
        let Some(index) = &self.names else { return Ok(None) };
        let section = self.section(NAMES).map_err(|_| SearchError::Index)?;
        let index_reader = IndexReader::new(index, section);
        let (found, compared) = (None, Vec::new());
        let result = Search { edition: self, query, index: index_reader, found, compared, misses: 0 }
            .run([0..index.active, index.active..index.documents]);
        if self.is_unreadable() { Err(SearchError::Index) } else { result.map(Some) }
    }
}

struct Search<'a> {
    edition: &'a Edition,
    query: &'a NameQuery,
    index: IndexReader<'a>,
    /// The documents of all filters and words that are not compared; `None` = all.
    found: Option<DocumentSet>,
    /// Words compared with each document's name, the narrowest last.
    compared: Vec<TermQuery<'a>>,
    misses: usize,
}

impl Search<'_> {
    fn run(mut self, [active, others]: [Range<u32>; 2]) -> Result<NamePage, SearchError> {
        let NameQuery { words, mode, limit, .. } = self.query;
        let mut page = NamePage::default();
        if !self.plan()? {
            return Ok(page);
        }
        let prefix = (*mode == SearchMode::Prefix).then(|| words.join(" "));
        for (is_active, tier) in [(true, active), (false, others)] {
            let start = self.first_in(is_active, tier.clone(), prefix.as_deref())?;
            // One more than the page, to know whether there are more.
            let most = (limit - page.taxpayers.len()).saturating_add(1);
            let rucs = self.collect(start..tier.end, most)?;
            for taxpayer in self.edition.summaries(&rucs) {
                let taxpayer = taxpayer?.ok_or(SearchError::Index)?;
                // Names ascend: no later one begins with the prefix.
                if prefix.as_ref().is_some_and(|prefix| !name::folded(&taxpayer.name).starts_with(prefix)) {
                    break;
                }
                page.taxpayers.push(taxpayer);
            }
            if page.taxpayers.len() > *limit {
                page.taxpayers.truncate(*limit);
                page.next = page.taxpayers.last().map(NamePosition::from_taxpayer);
                break;
            }
        }
        Ok(page)
    }

    /// Reads the documents of the filters and of narrow words. Returns whether anything can be found.
    fn plan(&mut self) -> Result<bool, SearchError> {
        let NameQuery { words, mode, status, condition, department, .. } = self.query;
        // A value that reads as another one is in no row.
        let is_read = status.as_ref().is_none_or(|status| TaxpayerStatus::from_text(status.as_str()) == *status)
            && condition.as_ref().is_none_or(|own| DomicileCondition::from_text(own.as_str()) == *own);
        let mut narrow = Vec::new();
        for (place, word) in words.iter().enumerate() {
            if words.iter().take(place).any(|earlier| earlier == word) {
                continue;
            }
            let query = match mode {
                SearchMode::Words => self.index.beginning(word),
                SearchMode::Contains => self.index.containing(word),
                SearchMode::Prefix => continue,
            };
            let query = query.ok_or(SearchError::Index)?;
            if query.is_wide() { self.compared.push(query) } else { narrow.push(query) }
        }
        self.compared.sort_by_key(|query| Reverse(query.cost()));
        let status = status.as_ref().map(|status| (Filter::Status, status.as_str()));
        let condition = condition.as_ref().map(|condition| (Filter::Condition, condition.as_str()));
        let department = department.map(|department| (Filter::Department, department));
        for (filter, value) in [status, condition, department].into_iter().flatten() {
            narrow.push(self.index.equal(filter, value).ok_or(SearchError::Index)?);
        }
        narrow.iter().try_for_each(|query| self.narrow(query))?;
        Ok(is_read)
    }

    fn narrow(&mut self, query: &TermQuery<'_>) -> Result<(), SearchError> {
        let documents = self.index.documents(query).ok_or(SearchError::Index)?;
        match &mut self.found {
            Some(found) => found.intersect(&documents),
            none => *none = Some(documents),
        }
        Ok(())
    }

    fn first_in(&mut self, is_active: bool, tier: Range<u32>, prefix: Option<&str>) -> Result<u32, SearchError> {
        let after = match &self.query.after {
            Some(after) if is_active && !after.is_active => return Ok(tier.end),
            Some(after) if after.is_active == is_active => Some((after.name.as_str(), after.ruc)),
            _ => None,
        };
        if after.is_none() && prefix.is_none() {
            return Ok(tier.start);
        }
        let Range { start: mut low, end: mut high } = tier;
        while low < high {
            let middle = low.midpoint(high);
            let ruc = self.ruc(middle)?;
            let name = self.name(ruc)?;
            let is_before = after.is_some_and(|after| (name.as_str(), ruc) <= after)
                || prefix.is_some_and(|prefix| name.as_str() < prefix);
            if is_before { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    fn collect(&mut self, mut range: Range<u32>, most: usize) -> Result<Vec<Ruc>, SearchError> {
        let mut rucs = Vec::new();
        while rucs.len() < most {
            let mut batch = Vec::with_capacity(BATCH);
            while batch.len() < BATCH.min(most - rucs.len())
                && let Some(document) = self.next(&range)
            {
                batch.push((document, self.ruc(document)?));
                range.start = document + 1;
            }
            if batch.is_empty() {
                break;
            }
            if !self.compared.is_empty() {
                self.edition.fetch(batch.iter().map(|(_, ruc)| *ruc));
            }
            for (document, ruc) in batch {
                if self.compared.is_empty() || self.is_match(ruc)? {
                    rucs.push(ruc);
                    continue;
                }
                self.misses += 1;
                if self.compared.last().is_some_and(|narrowest| self.misses > narrowest.cost())
                    && let Some(narrowest) = self.compared.pop()
                {
                    self.narrow(&narrowest)?;
                    self.misses = 0;
                    range.start = document + 1;
                    break;
                }
            }
        }
        Ok(rucs)
    }

    fn next(&self, range: &Range<u32>) -> Option<u32> {
        let next = self.found.as_ref().map_or(Some(range.start), |found| found.first_from(range.start));
        next.filter(|document| range.contains(document))
    }

    fn is_match(&self, ruc: Ruc) -> Result<bool, SearchError> {
        let name = self.name(ruc)?;
        Ok(self.compared.iter().all(|query| query.is_in(&name)))
    }

    fn name(&self, ruc: Ruc) -> Result<String, SearchError> {
        let name = self.edition.find(ruc, |record| record::name(record, &self.edition.words))?;
        Ok(name::folded(&name.ok_or(SearchError::Index)?))
    }

    fn ruc(&mut self, document: u32) -> Result<Ruc, SearchError> {
        let ruc = self.index.row_id(document).and_then(ruc_at);
        ruc.filter(|ruc| ruc.kind() == RucKind::LegalPerson).ok_or(SearchError::Index)
    }
}
