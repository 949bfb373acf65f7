//! The index of company names: which companies have the words of a query, in the order of results.
//!
//! It is a section of the padrón's edition (`FORMAT.md`). A search reads the mapped section, so every byte is in a
//! block with a check. A company is a *document*, numbered in the order of results; a *term* is a word of names or a
//! filter's value.

mod blocks;
mod build;
mod companies;
mod layout;
mod list;
mod terms;

pub(crate) use build::build;
pub(crate) use companies::Companies;
pub(crate) use layout::NameIndex;
pub(crate) use list::DocumentSet;
pub(crate) use terms::{Filter, IndexReader, TermQuery};
