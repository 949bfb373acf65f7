//! Builds the index: sorts the companies by name, and lists the documents of each term.
//!
//! A name is folded word by word of the dictionary, so each distinct word is folded once. Its terms are numbered in the
//! order of their bytes: then names compare like the numbers of their terms.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use foldhash::fast::FixedState;
use kuraka_domain::{DomicileCondition, TaxpayerStatus, Ubigeo, name};

use super::blocks;
use super::companies::{Companies, Company, Half};
use super::layout::{GROUP, Names, SAMPLED, sample};
use super::list;
use super::terms::{self, END, Filter};
use crate::format::codes::{ELSEWHERE, condition_at, status_at};
use crate::format::record::Parts;
use crate::format::varint;

/// The section of these companies. `words` are the words of the dictionary by number.
pub(crate) fn build<'w>(companies: Companies, words: impl Fn(u32) -> &'w str, count: usize) -> Vec<u8> {
    let numbers = Numbers::of(&companies, words, count);
    let (documents, uses) = numbers.sorted(&companies);
    let active = documents.partition_point(|(key, _)| key & INACTIVE == 0);
    let names = Names::of(documents.len() as u32, active as u32, numbers.terms.len() as u32);
    let lists = Lists::of(&documents, &companies, &numbers, &uses);
    let sampled = documents.iter().step_by(SAMPLED as usize).filter_map(|(_, place)| companies.at(*place));
    let samples: Vec<_> =
        sampled.map(|company| sample(&numbers.name(&company).collect::<Vec<_>>().join(" "))).collect();
    drop((documents, companies, uses));
    let words = numbers.terms.iter().enumerate().map(|(number, term)| (number / GROUP, term.as_bytes()));
    let signature = || terms::signature(names.groups, words);
    let (signature, Groups { table, texts, bytes }) = both(signature, || numbers.groups(&lists, names.documents));
    let mut content = Vec::with_capacity(names.texts + texts.len() + bytes.len());
    let row_ids = lists.row_ids.into_iter().map(AtomicU32::into_inner);
    for number in [names.documents, names.active, numbers.terms.len() as u32].into_iter().chain(row_ids) {
        content.extend_from_slice(&number.to_le_bytes());
    }
    content.extend_from_slice(samples.as_flattened());
    for part in [table, signature, texts, bytes] {
        content.extend_from_slice(&part);
    }
    blocks::encode(&content)
}

/// The groups of terms.
#[derive(Default)]
struct Groups {
    table: Vec<u8>,
    texts: Vec<u8>,
    /// The lists of all terms.
    bytes: Vec<u8>,
}

/// Runs both at the same time, the first one on another thread, where it should allocate little: an allocator keeps some
/// freed memory of each thread.
fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join().unwrap_or_else(|panic| resume_unwind(panic)), second)
    })
}

