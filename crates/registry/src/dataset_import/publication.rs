//! An import under the folder's lock, and the last steps that a built and an adopted edition have in common.

use std::path::Path;

use super::report::DatasetReport;
use super::request::DatasetImport;
use crate::changes::{self, Compared};
use crate::dataset::Dataset;
use crate::folder::disk::Disk;
use crate::folder::{self, Folder, doing, replace};
use crate::{DatasetEdition, ImportError, PublishResult};

/// One import under the folder's lock.
pub(super) struct Publication<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: &'a Folder,
    pub(super) dataset: &'static Dataset,
    pub(super) request: &'a DatasetImport,
    /// The edition that answers now.
    pub(super) current: Option<&'a DatasetEdition>,
}

impl Publication<'_> {
    /// Records the changes, moves a verified file to its place and makes it current.
    pub(super) fn publish(
        &self,
        aside: &Path,
        new: &DatasetEdition,
        rejects: Option<String>,
        report: &mut DatasetReport,
    ) -> Result<(), ImportError> {
        let Self { disk, folder, current, .. } = *self;
        if let Some(current) = current {
            let recorded = changes::record(disk, folder, current.name(), Ok(current), new, &new.identity())?;
            report.changes = Some(recorded);
        }
        let rejects_path = folder.rejects_of(&report.label);
        if let Some(text) = rejects {
            replace(disk, &rejects_path, text.as_bytes())?;
            report.rejects_file = Some(rejects_path);
        } else if rejects_path.exists() {
            doing("removing", &rejects_path, disk.remove(&rejects_path))?;
        }
        folder::publish(folder, disk, aside, &report.label)?;
        report.outcome = PublishResult::Published;
        Ok(())
    }
}
