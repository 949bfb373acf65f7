//! The official datasets, described as data: the form of their files, and their names in the registry.

mod list;
pub(crate) mod padron;

pub(crate) use list::HEADER as LIST_HEADER;
pub use list::List;
