//! The index of company names: which companies have the words of a query, in the order of the results.
//!
//! It is the section `names` of the padrón's edition. A search reads the mapped section and keeps no copy, so every byte is
//! in a block with a check ([`blocks`]).
//!
//! The companies are *documents*, numbered in the order of results. Each *term*, a word of names or a value of a filter,
//! has the list of its documents ([`list`]). The terms are sorted ([`terms`]), so that those with a common beginning
//! follow each other. The edition runs the search.

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
