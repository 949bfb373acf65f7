//! An import under the folder's lock, and the last steps that a built and an adopted edition have in common.

use std::path::Path;

use super::error::ImportError;
use super::kept::{newest_first, prune};
use super::parent::Parent;
use super::records;
use super::report::{ImportReport, PublishResult};
use super::request::{Accepts, Import};
use crate::Edition;
use crate::changes::{self, EditionName, Recorded};
use crate::checksum::{Checksum, hex, parse_checksum};
use crate::dataset::{DATOS_ABIERTOS, Dataset};
use crate::folder::disk::Disk;
use crate::folder::{FileError, Folder, doing, move_into_place, replace};
use crate::format::header::Identity;
use crate::history;
use crate::months;
use crate::progress::{Progress, Stage};

/// One import under the folder's lock.
#[derive(Clone, Copy)]
pub(super) struct Publication<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: &'a Folder,
    pub(super) dataset: &'static Dataset,
    pub(super) request: &'a Import,
    /// The edition that is current now.
    pub(super) parent: Option<&'a Parent>,
    pub(super) progress: &'a dyn Progress,
}

impl Publication<'_> {
    /// Refuses a file that is not the requested one.
    pub(super) fn check_sha256(&self, found: &Checksum) -> Result<(), ImportError> {
        match &self.request.sha256 {
            Some(wanted) if wanted != found => Err(ImportError::Checksum { found: hex(found), wanted: hex(wanted) }),
            _ => Ok(()),
        }
    }

    /// The sequence number of the new edition.
    pub(super) fn next_sequence(&self) -> Result<u64, FileError> {
        let sequences = newest_first(self.folder)?.into_iter().filter_map(|(_, summary)| Some(summary?.sequence));
        Ok(sequences.max().map_or(1, |last| last.saturating_add(1)))
    }

    /// Ends an import that finds the content of the edition in the report: makes it the current one if `CURRENT` is lost,
    /// or names an edition that is unusable.
    pub(super) fn keep(&self, report: &mut ImportReport) -> Result<(), FileError> {
        if self.folder.current()? != Some(self.folder.edition(&report.label)) {
            self.folder.set_current(self.disk, &report.label)?;
        }
        report.history_error = records::update(self.disk, self.folder).err();
        Ok(())
    }

    /// Adds the month of the open data's edition. The next publication makes up for one that is not added.
    fn add_month(&self, new: &Edition, report: &mut ImportReport) {
        if self.dataset.name == DATOS_ABIERTOS.name {
            report.history_error = months::add_edition(self.disk, self.folder, new).err();
        }
    }

    /// The identity of the current edition, or zeros.
    pub(super) fn parent_identity(&self) -> Identity {
        self.parent.and_then(|parent| parse_checksum(&parent.name.identity)).unwrap_or_default()
    }

    /// Records the changes, moves a verified file to its place and makes it current.
    pub(super) fn publish(
        &self,
        aside: &Path,
        new: &Edition,
        rejects: Option<String>,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        let Self { disk, folder, parent, progress, .. } = *self;
        if let Some(parent) = parent {
            progress.stage(Stage::Changes);
            report.changes = Some(self.record_changes(&parent.name, new)?);
        }
        progress.stage(Stage::Publication);
        // The next publication makes up for a history that is not extended.
        report.history_error = history::extend_to(disk, folder, &new.name()).err();
        let rejects_path = folder.rejects_of(&report.label);
        if let Some(text) = rejects {
            replace(disk, &rejects_path, text.as_bytes())?;
            report.rejects_file = Some(rejects_path);
        } else if rejects_path.exists() {
            doing("removing", &rejects_path, disk.remove(&rejects_path))?;
        }
        move_into_place(disk, aside, &folder.edition(&report.label))?;
        folder.mark_rolled_back(disk, &report.label, None)?;
        folder.set_current(disk, &report.label)?;
        self.add_month(new, report);
        // The edition is published; the next publication removes old files that cannot be removed now.
        let _ = prune(folder, disk);
        report.outcome = PublishResult::Published;
        Ok(())
    }

    /// Records what changed since the current edition, which is opened again: it was closed during the import.
    fn record_changes(&self, from: &EditionName, new: &Edition) -> Result<Recorded, FileError> {
        let Self { disk, folder, dataset, request, .. } = *self;
        if request.accepts == Accepts::Edition
            && let Some(recorded) = changes::recorded(folder, new)?
        {
            return Ok(recorded);
        }
        // The pages of one edition at a time.
        new.forget_pages();
        let old = Edition::open(dataset, &folder.edition(&from.label)).map_err(|error| error.to_string());
        let old =
            old.and_then(|old| if old.name() == *from { Ok(old) } else { Err("its file was replaced".to_owned()) });
        let old = old.inspect(Edition::forget_pages);
        let old = old.as_ref().map_err(|reason| format!("the previous edition cannot be read: {reason}"));
        changes::record(disk, folder, from.clone(), old, new)
    }
}
