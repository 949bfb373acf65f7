//! The registry's folder: which editions are kept, and which one is current.
//!
//! ```text
//! CURRENT                 file name of the current edition
//! ROLLED_BACK             labels an operator rolled back from, one a line
//! LOCK                    held by the process that imports, adopts or rolls back
//! editions/<label>.kuraka the editions, three at most
//! rejects/<label>.txt     the first refused lines of each edition's import
//! changes/                the changes from each edition to the next
//! datasets/<name>/        the same for each other dataset that was imported
//! ```
//!
//! A small file is replaced by writing a new file, syncing it, renaming it over the old one and syncing the folder, so
//! that a crash leaves the old or the new content. This module does not depend on the content of an edition.

pub(crate) mod disk;
mod editions;
mod error;
pub(crate) mod kept;
mod layout;
mod open;
mod publish;
mod replace;
mod rollback;
mod rolled_back;
mod watch;

pub use editions::{KeptDataset, KeptEdition, dataset_editions, editions};
pub use error::FileError;
pub(crate) use error::{absent_is_none, doing};
pub(crate) use kept::next_sequence;
pub(crate) use layout::Folder;
pub(crate) use open::open_best;
pub use open::{OpenError, OpenReport, SkippedEdition, open_current};
pub(crate) use publish::publish;
pub(crate) use replace::{copy, move_into_place, replace, unfinished};
#[cfg(test)]
pub(crate) use rollback::rollback_on;
pub use rollback::{Rollback, RollbackError, rollback, rollback_dataset};
pub(crate) use rolled_back::RolledBack;
pub use watch::{DatasetWatcher, EditionWatcher};
