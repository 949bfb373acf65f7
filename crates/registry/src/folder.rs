//! A dataset's folder: its paths, its small files, and how files are replaced.
//!
//! ```text
//! <dataset>/CURRENT                 label of the current edition, number of its publication
//! <dataset>/ROLLED_BACK             editions an operator rolled back from, one a line: label, SHA-256 of their file
//! <dataset>/LOCK                    held by the process that imports or rolls back
//! <dataset>/editions/<label>.kuraka the editions, three at most
//! <dataset>/rejects/<label>.txt     the first refused lines of each edition's import
//! <dataset>/changes/                the changes of each publication
//! <dataset>/history.kuraka-history  the same changes by taxpayer
//! <dataset>/months.kuraka-months    status and condition of companies by month, in `datos_abiertos`
//! <dataset>/downloads/              files that an update fetches, and notes of their versions
//! FORGOTTEN                         natural persons whose past is not kept
//! ```
//!
//! A small file is replaced by writing a new one, syncing it, renaming it over the old one and syncing the folder, so a
//! crash leaves the old or the new content.

pub(crate) mod disk;
mod error;
mod layout;
mod replace;
mod state;
#[cfg(test)]
pub(crate) mod tests;

pub use error::FileError;
pub(crate) use error::{absent_is_none, doing};
pub(crate) use layout::{Current, EXTENSION, Folder, RolledBack, Stamp, label_of};
pub(crate) use replace::{copy, is_unfinished, make_aside, move_into_place, paths_in, replace, unfinished};
pub use state::FileState;

/// Creates a folder and those above it, durably.
///
/// # Errors
/// The error of the file system.
pub fn create_folder(path: &std::path::Path) -> std::io::Result<()> {
    layout::create_folder(&disk::SystemDisk, path)
}
