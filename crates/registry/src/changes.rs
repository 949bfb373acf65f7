//! The changes of each publication, recorded before an edition becomes the current one and kept when it is removed.
//!
//! A *change list* is a file beside the editions (`FORMAT.md`). Its number is the publication's, so the lists in order,
//! up to the number in `CURRENT`, are the publications.

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
pub use change::{Change, ChangeKind, FieldChange, set_field};
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
