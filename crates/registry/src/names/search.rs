//! Runs a search: the documents of each word and each filter, chunk by chunk, until enough are found.

use std::ops::Range;

use kuraka_domain::{DomicileCondition, name};
use kuraka_domain::{Ruc, RucKind, TaxpayerStatus, TaxpayerSummary};
use thiserror::Error;

use super::list::{self, Bits, CHUNK, Documents};
use super::query::{NameMatch, NameSearch};
use super::terms::{Filter, Terms, Wanted};
use super::{ROW_ID, SAMPLE, SAMPLED, sample};
use crate::format::{CorruptRow, u32_at};
use crate::row_id::ruc_at;

/// Names that are read in vain before the lists of wide words are.
const MISSES: u32 = 1000;

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

/// The rows of an edition, as far as a search reads them.
pub(crate) trait Rows {
    /// The name of a taxpayer; `None` = there is no such taxpayer.
    fn name(&self, ruc: Ruc) -> Result<Option<String>, CorruptRow>;

    /// What a lookup of each of these taxpayers finds.
    fn summaries(&self, rucs: &[Ruc]) -> Result<Vec<Option<TaxpayerSummary>>, CorruptRow>;
}

/// One search in an edition's index.
pub(super) struct Search<'s, 'a, R> {
    pub(super) query: &'s NameSearch<'s>,
    pub(super) terms: Terms<'s, 'a>,
    pub(super) rows: &'s R,
}

/// What a search goes through.
struct Plan<'q> {
    /// The documents of words and filters, which are in all of them.
    sets: Vec<Documents>,
    /// Words that are compared with the name of each document.
    compared: Vec<Wanted<'q>>,
    /// Names that may be read without finding anything, before the documents of those words are used instead.
    misses: u32,
    /// The query's words, joined by blanks, if the name begins with them.
    prefix: Option<String>,
}

