//! Drops the past of one taxpayer from a history.

use kuraka_domain::Ruc;

use super::error::HistoryError;
use super::file::{History, KIND};
use crate::block_file::{self, BlockError};
use crate::folder::Folder;
use crate::folder::disk::Disk;
use crate::row_id::row_id_of;

/// Writes the history anew without a taxpayer, under the folder's lock. One that is missing or damaged is made of the lists
/// later. It is written anew also if it has nothing of the taxpayer, so that servers open it and learn who is forgotten.
pub(crate) fn forget(disk: &dyn Disk, folder: &Folder, ruc: Ruc) -> Result<(), HistoryError> {
    let Ok(old) = History::open_file(folder.dataset(), &folder.history()) else { return Ok(()) };
    let written = block_file::write(disk, &folder.history(), KIND, |writer| {
        for number in 0..old.file.count() {
            let block = old.file.block(number)?;
            block
                .rows()
                .filter(|(row_id, _)| *row_id != row_id_of(ruc))
                .try_for_each(|(row_id, row)| writer.push(row_id, row))?;
        }
        Ok::<_, BlockError>(&old.facts)
    });
    Ok(written.map(drop)?)
}
