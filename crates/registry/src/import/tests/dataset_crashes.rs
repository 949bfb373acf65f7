//! Whatever file operation of an import of a dataset fails, the dataset answers from a whole edition.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::Date;
use kuraka_sandbox::sample::{Piece, datasets};

use super::failing_disk::FailingDisk;
use crate::dataset::{Dataset, named};
use crate::dataset_import::import_dataset_on;
use crate::folder::disk::{Disk, SystemDisk};
use crate::{
    DatasetEdition, DatasetImport, DatasetReport, ImportError, NoProgress, Origin, SourceFile, dataset_editions,
};

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
        let request = DatasetImport { source, date: Some(date), today: date, origin: Origin::Published, force: false };
        import_dataset_on(disk, &self.registry(), self.dataset, &request, &NoProgress)
    }

    /// The day of the edition that answers, which is whole; `None` = there is none.
    fn day(&self) -> Option<u8> {
        let kept = dataset_editions(&self.registry(), self.dataset).unwrap();
        let current = kept.iter().find(|kept| kept.current)?;
        let edition = DatasetEdition::open(self.dataset, &current.path).unwrap();
        assert!(edition.iter().all(|row| row.is_ok()) && edition.rows() > 0);
        Some(edition.meta().date.day())
    }

    /// Another folder with the same files.
    fn copy(&self) -> Self {
        let copy = Self::of(self.piece);
        copy_all(&self.registry(), &copy.registry());
        copy
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
                imports.import(&SystemDisk, 5).unwrap();
                assert_eq!(imports.day(), Some(5), "{what}: the next import");
                let editions = imports.registry().join("datasets").join(piece.dataset).join("editions");
                assert!(fs::read_dir(editions).unwrap().count() <= 3, "{what}: files are left");
                if !disk.reached() {
                    break;
                }
            }
            assert!(states[0] > 5 && states[1] > 1, "{}: {states:?}", piece.dataset);
        }
    }
}
