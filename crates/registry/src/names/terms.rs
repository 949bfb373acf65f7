//! The terms in the order of their bytes, in groups, each with the place of its list (`FORMAT.md`).
//!
//! A filter's value is a term too, after the byte of its [`Filter`], which no word begins with. The *signature* finds
//! the groups that may have a text inside a word: for each of [`SIGNATURE_ROWS`] hashes of three bytes, a bit for each
//! group.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::blocks::Reader;
use super::layout::{ENTRY, GROUP, HEAD, NameIndex, ROW_ID, SIGNATURE_ROWS, row_length};
use super::list::DocumentSet;
use crate::format::{SPREAD, u32_at, u64_at, varint};

/// Groups of a beginning that is not [wide](TermQuery::is_wide).
const NARROW: usize = 48;
/// Groups of an inner part that is not wide: most have one term with it.
const SCATTERED: usize = 1024;
pub(super) const END: u8 = b'\n';
/// Less than any word, more than any filter's value.
const FIRST_WORD: &[u8] = b" ";

/// The first byte of a filter's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Filter {
    Status = 1,
    Condition = 2,
    Department = 3,
}

impl Filter {
    pub(super) fn term(self, value: &str) -> String {
        format!("{}{value}", char::from(self as u8))
    }
}

fn row(bytes: &[u8]) -> usize {
    let number = bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
    (number.wrapping_mul(SPREAD) >> (u32::BITS - SIGNATURE_ROWS.trailing_zeros())) as usize
}

pub(super) fn signature<'t>(groups: usize, terms: impl Iterator<Item = &'t [u8]>) -> Vec<u8> {
    let mut signature = vec![0; SIGNATURE_ROWS * row_length(groups)];
    for (number, term) in terms.enumerate() {
        let group = number / GROUP;
        for bytes in term.windows(3) {
            if let Some(byte) = signature.get_mut(row(bytes) * row_length(groups) + group / 8) {
                *byte |= 1 << (group % 8);
            }
        }
    }
    signature
}

struct Group {
    text: Vec<u8>,
    lengths: Vec<u8>,
    lists: usize,
}

impl Group {
    /// The lists of the terms that match; `finder` finds the text of `query`.
    fn lists(&self, query: &TermQuery<'_>, finder: &Finder<'_>) -> Option<Vec<Range<usize>>> {
        let (mut found, mut lists) = (Vec::new(), Vec::new());
        // The number of the term at `from`.
        let (mut number, mut from) = (0, 0);
        let text = self.text.as_slice();
        while let Some(hit) = text.get(from..).filter(|rest| !rest.is_empty()).and_then(|rest| finder.find(rest)) {
            if lists.is_empty() {
                lists = self.all_lists()?;
            }
            let (before, after) = text.split_at_checked(from + hit)?;
            let start = memchr::memrchr(END, before).map_or(0, |end| end + 1);
            let end = before.len() + memchr::memchr(END, after)?;
            number += memchr::memchr_iter(END, text.get(from..start)?).count();
            if query.has(text.get(start..end)?) {
                found.push(lists.get(number)?.clone());
            }
            (number, from) = (number + 1, end + 1);
        }
        Some(found)
    }

    fn all_lists(&self) -> Option<Vec<Range<usize>>> {
        let (mut lengths, mut start, mut lists) = (self.lengths.as_slice(), self.lists, Vec::with_capacity(GROUP));
        while !lengths.is_empty() {
            let end = start.checked_add(varint::take(&mut lengths)? as usize)?;
            lists.push(start..end);
            start = end;
        }
        Some(lists)
    }
}

/// A word or a filter, and the groups that may have its terms.
pub(crate) struct TermQuery<'q> {
    text: Cow<'q, str>,
    matching: Matching,
    groups: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matching {
    Equal,
    Beginning,
    Containing,
}

impl TermQuery<'_> {
    /// Whether comparing the names of the other words' documents is faster.
    pub(crate) fn is_wide(&self) -> bool {
        self.groups.len() > if self.matching == Matching::Containing { SCATTERED } else { NARROW }
    }

    /// Names that can be compared in the time of reading its lists.
    pub(crate) fn cost(&self) -> usize {
        self.groups.len() * if self.matching == Matching::Containing { 2 } else { 15 }
    }

    fn has(&self, term: &[u8]) -> bool {
        match self.matching {
            Matching::Equal => term == self.text.as_bytes(),
            // Values of filters are terms too.
            Matching::Beginning => term >= FIRST_WORD && term.starts_with(self.text.as_bytes()),
            // The finder has found it.
            Matching::Containing => term >= FIRST_WORD,
        }
    }

    /// Whether the folded name has such a word.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        let mut words = name.split(' ').filter(|word| !word.is_empty());
        words.any(|word| match self.matching {
            Matching::Equal => word == self.text,
            Matching::Beginning => word.starts_with(&*self.text),
            Matching::Containing => word.contains(&*self.text),
        })
    }
}

