//! A registry's folder for one test and one dataset.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::Date;
use tempfile::TempDir;

use super::published::{BAD_KEY, answers, company, file};
use crate::changes::publications;
use crate::dataset::Dataset;
use crate::folder::Folder;
use crate::folder::disk::{Disk, SystemDisk};
use crate::history::History;
use crate::lifecycle::import::import_on;
use crate::{Edition, Import, ImportError, ImportReport, NoProgress, SourceFile, open_current};

pub(super) struct Workspace {
    pub(super) dataset: &'static Dataset,
    folder: TempDir,
}

impl Workspace {
    pub(super) fn for_dataset(dataset: &'static Dataset) -> Self {
        // In memory if possible: what is synced here is counted, not kept.
        Self { dataset, folder: tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap() }
    }

    /// A workspace in which the editions of these days were published.
    pub(super) fn with_days(dataset: &'static Dataset, days: impl IntoIterator<Item = u8>) -> Self {
        let workspace = Self::for_dataset(dataset);
        days.into_iter().for_each(|day| drop(workspace.publish(&SystemDisk, day).unwrap()));
        workspace
    }

    pub(super) fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    pub(super) fn folder(&self) -> Folder {
        Folder::new(&self.registry(), self.dataset)
    }

    /// Writes a file, and requests its import on a day of November.
    pub(super) fn request(&self, day: u8, content: &[u8]) -> Import {
        let path = self.folder.path().join("file");
        fs::write(&path, content).unwrap();
        Import::new(SourceFile::local(path), Date::new(2026, 11, day).unwrap())
    }

    pub(super) fn import(&self, disk: &dyn Disk, request: &Import) -> Result<ImportReport, ImportError> {
        import_on(disk, &self.registry(), self.dataset, request, &NoProgress)
    }

    /// The file of a day: five companies whose texts name the day, and a line that is refused.
    pub(super) fn day_request(&self, day: u8) -> Import {
        let keys = (0..5).map(|n| company(n).to_string()).chain([BAD_KEY.to_owned()]);
        self.request(day, &file(self.dataset, keys.map(|key| (key, day.into()))))
    }

    pub(super) fn publish(&self, disk: &dyn Disk, day: u8) -> Result<ImportReport, ImportError> {
        self.import(disk, &self.day_request(day))
    }

    pub(super) fn current(&self) -> PathBuf {
        self.folder().current().unwrap().unwrap()
    }

    pub(super) fn edition(&self) -> Edition {
        Edition::open(self.dataset, &self.current()).unwrap()
    }

    /// Another workspace with the same files in its registry.
    pub(super) fn copy(&self) -> Self {
        let copy = Self::for_dataset(self.dataset);
        copy_all(&self.registry(), &copy.registry());
        copy
    }

    /// The day that all texts of the edition that answers name, which is whole; `None` = there is no edition.
    pub(super) fn day(&self) -> Option<u8> {
        let report = open_current(&self.registry(), self.dataset).unwrap();
        assert!(report.skipped.is_empty(), "{report:?}");
        let edition = report.edition?;
        let (day, answers) = (edition.meta().date.day(), answers(&edition));
        assert_eq!(answers.len(), 5, "{answers:?}");
        assert!(answers.values().all(|answer| answer.contains(&format!(" DIA {day}"))), "{answers:?}");
        Some(day)
    }

    /// The days of the editions up to the current one that the history has.
    pub(super) fn recorded(&self) -> Vec<u8> {
        let history = History::open(&self.registry(), self.dataset).unwrap();
        let at = history.place_of(&self.edition()).unwrap();
        history.editions()[..=at].iter().map(|edition| edition.date.day()).collect()
    }

    /// The days of each step from an edition to the next. Every list can be read to its end.
    pub(super) fn steps(&self) -> Vec<(u8, u8)> {
        let day = |label: &str| label[8..10].parse().unwrap();
        let found = publications(&self.registry(), self.dataset).unwrap();
        let steps = found.steps.iter().map(|step| {
            let list = step.changes().unwrap();
            assert_eq!(list.changes().map(Result::unwrap).count() as u64, list.facts().counts.total());
            (day(&step.from.label), day(&step.to.label))
        });
        steps.collect()
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}
