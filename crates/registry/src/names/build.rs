//! Builds the index: sorts the companies by name, and lists the documents of each term.
//!
//! A name is folded word by word of the dictionary, so each distinct word is folded once. Its terms are numbered in the
//! order of their bytes: then names compare like the numbers of their terms.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use kuraka_domain::{DomicileCondition, TaxpayerStatus, Ubigeo, name};

use super::blocks;
use super::companies::{Companies, Company};
use super::layout::{GROUP, Names, SAMPLED, sample};
use super::list;
use super::terms::{self, END, Filter};
use crate::format::codes::{ELSEWHERE, condition_at, status_at};
use crate::format::record::Parts;
use crate::format::varint;

/// The section of these companies. `words` are the words of the dictionary by number.
pub(crate) fn build<'w>(companies: &Companies, words: impl Fn(u32) -> &'w str, count: usize) -> Vec<u8> {
    let numbers = Numbers::of(companies, words, count);
    let (documents, uses) = numbers.sorted(companies);
    let active = documents.partition_point(|(key, _)| key & INACTIVE == 0);
    let names = Names::of(documents.len() as u32, active as u32, numbers.terms.len() as u32);
    let lists = Lists::of(&documents, companies, &numbers, &uses);
    drop(documents);
    let mut content = Vec::with_capacity(names.texts);
    for number in [names.documents, names.active, numbers.terms.len() as u32].iter().chain(&lists.row_ids) {
        content.extend_from_slice(&number.to_le_bytes());
    }
    content.extend_from_slice(&lists.samples);
    let (mut table, mut texts, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let mut entry = |places: [usize; 3]| table.extend(places.iter().flat_map(|&place| (place as u64).to_le_bytes()));
    let mut each = lists.iter();
    for group in numbers.terms.chunks(GROUP) {
        let start = texts.len();
        for term in group {
            texts.extend_from_slice(term.as_bytes());
            texts.push(END);
        }
        entry([start, texts.len(), bytes.len()]);
        for list in each.by_ref().take(group.len()) {
            let start = bytes.len();
            let is_long = list::encode(list, names.documents, &mut bytes);
            varint::push(&mut texts, ((bytes.len() - start) as u32) << 1 | u32::from(is_long));
        }
    }
    entry([texts.len(), texts.len(), bytes.len()]);
    content.extend_from_slice(&table);
    let words = numbers.terms.iter().enumerate().map(|(number, term)| (number / GROUP, term.as_bytes()));
    content.extend_from_slice(&terms::signature(names.groups, words));
    for part in [texts, bytes] {
        content.extend_from_slice(&part);
    }
    blocks::encode(&content)
}

/// The highest bit of a sort key: the company is not active.
const INACTIVE: u64 = 1 << 63;

/// The terms and their numbers.
struct Numbers {
    /// By number.
    terms: Vec<String>,
    /// For each word of the dictionary, where its terms begin in `of_words`; then where the last ones end.
    firsts: Vec<u32>,
    /// The numbers of each word's terms.
    of_words: Vec<u32>,
    /// The numbers of the filters' values, by filter and number in the record.
    of_values: HashMap<(u8, u32), u32, FixedState>,
    /// The number of the status of active companies, if there are any.
    active: Option<u32>,
}

impl Numbers {
    fn of<'w>(companies: &Companies, words: impl Fn(u32) -> &'w str, count: usize) -> Self {
        let mut is_used = vec![false; count];
        let mut of_values = HashMap::<_, u32, _>::with_hasher(FixedState::default());
        for (_, company) in companies.iter() {
            for number in words_of(&company) {
                if let Some(is_used) = is_used.get_mut(number as usize) {
                    *is_used = true;
                }
            }
            for value in values_of(&company) {
                of_values.entry(value).or_default();
            }
        }
        // Every term with its place among the numbers: first those of words, then those of values.
        let (mut texts, mut firsts) = (Vec::new(), Vec::with_capacity(count + 1));
        for (number, is_used) in (0..).zip(is_used) {
            firsts.push(texts.len() as u32);
            if is_used {
                for text in name::words(words(number)) {
                    texts.push((text, texts.len()));
                }
            }
        }
        firsts.push(texts.len() as u32);
        for (&(filter, number), place) in &mut of_values {
            *place = texts.len() as u32;
            texts.push((value(filter, number, &words), texts.len()));
        }
        texts.sort_unstable();
        let mut numbers = vec![0; texts.len()];
        let mut terms: Vec<String> = Vec::new();
        for (text, place) in texts {
            if terms.last() != Some(&text) {
                terms.push(text);
            }
            if let Some(number) = numbers.get_mut(place) {
                *number = terms.len() as u32 - 1;
            }
        }
        for place in of_values.values_mut() {
            *place = numbers.get(*place as usize).copied().unwrap_or_default();
        }
        numbers.truncate(firsts.last().map_or(0, |&end| end as usize));
        let active = Filter::Status.term(TaxpayerStatus::Active.as_str());
        let active = terms.binary_search(&active).ok().map(|number| number as u32);
        Self { terms, firsts, of_words: numbers, of_values, active }
    }

    /// The numbers of the terms of a name, in order.
    fn of_name<'a>(&'a self, company: &Company<'a>) -> impl Iterator<Item = u32> + 'a {
        words_of(company).flat_map(|word| {
            let ends = self.firsts.get(word as usize..).and_then(<[u32]>::first_chunk::<2>);
            ends.and_then(|[start, end]| self.of_words.get(*start as usize..*end as usize))
                .into_iter()
                .flatten()
                .copied()
        })
    }

    /// The terms of a name, in order.
    fn name<'a>(&'a self, company: &Company<'a>) -> impl Iterator<Item = &'a str> {
        self.of_name(company).filter_map(|number| self.terms.get(number as usize).map(String::as_str))
    }

    /// The numbers of the values of the filters.
    fn of_filters(&self, company: &Company<'_>) -> [u32; 3] {
        values_of(company).map(|value| self.of_values.get(&value).copied().unwrap_or_default())
    }

    /// A sort key and the place of each company, in the order of results, and how often each term is used.
    fn sorted(&self, companies: &Companies) -> (Vec<(u64, usize)>, Vec<u32>) {
        let bits = u64::BITS - (self.terms.len() as u64).leading_zeros();
        // The first numbers of the name, as many as fit in, decide almost always.
        let fit = 63 / bits.max(1);
        let (mut documents, mut uses) = (Vec::with_capacity(companies.count()), vec![0; self.terms.len()]);
        for (place, company) in companies.iter() {
            let (mut key, mut free) = (0, fit);
            let values @ [status, ..] = self.of_filters(&company);
            for number in self.of_name(&company) {
                if free > 0 {
                    key = key << bits | (u64::from(number) + 1);
                    free -= 1;
                }
                count(&mut uses, number);
            }
            key <<= bits * free;
            values.into_iter().for_each(|number| count(&mut uses, number));
            documents.push((if Some(status) == self.active { key } else { key | INACTIVE }, place));
        }
        documents.sort_unstable();
        for same in documents.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
            // Equal names stay in the order of row ids, which is that of places.
            same.sort_by(|(_, a), (_, b)| {
                let [a, b] = [a, b].map(|place| companies.at(*place));
                let name =
                    |company: Option<Company<'_>>| company.map(|company| self.of_name(&company).collect::<Vec<_>>());
                name(a).cmp(&name(b))
            });
        }
        (documents, uses)
    }
}

