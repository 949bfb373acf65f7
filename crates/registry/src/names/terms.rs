//! The terms in the order of their bytes, each with the place of its list.
//!
//! A term is a word of names, or the value of a filter after the byte of its [`Filter`], which no word begins with. Terms
//! are in groups of [`GROUP`]. A group has its terms, each ended by a line feed, then for each a varint: twice the bytes of
//! its list, plus one if the list is cut into chunks. The lists follow each other in the same order.
//!
//! The *signature* finds the groups that may have a text inside a word: for each of [`ROWS`] hashes of three bytes, a bit
//! for each group that has such bytes.

use std::borrow::Cow;

use memchr::memmem;

use super::Names;
use super::blocks::Reader;
use super::list::Documents;
use crate::format::{u64_at, varint};

/// Terms of a group.
pub(super) const GROUP: usize = 64;
/// Rows of the signature, a power of two.
const ROWS: usize = 2048;
/// Bytes of an entry of the groups' table: where its terms begin, and where its lists begin (`u64` each).
pub(super) const ENTRY: usize = 16;
/// Groups of a beginning that is not [wide](Wanted::is_wide). Each has all of its terms.
const NARROW: usize = 128;
/// Groups of an inner part that is not wide. Most have one term with it.
const SCATTERED: usize = 1024;
/// Ends a term.
pub(super) const END: u8 = b'\n';
/// Less than any word, more than the value of any filter.
const FIRST_WORD: &[u8] = b" ";
/// An odd constant without pattern: 2³² divided by the golden ratio.
const SPREAD: u32 = 0x9e37_79b1;

/// What a search can be restricted by: the first byte of its terms.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Filter {
    Status = 1,
    Condition = 2,
    Department = 3,
}

impl Filter {
    /// The term of a value.
    pub(super) fn term(self, value: &str) -> String {
        format!("{}{value}", char::from(self as u8))
    }
}

/// The signature's row for three bytes.
fn row(bytes: &[u8]) -> usize {
    let number = bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
    (number.wrapping_mul(SPREAD) >> (u32::BITS - ROWS.trailing_zeros())) as usize
}

/// Bytes of a row of the signature.
const fn width(groups: usize) -> usize {
    groups.div_ceil(8)
}

/// Bytes of the signature.
pub(super) const fn signature_bytes(groups: usize) -> usize {
    ROWS * width(groups)
}

/// The signature of words with the number of their group.
pub(super) fn signature<'t>(groups: usize, words: impl Iterator<Item = (usize, &'t [u8])>) -> Vec<u8> {
    let mut signature = vec![0; signature_bytes(groups)];
    for (group, word) in words {
        for bytes in word.windows(3) {
            if let Some(byte) = signature.get_mut(row(bytes) * width(groups) + group / 8) {
                *byte |= 1 << (group % 8);
            }
        }
    }
    signature
}

/// A group's bytes, and where its lists begin.
struct Group {
    bytes: Vec<u8>,
    lists: usize,
    /// Its terms.
    count: usize,
}

/// Where a term's list is.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    length: usize,
    is_long: bool,
}

impl Group {
    /// Every term and the place of its list; `None` in place of one that is damaged.
    fn terms(&self) -> Option<impl Iterator<Item = Option<(&[u8], Place)>>> {
        let text = memchr::memchr_iter(END, &self.bytes).nth(self.count.checked_sub(1)?)?;
        let (terms, mut lengths) = self.bytes.split_at_checked(text)?;
        let (_, rest) = lengths.split_first()?;
        lengths = rest;
        let mut at = self.lists;
        Some(terms.split(|&byte| byte == END).map(move |term| {
            let packed = varint::take(&mut lengths)?;
            let place = Place { at, length: (packed >> 1) as usize, is_long: packed & 1 == 1 };
            at = at.checked_add(place.length)?;
            Some((term, place))
        }))
    }
}

/// A word or a filter of a search, and the groups that may have its terms.
pub(super) struct Wanted<'q> {
    text: Cow<'q, str>,
    matching: Matching,
    groups: Vec<usize>,
}

/// How a term is compared with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matching {
    Equal,
    Beginning,
    Containing,
}

impl Wanted<'_> {
    /// Whether it has so many terms that it is faster to compare the names of other words' documents.
    pub(super) fn is_wide(&self) -> bool {
        self.groups.len() > if self.matching == Matching::Containing { SCATTERED } else { NARROW }
    }

    /// Whether a term is one of its terms.
    pub(super) fn matches(&self, term: &str) -> bool {
        match self.matching {
            Matching::Equal => term == self.text,
            Matching::Beginning => term.starts_with(&*self.text),
            Matching::Containing => term.contains(&*self.text),
        }
    }
}

