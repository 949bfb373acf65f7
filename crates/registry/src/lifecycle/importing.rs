//! What building and adopting an edition have in common.

use std::path::Path;

use super::error::ImportError;
use super::kept::next_number;
use super::parent::Parent;
use super::publication::{Effects, PublishedFile, Publishing};
use super::records;
use super::report::{ImportReport, PublishResult};
use super::request::Import;
use crate::Edition;
use crate::changes;
use crate::checksum::{Checksum, hex};
use crate::dataset::Dataset;
use crate::folder::disk::Disk;
use crate::folder::{FileError, Folder};
use crate::progress::Progress;

/// Under the folder's lock.
#[derive(Clone, Copy)]
pub(super) struct Importing<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: &'a Folder,
    pub(super) dataset: &'static Dataset,
    pub(super) request: &'a Import,
    pub(super) parent: Option<&'a Parent>,
    pub(super) progress: &'a dyn Progress,
}

/// The number of the publication that made the open edition current.
pub(super) fn number_of(folder: &Folder, edition: &Edition) -> Result<u64, FileError> {
    match folder.published()? {
        Some(current) if current.label == edition.label() => Ok(current.number),
        // The current edition is unusable; that this one takes its place is a publication without a list.
        Some(_) => next_number(folder),
        // `CURRENT` is lost.
        None => {
            let list = changes::list_to(folder, edition.identity())?;
            Ok(list.map_or(edition.sequence(), |(_, facts)| facts.to.number))
        }
    }
}

impl Importing<'_> {
    pub(super) fn check_sha256(&self, found: &Checksum) -> Result<(), ImportError> {
        match &self.request.sha256 {
            Some(wanted) if wanted != found => Err(ImportError::Checksum { found: hex(found), wanted: hex(wanted) }),
            _ => Ok(()),
        }
    }

    pub(super) fn number(&self) -> Result<u64, FileError> {
        let after = self.parent.map_or(0, |parent| parent.name.number);
        Ok(next_number(self.folder)?.max(after + 1))
    }

    /// Ends an import of the content of an edition that is here: makes it current if `CURRENT` is lost or names an
    /// unusable one.
    pub(super) fn keep(&self, report: &mut ImportReport) -> Result<(), FileError> {
        let current = self.folder.published()?;
        if let Some(parent) = self.parent
            && current.as_ref().is_none_or(|current| current.label != report.label)
        {
            let last = current.map_or(parent.name.number, |current| current.number);
            changes::remove_unpublished(self.disk, self.folder, last, None)?;
            self.folder.set_current(self.disk, &report.label, parent.name.number)?;
        }
        report.history_error = records::update(self.disk, self.folder).err();
        Ok(())
    }

    /// The number of the file `aside` is the publication's.
    pub(super) fn publish(
        &self,
        aside: &Path,
        new: &Edition,
        rejects: Option<String>,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        let Self { disk, folder, progress, .. } = *self;
        let (from, to) = (self.parent.map(|parent| &parent.name), new.name(new.sequence()));
        let file = PublishedFile::New { aside, rejects, is_adopted: report.adopted };
        let effects = Publishing { disk, folder, from, to, new, file, progress }.publish()?;
        let Effects { changes, history_error, rejects_file } = effects;
        (report.changes, report.history_error, report.rejects_file) = (changes, history_error, rejects_file);
        report.outcome = PublishResult::Published;
        Ok(())
    }
}