fn count(uses: &mut [u32], term: u32) {
    if let Some(uses) = uses.get_mut(term as usize) {
        *uses += 1;
    }
}

/// The dictionary's numbers of a name's words.
fn words_of<'a>(company: &Company<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let mut rest = company.parts.name;
    std::iter::from_fn(move || varint::take(&mut rest))
}

/// Filter and number of each value of a company.
fn values_of(company: &Company<'_>) -> [(u8, u32); 3] {
    let Parts { status, condition, ubigeo, .. } = company.parts;
    [(Filter::Status as u8, status), (Filter::Condition as u8, condition), (Filter::Department as u8, ubigeo)]
}

/// The term of a filter's value, given as [`Parts`] has it.
fn value<'w>(filter: u8, number: u32, words: impl Fn(u32) -> &'w str) -> String {
    let elsewhere = || words(number.saturating_sub(ELSEWHERE.into()));
    match filter {
        number_of if number_of == Filter::Status as u8 => {
            let status = u8::try_from(number).ok().and_then(status_at);
            Filter::Status.term(status.unwrap_or_else(|| TaxpayerStatus::from_text(elsewhere())).as_str())
        }
        number_of if number_of == Filter::Condition as u8 => {
            let condition = u8::try_from(number).ok().and_then(condition_at);
            Filter::Condition.term(condition.unwrap_or_else(|| DomicileCondition::from_text(elsewhere())).as_str())
        }
        _ => {
            let ubigeo = number.checked_sub(1).and_then(|number| Ubigeo::parse(words(number)).ok());
            Filter::Department.term(ubigeo.map_or("", Ubigeo::department))
        }
    }
}

/// What is known of the documents in their order.
struct Lists {
    row_ids: Vec<u32>,
    samples: Vec<u8>,
    documents: Vec<u32>,
    /// For each term where its list begins in `documents`, and where it ends.
    places: Vec<(usize, usize)>,
}

impl Lists {
    fn of(documents: &[(u64, usize)], companies: &Companies, numbers: &Numbers, uses: &[u32]) -> Self {
        let (mut row_ids, mut samples) = (Vec::with_capacity(documents.len()), Vec::new());
        let mut end = 0;
        let places = uses.iter().map(|&uses| {
            let start = end;
            end += uses as usize;
            (start, start)
        });
        let mut places: Vec<_> = places.collect();
        let mut of_terms = vec![0; end];
        for (document, (_, place)) in (0_u32..).zip(documents) {
            let Some(company) = companies.at(*place) else { continue };
            row_ids.push(company.row_id);
            if document % SAMPLED == 0 {
                samples.extend_from_slice(&sample(&numbers.name(&company).collect::<Vec<_>>().join(" ")));
            }
            for term in numbers.of_name(&company).chain(numbers.of_filters(&company)) {
                let Some((start, end)) = places.get_mut(term as usize) else { continue };
                // A word may be in a name twice.
                let is_listed = *end > *start && of_terms.get(*end - 1) == Some(&document);
                if let Some(place) = of_terms.get_mut(*end).filter(|_| !is_listed) {
                    *place = document;
                    *end += 1;
                }
            }
        }
        Self { row_ids, samples, documents: of_terms, places }
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.places.iter().map(|&(start, end)| self.documents.get(start..end).unwrap_or_default())
    }
}
