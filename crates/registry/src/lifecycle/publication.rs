//! A publication: an edition that was built, adopted or kept becomes the current one.
//!
//! `CURRENT`, its change list and the header of a new edition have its number; a kept edition keeps its old number.
//! The order of the effects leaves, after a crash at any of them, the previous or the new edition current and complete:
//!
//! | effect | if it fails |
//! |---|---|
//! | list of changes | nothing is published; a rollback goes on without it |
//! | history | the next publication or the job `sweep_changes` completes it |
//! | file of the edition and of refused lines | nothing is published |
//! | mark of the editions that were rolled back from | nothing is published |
//! | `CURRENT` | nothing is published |
//! | month of the open data | as the history; the month that a rollback leaves stays |
//! | removal of old editions | the next publication removes them |

use std::path::{Path, PathBuf};

use super::kept::prune;
use crate::Edition;
use crate::changes::{self, EditionName, RecordedList};
use crate::edition::summarise;
use crate::folder::disk::Disk;
use crate::folder::{Current, FileError, Folder, RolledBack, doing, move_into_place, replace};
use crate::history::{self, HistoryError};
use crate::months;
use crate::progress::{Progress, Stage};

/// Under the folder's lock.
pub(super) struct Publishing<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: &'a Folder,
    /// `None` = there is none, or it cannot be read.
    pub(super) from: Option<&'a EditionName>,
    /// With the publication's number.
    pub(super) to: EditionName,
    pub(super) new: &'a Edition,
    pub(super) file: PublishedFile<'a>,
    pub(super) progress: &'a dyn Progress,
}

pub(super) enum PublishedFile<'a> {
    /// A verified new one.
    New {
        /// Its path now.
        aside: &'a Path,
        rejects: Option<String>,
        /// Its change list from another machine may be here.
        is_adopted: bool,
    },
    /// An earlier one, to which an operator returns from this edition.
    Kept(RolledBack),
}

pub(super) struct Effects {
    pub(super) changes: Option<RecordedList>,
    pub(super) history_error: Option<HistoryError>,
    pub(super) rejects_file: Option<PathBuf>,
}

/// Ends a publication that was interrupted after replacing the current edition's file by one with the same label.
pub(super) fn finish(disk: &dyn Disk, folder: &Folder) -> Result<(), FileError> {
    let Some(Current { label, number }) = folder.published()? else { return Ok(()) };
    let Ok(summary) = summarise(folder.dataset(), &folder.edition(&label)) else { return Ok(()) };
    match changes::list_to(folder, summary.identity)? {
        Some((_, facts)) if facts.to.number > number => folder.set_current(disk, &label, facts.to.number),
        _ => Ok(()),
    }
}

impl Publishing<'_> {
    /// An error that does not stop the publication is among the effects.
    pub(super) fn publish(self) -> Result<Effects, FileError> {
        let Self { disk, folder, new, progress, .. } = self;
        let label = &self.to.label;
        let changes = self.record_changes()?;
        progress.stage(Stage::Publication);
        let mut history_error = history::extend_to(disk, folder, &self.to).err();
        let (rejects_file, left) = match self.file {
            PublishedFile::New { aside, rejects, .. } => {
                let rejects_file = write_rejects(disk, folder, label, rejects)?;
                move_into_place(disk, aside, &folder.edition(label))?;
                (rejects_file, None)
            }
            PublishedFile::Kept(left) => (None, Some(left)),
        };
        let marked = left.as_ref().map_or(label, |left| &left.label);
        folder.mark_rolled_back(disk, marked, left.clone())?;
        folder.set_current(disk, label, self.to.number)?;
        history_error = history_error.or(months::add_edition(disk, folder, new, left.as_ref()).err());
        let _ = prune(folder, disk);
        Ok(Effects { changes, history_error, rejects_file })
    }

    /// Records what changed, and removes change lists of publications that did not end.
    fn record_changes(&self) -> Result<Option<RecordedList>, FileError> {
        let Self { disk, folder, .. } = *self;
        if let PublishedFile::New { is_adopted: true, .. } = self.file
            && let Some((path, facts)) = changes::list_to(folder, self.new.identity())?
            && facts.to.number == self.to.number
        {
            let bytes = doing("reading", &path, path.metadata())?.len();
            return Ok(Some(RecordedList { path, bytes, counts: facts.counts, gap: facts.gap }));
        }
        let recorded = match (self.from, &self.file) {
            (None, _) => None,
            (Some(from), PublishedFile::New { .. }) => Some(self.record(from, self.open_old(from), false)?),
            // Without a list, the reverse of an earlier one may say the same.
            (Some(from), PublishedFile::Kept(_)) => {
                let old = self.open_old(from).ok();
                old.and_then(|old| self.record(from, Ok(old), true).ok()).filter(|recorded| recorded.gap.is_none())
            }
        };
        let current = folder.published()?.map(|current| current.number);
        if let Some(last) = current.or(self.from.map(|from| from.number)) {
            changes::remove_unpublished(disk, folder, last, recorded.as_ref().map(|recorded| &*recorded.path))?;
        }
        Ok(recorded)
    }

    fn record(
        &self,
        from: &EditionName,
        old: Result<Edition, String>,
        is_rollback: bool,
    ) -> Result<RecordedList, FileError> {
        self.progress.stage(Stage::Changes);
        // One edition's pages at a time.
        self.new.forget_pages();
        let old = old.inspect(Edition::forget_pages);
        let old = old.as_ref().map_err(|reason| format!("the previous edition cannot be read: {reason}"));
        changes::record(self.disk, self.folder, (from, &self.to), (old, self.new), is_rollback)
    }

    /// The current edition, which an import has closed.
    fn open_old(&self, from: &EditionName) -> Result<Edition, String> {
        let old = Edition::open(self.folder.dataset(), &self.folder.edition(&from.label));
        let old = old.map_err(|error| error.to_string())?;
        if old.name(from.number) == *from { Ok(old) } else { Err("its file was replaced".to_owned()) }
    }
}

fn write_rejects(
    disk: &dyn Disk,
    folder: &Folder,
    label: &str,
    rejects: Option<String>,
) -> Result<Option<PathBuf>, FileError> {
    let path = folder.rejects_of(label);
    if let Some(text) = rejects {
        replace(disk, &path, text.as_bytes())?;
        return Ok(Some(path));
    }
    if path.exists() {
        doing("removing", &path, disk.remove(&path))?;
    }
    Ok(None)
}
