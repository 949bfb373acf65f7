//! The official datasets, described as data: what their files look like and what the registry calls them.

mod list;
pub(crate) mod padron;

pub(crate) use list::HEADER as LIST_HEADER;
pub use list::List;