/// Sorts both halves at the same time.
fn sort<T: Ord + Send>(items: &mut [T]) {
    let middle = items.len() / 2;
    if middle > 0 {
        items.select_nth_unstable(middle);
    }
    let (low, high) = items.split_at_mut(middle);
    both(|| low.sort_unstable(), || high.sort_unstable());
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
        let used = |half: Half| {
            let mut is_used = vec![false; count];
            let mut values = HashMap::<_, u32, _>::with_hasher(FixedState::default());
            for (_, company) in companies.iter(half) {
                for number in words_of(&company) {
                    if let Some(is_used) = is_used.get_mut(number as usize) {
                        *is_used = true;
                    }
                }
                for value in values_of(&company) {
                    values.entry(value).or_default();
                }
            }
            (is_used, values)
        };
        let [first, second] = companies.halves();
        let ((first_used, mut of_values), (second_used, second_values)) = both(|| used(first), || used(second));
        of_values.extend(second_values);
        let is_used = std::iter::zip(first_used, second_used).map(|(first, second)| first || second);
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
        sort(&mut texts);
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
    fn of_name<'a>(&'a self, company: &Company<'a>) -> impl Iterator<Item = u32> + use<'a> {
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
        let mut documents = vec![(0, 0); companies.count()];
        let [first, second] = companies.halves();
        let (of_first, of_second) = documents.split_at_mut(first.count);
        let keys = |half, documents| self.keys(companies, half, documents);
        let (mut uses, second_uses) = both(|| keys(first, of_first), || keys(second, of_second));
        uses.iter_mut().zip(second_uses).for_each(|(uses, more)| *uses += more);
        sort(&mut documents);
        // Equal keys stay together.
        let key = documents.get(documents.len() / 2).map_or(0, |(key, _)| *key);
        let end = documents.partition_point(|(other, _)| *other < key);
        let (low, high) = documents.split_at_mut(end);
        both(|| self.sort_equal(companies, low), || self.sort_equal(companies, high));
        (documents, uses)
    }

    /// Writes the keys and the places of these companies. Returns how often each term is used.
    fn keys(&self, companies: &Companies, half: Half, documents: &mut [(u64, usize)]) -> Vec<u32> {
        let bits = u64::BITS - (self.terms.len() as u64).leading_zeros();
        // The first numbers of the name, as many as fit in, decide almost always.
        let fit = 63 / bits.max(1);
        let mut uses = vec![0; self.terms.len()];
        let mut count = |term: u32| {
            if let Some(uses) = uses.get_mut(term as usize) {
                *uses += 1;
            }
        };
        for (document, (place, company)) in documents.iter_mut().zip(companies.iter(half)) {
            let (mut key, mut free) = (0, fit);
            let values @ [status, ..] = self.of_filters(&company);
            for number in self.of_name(&company) {
                if free > 0 {
                    key = key << bits | (u64::from(number) + 1);
                    free -= 1;
                }
                count(number);
            }
            key <<= bits * free;
            values.into_iter().for_each(&mut count);
            *document = (if Some(status) == self.active { key } else { key | INACTIVE }, place);
        }
        uses
    }

    fn groups(&self, lists: &Lists, documents: u32) -> Groups {
        let Groups { mut table, mut texts, mut bytes } = Groups::default();
        let mut entry =
            |places: [usize; 3]| table.extend(places.iter().flat_map(|&place| (place as u64).to_le_bytes()));
        let (mut number, mut list) = (0, Vec::new());
        for group in self.terms.chunks(GROUP) {
            let start = texts.len();
            for term in group {
                texts.extend_from_slice(term.as_bytes());
                texts.push(END);
            }
            entry([start, texts.len(), bytes.len()]);
            for _ in group {
                let start = bytes.len();
                lists.read(number, &mut list);
                let is_long = list::encode(&list, documents, &mut bytes);
                varint::push(&mut texts, ((bytes.len() - start) as u32) << 1 | u32::from(is_long));
                number += 1;
            }
        }
        entry([texts.len(), texts.len(), bytes.len()]);
        Groups { table, texts, bytes }
    }

    /// Sorts documents with the same key. Those with the same name stay in the order of row ids, which is that of places.
    fn sort_equal(&self, companies: &Companies, documents: &mut [(u64, usize)]) {
        for same in documents.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
            let name = |place| companies.at(place).map(|company| self.of_name(&company).collect::<Vec<_>>());
            same.sort_by_cached_key(|(_, place)| name(*place));
        }
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
    row_ids: Vec<AtomicU32>,
    /// The documents of each term. Two threads write them: one fills each list from its front with documents of the first
    /// half, the other from its end with documents of the second half.
    documents: Vec<AtomicU32>,
    /// Where the list of each term begins in `documents`, and where the last one ends.
    bounds: Vec<usize>,
    /// Where the first half of each list ends, and where the second one begins: later, if a name has a word twice.
    first_ends: Vec<usize>,
    second_starts: Vec<usize>,
}

impl Lists {
    fn of(documents: &[(u64, usize)], companies: &Companies, numbers: &Numbers, uses: &[u32]) -> Self {
        let (mut bounds, mut end) = (vec![0], 0);
        bounds.extend(uses.iter().map(|&uses| {
            end += uses as usize;
            end
        }));
        let atomics = |count| std::iter::repeat_with(AtomicU32::default).take(count).collect::<Vec<_>>();
        let (row_ids, listed) = (atomics(documents.len()), atomics(end));
        let mut first_ends = bounds.clone();
        let mut second_starts: Vec<usize> = bounds.iter().skip(1).copied().collect();
        let terms = |document: usize| {
            let company = documents.get(document).and_then(|(_, place)| companies.at(*place));
            if let Some((row_id, company)) = row_ids.get(document).zip(company.as_ref()) {
                row_id.store(company.row_id, Relaxed);
            }
            let terms = company.map(|company| numbers.of_name(&company).chain(numbers.of_filters(&company)));
            terms.into_iter().flatten().map(|term| term as usize)
        };
        let is_listed = |document: usize, place: Option<usize>| {
            let listed = place.and_then(|place| listed.get(place));
            listed.is_some_and(|listed| listed.load(Relaxed) == document as u32)
        };
        let list = |document: usize, place: usize| {
            if let Some(listed) = listed.get(place) {
                listed.store(document as u32, Relaxed);
            }
        };
        let middle = documents.len() / 2;
        both(
            || {
                for document in 0..middle {
                    for term in terms(document) {
                        let Some((next, start)) = first_ends.get_mut(term).zip(bounds.get(term)) else { continue };
                        if *next == *start || !is_listed(document, next.checked_sub(1)) {
                            list(document, *next);
                            *next += 1;
                        }
                    }
                }
            },
            || {
                for document in (middle..documents.len()).rev() {
                    for term in terms(document) {
                        let Some((next, end)) = second_starts.get_mut(term).zip(bounds.get(term + 1)) else { continue };
                        if *next == *end || !is_listed(document, Some(*next)) {
                            *next -= 1;
                            list(document, *next);
                        }
                    }
                }
            },
        );
        Self { row_ids, documents: listed, bounds, first_ends, second_starts }
    }

    /// Reads the documents of a term.
    fn read(&self, term: usize, list: &mut Vec<u32>) {
        list.clear();
        let place = |places: &[usize], term: usize| places.get(term).copied().unwrap_or_default();
        let first = place(&self.bounds, term)..place(&self.first_ends, term);
        let second = place(&self.second_starts, term)..place(&self.bounds, term + 1);
        for half in [first, second] {
            list.extend(self.documents.get(half).unwrap_or_default().iter().map(|document| document.load(Relaxed)));
        }
    }
}
