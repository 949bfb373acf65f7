//! The changes from each edition of a dataset to the next: recorded when an edition is published, and kept when the
//! editions are removed.
//!
//! A *list of changes* is a file beside the editions. It names the two editions, and has for each taxpayer that differs
//! what is new, gone or changed. With the lists, each earlier edition follows from the last one:
//! [`Change::undo`]. The file format is described in `FORMAT.md`.
//!
//! This module does not decide which edition is published.

mod adopted;
mod change;
mod codec;
mod compare;
mod difference;
mod error;
mod facts;
mod file_name;
mod kept;
mod layout;
mod list;
mod publications;
mod record;
mod steps;
mod stop;
mod walk;
mod writer;

pub use crate::edition::{Cell, Row};
pub(crate) use adopted::recorded;
pub use adopted::{AdoptListsError, FetchedList, adopt_lists, list_files, missing_lists};
pub use change::{Change, ChangeKind, Earlier, FieldChange, NotTheResult};
pub use error::ListError;
pub use facts::{Counts, EditionName, ListFacts};
pub use kept::remove_old_changes;
pub(crate) use list::facts as list_facts;
pub use list::{ChangeList, Changes};
pub use publications::{Publication, PublicationReader, Publications, date_of};
pub use record::Recorded;
pub(crate) use record::record;
pub(crate) use steps::links;
pub use steps::{ChangeGap, Step, changes};
