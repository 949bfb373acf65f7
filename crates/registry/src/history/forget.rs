//! Drops the past of one taxpayer from a history.

use kuraka_domain::Ruc;

use super::error::HistoryError;
use super::file::{History, KIND};
use crate::block_file::{self, BlockError};
use crate::folder::Folder;
use crate::folder::disk::Disk;
use crate::row_id::row_id_of;

/// Rewrites the history without a taxpayer, under the folder's lock, even if it has none of its changes, so that
/// servers reopen it and learn who is forgotten. A missing or damaged history is rebuilt from the lists later.
pub(crate) fn forget(disk: &dyn Disk, folder: &Folder, ruc: Ruc) -> Result<(), HistoryError> {
    let Ok(old) = History::open_file(folder.dataset(), &folder.history()) else { return Ok(()) };
    let written = block_file::write(disk, &folder.history(), KIND, |writer| {
        let gone = [Ok::<_, BlockError>((row_id_of(ruc), ()))];
        writer.merge(Some(&old.file), gone, |row, gone, out| {
            out.extend_from_slice(if gone.is_none() { row } else { &[] });
            Some(())
        })?;
        Ok::<_, BlockError>(&old.facts)
    });
    Ok(written.map(drop)?)
}
