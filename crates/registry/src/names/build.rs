//! Builds the index: sorts the companies by name, and lists the documents of each term.
//!
//! Each distinct word is folded once. Terms are numbered in the order of their bytes, so names compare as the numbers
//! of their terms.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use kuraka_domain::{DomicileCondition, TaxpayerStatus, Ubigeo, name};

use super::blocks;
use super::companies::{Companies, Company};
use super::layout::{GROUP, NameIndex};
use super::list;
use super::terms::{self, END, Filter};
use crate::format::codes::{ELSEWHERE, condition_at, status_at};
use crate::format::record::Parts;
use crate::format::varint;

/// `words` are the dictionary's by number.
pub(crate) fn build<'w>(companies: Companies, words: impl Fn(u32) -> &'w str, count: usize) -> Vec<u8> {
    let terms = TermNumbers::new(&companies, words, count);
    let names = CompanyTerms::new(companies, &terms);
    let order = names.sorted(&terms);
    let active = order.partition_point(|(key, _)| key & INACTIVE == 0);
    let index = NameIndex::new(order.len() as u32, active as u32, terms.texts.len() as u32);
    let (documents, ends) = names.postings(&order, &terms);
    let row_ids =
        order.iter().filter_map(|(_, company)| names.row_ids.get(*company as usize).copied()).collect::<Vec<_>>();
    drop((names, order));
    let (mut table, mut texts, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    let mut entry = |parts: [usize; 3]| table.extend(parts.iter().flat_map(|&part| (part as u64).to_le_bytes()));
    let (mut ends, mut start) = (ends.iter(), 0);
    for group in terms.texts.chunks(GROUP) {
        let group_start = texts.len();
        for term in group {
            texts.extend_from_slice(term.as_bytes());
            texts.push(END);
        }
        entry([group_start, texts.len(), lists.len()]);
        for &end in ends.by_ref().take(group.len()) {
            let before = lists.len();
            list::encode(documents.get(start..end).unwrap_or_default(), index.documents, &mut lists);
            varint::push(&mut texts, (lists.len() - before) as u32);
            start = end;
        }
    }
    entry([texts.len(), texts.len(), lists.len()]);
    let signature = terms::signature(index.groups, terms.texts.iter().map(String::as_bytes));
    let mut content = Vec::with_capacity(index.texts + texts.len() + lists.len());
    for number in [index.documents, index.active, terms.texts.len() as u32].into_iter().chain(row_ids) {
        content.extend_from_slice(&number.to_le_bytes());
    }
    for part in [table, signature, texts, lists] {
        content.extend_from_slice(&part);
    }
    blocks::encode(&content)
}

/// Highest bit of a sort key: not active.
const INACTIVE: u64 = 1 << 63;
/// Each company has a value of each.
const FILTERS: usize = 3;

struct TermNumbers {
    /// By number, which is their rank.
    texts: Vec<String>,
    uses: Vec<usize>,
    /// Where each word's terms begin in `of_words`, and where the last ones end.
    starts: Vec<usize>,
    of_words: Vec<u32>,
    /// The filters' values, by filter and number in the record.
    of_values: HashMap<(Filter, u32), u32, FixedState>,
    /// The status of active companies, if there are any.
    active: Option<u32>,
}

impl TermNumbers {
    fn new<'w>(companies: &Companies, words: impl Fn(u32) -> &'w str, count: usize) -> Self {
        let mut word_uses = vec![0; count];
        let mut value_uses = HashMap::<_, _, FixedState>::default();
        for company in companies.iter() {
            for number in words_of(&company) {
                if let Some(uses) = word_uses.get_mut(number as usize) {
                    *uses += 1;
                }
            }
            values_of(&company).into_iter().for_each(|value| *value_uses.entry(value).or_default() += 1);
        }
        // Text, position and uses of every term: those of words, then those of values.
        let (mut found, mut starts) = (Vec::new(), Vec::with_capacity(count + 1));
        for (number, uses) in (0..).zip(word_uses) {
            starts.push(found.len());
            if uses > 0 {
                let terms = name::words(words(number)).into_iter();
                found
                    .extend(terms.zip(starts.last().copied().unwrap_or_default()..).map(|(text, at)| (text, at, uses)));
            }
        }
        starts.push(found.len());
        let values: Vec<_> = value_uses.into_iter().collect();
        found.extend(
            values
                .iter()
                .zip(found.len()..)
                .map(|(&((filter, number), uses), at)| (value(filter, number, &words), at, uses)),
        );
        found.sort_unstable();
        let mut of_words = vec![0; found.len()];
        let (mut texts, mut term_uses) = (Vec::<String>::new(), Vec::<usize>::new());
        for (text, at, uses) in found {
            if texts.last() != Some(&text) {
                texts.push(text);
                term_uses.push(0);
            }
            if let Some((place, all)) = of_words.get_mut(at).zip(term_uses.last_mut()) {
                *place = texts.len() as u32 - 1;
                *all += uses;
            }
        }
        let of_values = of_words.split_off(starts.last().copied().unwrap_or_default());
        let of_values = values.into_iter().map(|(value, _)| value).zip(of_values).collect();
        let active = Filter::Status.term(TaxpayerStatus::Active.as_str());
        let active = texts.binary_search(&active).ok().map(|number| number as u32);
        Self { texts, uses: term_uses, starts, of_words, of_values, active }
    }

    fn word_terms(&self, word: u32) -> &[u32] {
        let bounds = self.starts.get(word as usize..).and_then(<[usize]>::first_chunk::<2>);
        bounds.and_then(|[start, end]| self.of_words.get(*start..*end)).unwrap_or_default()
    }
}

