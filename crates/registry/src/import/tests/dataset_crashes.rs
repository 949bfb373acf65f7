//! Whatever file operation of an import of a dataset fails, the dataset answers from a whole edition.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::Date;
use kuraka_sandbox::sample::{Piece, datasets};

use super::failing_disk::FailingDisk;
use crate::changes::{Step, changes};
use crate::dataset::{Dataset, named};
use crate::dataset_import::import_dataset_on;
use crate::folder::disk::{Disk, SystemDisk};
use crate::{DatasetImport, DatasetReport, DatasetWatcher, ImportError, NoProgress, Origin, SourceFile};

/// A dataset's folder, in which each import is of another day.
struct Imports<'a> {
    folder: tempfile::TempDir,
    dataset: &'static Dataset,
    piece: &'a Piece,
}

impl<'a> Imports<'a> {
    fn of(piece: &'a Piece) -> Self {
        // In memory if possible: what is synced here is counted, not kept.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let imports = Self { folder, dataset: named(piece.dataset).unwrap(), piece };
        fs::write(imports.source(), &piece.bytes).unwrap();
        imports
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join(self.piece.file_name)
    }

    fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    fn import(&self, disk: &dyn Disk, day: u8) -> Result<DatasetReport, ImportError> {
        let date = Date::new(2026, 11, day).unwrap();
        let source = SourceFile::local(self.source());
        let request = DatasetImport {
            source,
            date: Some(date),
            served_on: None,
            today: date,
            origin: Origin::Published,
            force: false,
        };
        import_dataset_on(disk, &self.registry(), self.dataset, &request, &NoProgress)
    }

    /// The day of the edition that answers, which is whole; `None` = there is none.
    fn day(&self) -> Option<u8> {
        let report = DatasetWatcher::of(&self.registry(), self.dataset).reopen().unwrap();
        assert!(report.skipped.is_empty(), "{report:?}");
        let edition = report.edition?;
        assert!(edition.iter().all(|row| row.is_ok()) && edition.rows() > 0);
        Some(edition.meta().date.day())
    }

    /// The days of each step from an edition to the next. Every list can be read to its end, and none is undone.
    fn steps(&self) -> Vec<(u8, u8)> {
        let day = |label: &str| label[8..10].parse().unwrap();
        let steps = changes(&self.registry(), self.dataset, None).unwrap().map(|Step { from, to, undone, changes }| {
            assert!(!undone, "{from} {to}");
            let list = changes.unwrap();
            assert_eq!(list.changes().unwrap().map(Result::unwrap).count() as u64, list.facts().counts.total());
            (day(&from), day(&to))
        });
        steps.collect()
    }

    /// Another folder with the same files.
    fn copy(&self) -> Self {
        let copy = Self::of(self.piece);
        copy_all(&self.registry(), &copy.registry());
        copy
    }
}

/// The steps after these days were published, after the days 1 to 3 or as the first.
fn chain(first: bool, published: &[u8]) -> Vec<(u8, u8)> {
    let before: &[u8] = if first { &[] } else { &[1, 2, 3] };
    [before, published].concat().windows(2).map(|days| (days[0], days[1])).collect()
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

#[test]
fn any_failing_file_operation_of_an_import_of_any_dataset_leaves_a_whole_edition() {
    // A list, a dataset with many rows a taxpayer, and a workbook. The others differ in their descriptions alone.
    let pieces = datasets().unwrap().into_iter();
    for piece in pieces.filter(|piece| ["retencion", "anexos", "ssco"].contains(&piece.dataset)) {
        let before = Imports::of(&piece);
        for day in 1..=3 {
            before.import(&SystemDisk, day).unwrap();
        }
        for first in [true, false] {
            let mut states = [0; 2];
            for fail_at in 1.. {
                let imports = if first { Imports::of(&piece) } else { before.copy() };
                let disk = FailingDisk::new(fail_at, true);
                let result = imports.import(&disk, 4);
                let (old, new) = ((!first).then_some(3), Some(4));
                let found = imports.day();
                let what = format!("{}, operation {fail_at}: {found:?}", piece.dataset);
                assert!(found == old || found == new, "{what}");
                assert!(result.is_err() || found == new, "{what}: success without the edition");
                states[usize::from(found == new)] += 1;
                let published: &[u8] = if found == new { &[4] } else { &[] };
                assert_eq!(imports.steps(), chain(first, published), "{what}");
                imports.import(&SystemDisk, 5).unwrap();
                assert_eq!(imports.day(), Some(5), "{what}: the next import");
                let editions = imports.registry().join("datasets").join(piece.dataset).join("editions");
                assert!(fs::read_dir(editions).unwrap().count() <= 3, "{what}: files are left");
                let published: &[u8] = if found == new { &[4, 5] } else { &[5] };
                assert_eq!(imports.steps(), chain(first, published), "{what}: the next import");
                let lists = imports.registry().join("datasets").join(piece.dataset).join("changes");
                let lists = fs::read_dir(lists).unwrap().count();
                assert_eq!(lists, imports.steps().len(), "{what}: files in changes");
                if !disk.reached() {
                    break;
                }
            }
            assert!(states[0] > 5 && states[1] > 1, "{}: {states:?}", piece.dataset);
        }
    }
}