/// Finds terms. Every function returns `None` if what it read is damaged.
pub(super) struct Terms<'n, 'a> {
    pub(super) names: &'n Names,
    pub(super) reader: Reader<'a>,
}

impl Terms<'_, '_> {
    /// The term of a filter.
    pub(super) fn equal<'q>(&mut self, filter: Filter, value: &str) -> Option<Wanted<'q>> {
        let text = filter.term(value);
        Some(Wanted {
            groups: self.between(text.as_bytes(), text.as_bytes())?,
            text: text.into(),
            matching: Matching::Equal,
        })
    }

    /// The words with this beginning.
    pub(super) fn beginning<'q>(&mut self, word: &'q str) -> Option<Wanted<'q>> {
        let groups = self.between(word.as_bytes().max(FIRST_WORD), word.as_bytes())?;
        Some(Wanted { text: word.into(), matching: Matching::Beginning, groups })
    }

    /// The words with `word` inside.
    pub(super) fn containing<'q>(&mut self, word: &'q str) -> Option<Wanted<'q>> {
        let width = width(self.names.groups);
        let mut bits = vec![u8::MAX; width];
        for three in word.as_bytes().windows(3) {
            let row = self.reader.read(self.names.signature + row(three) * width, width)?;
            bits.iter_mut().zip(row).for_each(|(bits, row)| *bits &= row);
        }
        let has = |group: &usize| bits.get(group / 8).is_some_and(|byte| byte >> (group % 8) & 1 == 1);
        let groups = (0..self.names.groups).filter(has).collect();
        Some(Wanted { text: word.into(), matching: Matching::Containing, groups })
    }

    /// The documents that have one of the terms.
    pub(super) fn documents(&mut self, wanted: &Wanted<'_>) -> Option<Documents> {
        let mut documents = Documents::none(self.names.documents);
        let finder = memmem::Finder::new(&*wanted.text);
        for &number in &wanted.groups {
            let group = self.group(number)?;
            if finder.find(&group.bytes).is_none() {
                continue;
            }
            for term in group.terms()? {
                let (term, place) = term?;
                let is_word = wanted.matching == Matching::Equal || term >= FIRST_WORD;
                if is_word && wanted.matches(std::str::from_utf8(term).ok()?) {
                    documents.add(&mut self.reader, place.at, place.length, place.is_long)?;
                }
            }
        }
        Some(documents)
    }

    /// The groups that may have terms that are not less than `first` and less than, or begin with, `last`.
    fn between(&mut self, first: &[u8], last: &[u8]) -> Option<Vec<usize>> {
        let low = self.first_from(first)?.saturating_sub(1);
        // No text has this byte.
        let high = self.first_from(&[last, &[u8::MAX]].concat())?;
        Some((low..high).collect())
    }

    /// The first group that does not begin before `term`.
    fn first_from(&mut self, term: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.names.groups);
        while low < high {
            let middle = low.midpoint(high);
            if self.begins_before(middle, term)? { low = middle + 1 } else { high = middle }
        }
        Some(low)
    }

    /// Whether the first term of a group is less than `term`.
    fn begins_before(&mut self, number: usize, term: &[u8]) -> Option<bool> {
        let (start, end, _) = self.entry(number)?;
        // One byte more than the term decides.
        let bytes = self.reader.read(start, (end - start).min(term.len() + 1))?;
        Some(bytes.split(|&byte| byte == END).next()? < term)
    }

    fn group(&mut self, number: usize) -> Option<Group> {
        let (start, end, lists) = self.entry(number)?;
        let count = self.names.terms.saturating_sub(number * GROUP).min(GROUP);
        Some(Group { bytes: self.reader.read(start, end - start)?.to_vec(), lists, count })
    }

    /// Where a group begins and ends, and where its lists begin.
    fn entry(&mut self, number: usize) -> Option<(usize, usize, usize)> {
        let entry = self.reader.read(self.names.table + number * ENTRY, ENTRY * 2)?;
        let at = |offset: usize, part: usize| part.checked_add(usize::try_from(u64_at(entry, offset)?).ok()?);
        let (start, end) = (at(0, self.names.texts)?, at(ENTRY, self.names.texts)?);
        Some((start, Some(end).filter(|&end| end >= start)?, at(8, self.names.lists)?))
    }
}
