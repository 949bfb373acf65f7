//! The index of company names: which companies have the words of a query, in the order of the results.
//!
//! It is the section `names` of the padrón's edition, built from the rows and the dictionary while the edition is
//! written. Being a section, it is published, verified, adopted, rolled back, pruned and watched for damage with its rows.
//! A search reads the mapped section and keeps no copy, because an open edition has little memory of its own: every byte
//! that is read is in a block with a check ([`blocks`]).
//!
//! The companies are *documents*, numbered in the order of results. Each *term*, a word of names or a value of a filter,
//! has the list of its documents ([`list`]). The terms are sorted ([`terms`]), so that those with a common beginning
//! follow each other. This module does not read rows: an edition passes them in.

mod blocks;
mod build;
mod companies;
mod list;
mod query;
mod search;
mod terms;

pub(crate) use build::build;
pub(crate) use companies::Companies;
pub use query::{NameMatch, NameSearch};
pub(crate) use search::Rows;
pub use search::{FoundNames, SearchError};

use crate::format::{u32_at, u64_at};
use blocks::Reader;
use search::Search;
use terms::Terms;

/// Bytes before the row ids: documents, active ones of them, terms (`u32` each).
const HEAD: usize = 12;
/// Bytes of a document's row id.
const ROW_ID: usize = 4;

/// Documents from one sampled name to the next.
const SAMPLED: u32 = 128;
/// Bytes of a sampled name: the first ones, zero-padded.
const SAMPLE: usize = 24;

/// The first bytes of a folded name, zero-padded. They ascend as names do.
fn sample(name: &str) -> [u8; SAMPLE] {
    let mut sample = [0; SAMPLE];
    sample.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    sample
}

/// Where the parts of an open edition's index begin in the content of its section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// Documents. The active ones come first.
    documents: u32,
    active: u32,
    /// Groups of terms.
    groups: usize,
    /// Terms, of which the last group may have fewer than [`terms::GROUP`].
    terms: usize,
    /// The row id of each document.
    rows: usize,
    /// The beginning of the name of every [`SAMPLED`]th document.
    samples: usize,
    /// For each group where its terms and its lists begin, and where the last ones end.
    table: usize,
    signature: usize,
    texts: usize,
    lists: usize,
}

impl Names {
    /// The parts of an index with so many documents and terms, as far as their lengths are known.
    fn of(documents: u32, active: u32, terms: u32) -> Self {
        let groups = (terms as usize).div_ceil(terms::GROUP);
        let samples = HEAD + documents as usize * ROW_ID;
        let table = samples + documents.div_ceil(SAMPLED) as usize * SAMPLE;
        let signature = table + (groups + 1) * terms::ENTRY;
        let texts = signature + terms::signature_bytes(groups);
        let terms = terms as usize;
        Self { documents, active, groups, terms, rows: HEAD, samples, table, signature, texts, lists: texts }
    }

    /// Reads the section; `None` if it is not an index.
    pub(crate) fn open(section: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(section);
        let length = reader.len();
        let head = reader.read(0, HEAD)?;
        let mut names = Self::of(u32_at(head, 0)?, u32_at(head, 4)?, u32_at(head, 8)?);
        let last = reader.read(names.table + names.groups * terms::ENTRY, terms::ENTRY)?;
        let (texts, lists) = (usize::try_from(u64_at(last, 0)?).ok()?, usize::try_from(u64_at(last, 8)?).ok()?);
        names.lists = names.texts.checked_add(texts)?;
        let end = names.lists.checked_add(lists)?;
        (names.active <= names.documents && end <= length).then_some(names)
    }

    /// Searches in the section that this is of.
    pub(crate) fn search(
        &self,
        section: &[u8],
        query: &NameSearch<'_>,
        rows: &impl Rows,
    ) -> Result<FoundNames, SearchError> {
        Search { query, terms: Terms { names: self, reader: Reader::new(section) }, rows }.run()
    }
}
