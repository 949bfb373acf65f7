//! The changes of each publication: recorded when an edition becomes the current one, and kept when the editions are
//! removed.
//!
//! A *list of changes* is a file beside the editions. It names the two editions, and has for each taxpayer that differs
//! what is new, gone or changed. Its number is the publication's, so the lists in their order up to the number in
//! `CURRENT` are the publications. The file format is described in `FORMAT.md`.
//!
//! This module does not decide which edition is published.

mod adopted;
mod change;
mod codec;
mod compare;
mod difference;
mod facts;
mod file_name;
mod kept;
mod list;
mod publications;
mod record;
mod stop;
mod walk;
mod writer;

pub use crate::edition::{Cell, Row};
pub use adopted::{AdoptListsError, BuilderLists, FetchedList, list_files};
pub(crate) use adopted::{adopt_lists, list_to};
pub use change::{Change, ChangeKind, FieldChange};
pub(crate) use codec::{decode, encode};
pub use facts::{Counts, EditionName, ListFacts};
pub(crate) use file_name::MAX_NUMBER;
pub use kept::remove_old_changes;
pub(crate) use kept::{forget, last_number, remove_unpublished};
pub use list::ChangeList;
pub(crate) use publications::publications_to;
pub use publications::{ChangeGapError, Publication, PublicationReader, Publications, Published, publications};
pub use record::RecordedList;
pub(crate) use record::record;
#[cfg(test)]
pub(crate) use writer::rewrite;