struct CompanyTerms {
    row_ids: Vec<u32>,
    terms: Vec<u32>,
    /// Where each company's terms end.
    ends: Vec<usize>,
}

impl CompanyTerms {
    fn new(companies: Companies, terms: &TermNumbers) -> Self {
        let count = companies.count();
        let mut all = Self { row_ids: Vec::with_capacity(count), terms: Vec::new(), ends: Vec::with_capacity(count) };
        for company in companies.iter() {
            all.row_ids.push(company.row_id);
            words_of(&company).for_each(|word| all.terms.extend_from_slice(terms.word_terms(word)));
            all.terms.extend(values_of(&company).map(|value| terms.of_values.get(&value).copied().unwrap_or_default()));
            all.ends.push(all.terms.len());
        }
        all
    }

    fn terms(&self, company: u32) -> &[u32] {
        let company = company as usize;
        let start = company.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.ends.get(company).and_then(|&end| self.terms.get(start..end)).unwrap_or_default()
    }

    fn split(&self, company: u32) -> (&[u32], [u32; FILTERS]) {
        self.terms(company).split_last_chunk().map_or_else(Default::default, |(name, values)| (name, *values))
    }

    /// A sort key and the company, in the order of results.
    fn sorted(&self, terms: &TermNumbers) -> Vec<(u64, u32)> {
        let bits = u64::BITS - (terms.texts.len() as u64).leading_zeros();
        // The first terms that fit into a key almost always decide.
        let fit = 63 / bits.max(1);
        let key = |company| {
            let (name, [status, ..]) = self.split(company);
            let numbers = name.iter().map(|&number| u64::from(number) + 1).chain(std::iter::repeat(0));
            let key = numbers.take(fit as usize).fold(0, |key, number| key << bits | number);
            if Some(status) == terms.active { key } else { key | INACTIVE }
        };
        let mut order: Vec<_> = (0..self.ends.len() as u32).map(|company| (key(company), company)).collect();
        order.sort_unstable();
        for same in order.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
            // Equal names stay in row-id order.
            same.sort_by_key(|(_, company)| self.split(*company).0);
        }
        order
    }

    /// The documents of each term, one term after the other, repeated if a name has a word twice; and where each term's
    /// end.
    fn postings(&self, order: &[(u64, u32)], terms: &TermNumbers) -> (Vec<u32>, Vec<usize>) {
        // Where the next document of each term belongs: finally, where they end.
        let (mut all, mut ends) = (0, Vec::with_capacity(terms.uses.len()));
        for uses in &terms.uses {
            ends.push(all);
            all += uses;
        }
        let mut documents = vec![0; all];
        for (document, (_, company)) in (0..).zip(order) {
            for &term in self.terms(*company) {
                let Some(next) = ends.get_mut(term as usize) else { continue };
                if let Some(place) = documents.get_mut(*next) {
                    *place = document;
                    *next += 1;
                }
            }
        }
        (documents, ends)
    }
}

fn words_of<'a>(company: &Company<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let mut rest = company.parts.name;
    std::iter::from_fn(move || varint::take(&mut rest))
}

/// Filter and number of each.
fn values_of(company: &Company<'_>) -> [(Filter, u32); FILTERS] {
    let Parts { status, condition, ubigeo, .. } = company.parts;
    [(Filter::Status, status), (Filter::Condition, condition), (Filter::Department, ubigeo)]
}

/// The value is given as [`Parts`] has it.
fn value<'w>(filter: Filter, number: u32, words: impl Fn(u32) -> &'w str) -> String {
    let elsewhere = || words(number.saturating_sub(ELSEWHERE.into()));
    match filter {
        Filter::Status => {
            let status = u8::try_from(number).ok().and_then(status_at);
            filter.term(status.unwrap_or_else(|| TaxpayerStatus::from_text(elsewhere())).as_str())
        }
        Filter::Condition => {
            let condition = u8::try_from(number).ok().and_then(condition_at);
            filter.term(condition.unwrap_or_else(|| DomicileCondition::from_text(elsewhere())).as_str())
        }
        Filter::Department => {
            let ubigeo = number.checked_sub(1).and_then(|number| Ubigeo::parse(words(number)).ok());
            filter.term(ubigeo.map_or("", Ubigeo::department))
        }
    }
}