/// Reads an index. `None` always means damage.
pub(crate) struct IndexReader<'a> {
    index: &'a NameIndex,
    reader: Reader<'a>,
}

impl<'a> IndexReader<'a> {
    pub(crate) const fn new(index: &'a NameIndex, section: &'a [u8]) -> Self {
        Self { index, reader: Reader::new(section) }
    }

    pub(crate) fn row_id(&mut self, document: u32) -> Option<u32> {
        u32_at(self.reader.read(HEAD + document as usize * ROW_ID, ROW_ID)?, 0)
    }

    pub(crate) fn equal<'q>(&mut self, filter: Filter, value: &str) -> Option<TermQuery<'q>> {
        let text = filter.term(value);
        Some(TermQuery {
            groups: self.between(text.as_bytes(), text.as_bytes())?,
            text: text.into(),
            matching: Matching::Equal,
        })
    }

    pub(crate) fn beginning<'q>(&mut self, word: &'q str) -> Option<TermQuery<'q>> {
        let groups = self.between(word.as_bytes().max(FIRST_WORD), word.as_bytes())?;
        Some(TermQuery { text: word.into(), matching: Matching::Beginning, groups })
    }

    pub(crate) fn containing<'q>(&mut self, word: &'q str) -> Option<TermQuery<'q>> {
        let length = row_length(self.index.groups);
        let mut bits = vec![u8::MAX; length];
        for three in word.as_bytes().windows(3) {
            let row = self.reader.read(self.index.signature + row(three) * length, length)?;
            bits.iter_mut().zip(row).for_each(|(bits, row)| *bits &= row);
        }
        let has = |group: &usize| bits.get(group / 8).is_some_and(|byte| byte >> (group % 8) & 1 == 1);
        let groups = (0..self.index.groups).filter(has).collect();
        Some(TermQuery { text: word.into(), matching: Matching::Containing, groups })
    }

    pub(crate) fn documents(&mut self, query: &TermQuery<'_>) -> Option<DocumentSet> {
        let mut documents = DocumentSet::empty(self.index.documents);
        let finder = Finder::new(&*query.text);
        for &number in &query.groups {
            for list in self.group(number)?.lists(query, &finder)? {
                documents.add(self.reader.read(list.start, list.len())?)?;
            }
        }
        Some(documents)
    }

    /// The groups that may have terms from `first` on that are less than, or begin with, `last`.
    fn between(&mut self, first: &[u8], last: &[u8]) -> Option<Vec<usize>> {
        let low = self.first_from(first)?.saturating_sub(1);
        // No text has this byte.
        let high = self.first_from(&[last, &[u8::MAX]].concat())?;
        Some((low..high).collect())
    }

    /// The first group that does not begin before `term`.
    fn first_from(&mut self, term: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.index.groups);
        while low < high {
            let middle = low.midpoint(high);
            if self.begins_before(middle, term)? { low = middle + 1 } else { high = middle }
        }
        Some(low)
    }

    fn begins_before(&mut self, number: usize, term: &[u8]) -> Option<bool> {
        let [start, _, _, end] = self.entry(number)?;
        // One byte more than the term decides.
        let bytes = self.reader.read(start, (end - start).min(term.len() + 1))?;
        Some(bytes.split(|&byte| byte == END).next()? < term)
    }

    fn group(&mut self, number: usize) -> Option<Group> {
        let [start, lengths, lists, end] = self.entry(number)?;
        let mut text = self.reader.read(start, end - start)?.to_vec();
        let lengths = text.split_off(lengths.checked_sub(start).filter(|&at| at <= text.len())?);
        Some(Group { text, lengths, lists })
    }

    /// Where the group's terms, lengths and lists begin, and where the next group's terms.
    fn entry(&mut self, number: usize) -> Option<[usize; 4]> {
        let NameIndex { table, texts, lists, .. } = *self.index;
        let entry = self.reader.read(table + number * ENTRY, ENTRY + size_of::<u64>())?;
        let at = |place: usize, part: usize| part.checked_add(usize::try_from(u64_at(entry, place)?).ok()?);
        let entry = [at(0, texts)?, at(8, texts)?, at(16, lists)?, at(ENTRY, texts)?];
        Some(entry).filter(|[start, .., end]| start <= end)
    }
}