impl<'s, R: Rows> Search<'s, '_, R> {
    pub(super) fn run(mut self) -> Result<FoundNames, SearchError> {
        let (active, documents, limit) = (self.terms.names.active, self.terms.names.documents, self.query.limit);
        let mut found = FoundNames::default();
        let Some(mut plan) = self.plan().ok_or(SearchError::Index)? else { return Ok(found) };
        for (is_active, tier) in [(true, 0..active), (false, active..documents)] {
            let start = self.first_in(is_active, tier.clone(), plan.prefix.as_deref())?;
            // One more than the page tells whether there is another page.
            let most = (limit - found.taxpayers.len()).saturating_add(1);
            let rucs = self.collect(start..tier.end, &mut plan, most)?;
            for taxpayer in self.rows.summaries(&rucs)? {
                let taxpayer = taxpayer.ok_or(SearchError::Index)?;
                // The names ascend: no later one begins with the prefix either.
                if plan.prefix.as_ref().is_some_and(|prefix| !name::folded(&taxpayer.name).starts_with(prefix)) {
                    break;
                }
                found.taxpayers.push(taxpayer);
            }
            if found.taxpayers.len() > limit {
                found.taxpayers.truncate(limit);
                found.has_more = true;
                break;
            }
        }
        Ok(found)
    }

    /// How the search is done; `None` inside = nothing can be found.
    fn plan(&mut self) -> Option<Option<Plan<'s>>> {
        let NameSearch { words, matching, status, condition, department, .. } = *self.query;
        let mut wanted = Vec::new();
        for word in words {
            match matching {
                NameMatch::Words => wanted.push(self.terms.beginning(word)?),
                NameMatch::Contains => wanted.push(self.terms.containing(word)?),
                NameMatch::Prefix => {}
            }
        }
        let (compared, mut wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(Wanted::is_wide);
        // A value that reads as another one is in no row.
        let is_read = status.is_none_or(|status| TaxpayerStatus::from_text(status.as_str()) == *status)
            && condition.is_none_or(|condition| DomicileCondition::from_text(condition.as_str()) == *condition);
        let status = status.map(|status| (Filter::Status, status.as_str()));
        let condition = condition.map(|condition| (Filter::Condition, condition.as_str()));
        let department = department.map(|department| (Filter::Department, department));
        for (filter, value) in [status, condition, department].into_iter().flatten() {
            wanted.push(self.terms.equal(filter, value)?);
        }
        let sets = wanted.iter().map(|wanted| self.terms.documents(wanted)).collect::<Option<Vec<_>>>()?;
        let prefix = (matching == NameMatch::Prefix).then(|| words.join(" "));
        let mut plan = Plan { sets, compared, misses: MISSES, prefix };
        plan.sort();
        Some(Some(plan).filter(|_| is_read))
    }

    /// The first document of a tier that may be found: after the last page, and not before the prefix.
    fn first_in(&mut self, is_active: bool, tier: Range<u32>, prefix: Option<&str>) -> Result<u32, SearchError> {
        let after = match self.query.after {
            Some((false, ..)) if is_active => return Ok(tier.end),
            Some((of_active, name, ruc)) if of_active == is_active => Some((name, ruc)),
            _ => None,
        };
        if after.is_none() && prefix.is_none() {
            return Ok(tier.start);
        }
        let name = after.map_or("", |(name, _)| name).max(prefix.unwrap_or_default());
        let Range { start: mut low, end: mut high } = self.between_samples(tier, name)?;
        while low < high {
            let middle = low.midpoint(high);
            let (ruc, name) = self.name(middle)?;
            let is_before = after.is_some_and(|after| (name.as_str(), ruc) <= after)
                || prefix.is_some_and(|prefix| name.as_str() < prefix);
            if is_before { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// The documents of a tier whose names may be equal to `name` or the first after it: those before are less, those after
    /// are greater.
    fn between_samples(&mut self, tier: Range<u32>, name: &str) -> Result<Range<u32>, SearchError> {
        let (wanted, samples) = (sample(name), tier.start.div_ceil(SAMPLED)..tier.end.div_ceil(SAMPLED));
        let mut first = |is_before: fn(&[u8], &[u8]) -> bool| {
            let Range { start: mut low, end: mut high } = samples.clone();
            while low < high {
                let middle = low.midpoint(high);
                let at = self.terms.names.samples + middle as usize * SAMPLE;
                let sample = self.terms.reader.read(at, SAMPLE).ok_or(SearchError::Index)?;
                if is_before(sample, &wanted) { low = middle + 1 } else { high = middle }
            }
            Ok::<_, SearchError>(low)
        };
        let (from, to) = (first(|sample, wanted| sample < wanted)?, first(|sample, wanted| sample <= wanted)?);
        let from = from.checked_sub(1).map_or(tier.start, |sample| tier.start.max(sample * SAMPLED));
        Ok(from..if to < samples.end { to * SAMPLED } else { tier.end })
    }

    /// The first `most` companies of this range that are found.
    fn collect(&mut self, range: Range<u32>, plan: &mut Plan<'_>, most: usize) -> Result<Vec<Ruc>, SearchError> {
        let (mut found, mut next) = (Vec::new(), range.start);
        while next < range.end {
            let chunk = next >> CHUNK;
            let (first, end) = (chunk << CHUNK, range.end.min((chunk + 1) << CHUNK));
            let mut bits = self.bits(next - first..end - first, chunk as usize, &plan.sets)?;
            next = end;
            'chunk: for (at, word) in (0_u32..).zip(&mut bits) {
                while *word != 0 {
                    let document = first + at * u64::BITS + word.trailing_zeros();
                    *word &= *word - 1;
                    if !plan.compared.is_empty() && !self.is_match(document, plan)? {
                        plan.misses -= 1;
                        if plan.misses == 0 {
                            self.replace_compared(plan)?;
                            next = document + 1;
                            break 'chunk;
                        }
                        continue;
                    }
                    found.push(self.ruc(document)?);
                    if found.len() == most {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The documents of a chunk that are in this range and in all sets.
    fn bits(&mut self, range: Range<u32>, chunk: usize, sets: &[Documents]) -> Result<Bits, SearchError> {
        let mut bits: Bits = [0; _];
        if sets.iter().any(|set| set.has_none_in(chunk)) {
            return Ok(bits);
        }
        list::set(&mut bits, range);
        for set in sets {
            let mut of_set: Bits = [0; _];
            set.put(&mut self.terms.reader, chunk, &mut of_set).ok_or(SearchError::Index)?;
            let any = bits.iter_mut().zip(of_set).fold(0, |any, (bits, other)| {
                *bits &= other;
                any | *bits
            });
            if any == 0 {
                break;
            }
        }
        Ok(bits)
    }

    /// Uses the documents of the compared words from now on.
    fn replace_compared(&mut self, plan: &mut Plan<'_>) -> Result<(), SearchError> {
        for wanted in std::mem::take(&mut plan.compared) {
            plan.sets.push(self.terms.documents(&wanted).ok_or(SearchError::Index)?);
        }
        plan.sort();
        Ok(())
    }

    /// Whether the name of a document has all compared words.
    fn is_match(&mut self, document: u32, plan: &Plan<'_>) -> Result<bool, SearchError> {
        let (_, name) = self.name(document)?;
        let words = name.split(' ').filter(|word| !word.is_empty());
        Ok(plan.compared.iter().all(|wanted| words.clone().any(|word| wanted.matches(word))))
    }

    /// The RUC and the folded name of a document.
    fn name(&mut self, document: u32) -> Result<(Ruc, String), SearchError> {
        let ruc = self.ruc(document)?;
        Ok((ruc, name::folded(&self.rows.name(ruc)?.ok_or(SearchError::Index)?)))
    }

    /// The RUC of a document.
    fn ruc(&mut self, document: u32) -> Result<Ruc, SearchError> {
        let at = self.terms.names.rows + document as usize * ROW_ID;
        let row_id = self.terms.reader.read(at, ROW_ID).and_then(|bytes| u32_at(bytes, 0));
        row_id.and_then(ruc_at).filter(|ruc| ruc.kind() == RucKind::LegalPerson).ok_or(SearchError::Index)
    }
}

impl Plan<'_> {
    /// Puts the sets with few documents first, so that the others are often not needed.
    fn sort(&mut self) {
        self.sets.sort_by_key(|set| set.bytes);
    }
}
