//! The last steps of every publication.

use std::path::Path;

use super::disk::Disk;
use super::error::FileError;
use super::kept::prune;
use super::layout::Folder;
use super::replace::move_into_place;

/// Moves a verified file to its place and makes it the current edition.
pub(crate) fn publish(folder: &Folder, disk: &dyn Disk, file: &Path, label: &str) -> Result<(), FileError> {
    move_into_place(disk, file, &folder.edition(label))?;
    folder.mark_rolled_back(disk, label, false)?;
    folder.set_current(disk, label)?;
    // The edition is published; the next publication removes old files that cannot be removed now.
    let _ = prune(folder, disk);
    Ok(())
}
