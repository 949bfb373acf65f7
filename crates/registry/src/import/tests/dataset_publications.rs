//! Whatever file operation of an adoption or a rollback of a dataset fails, the dataset answers from a whole edition.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::Date;

use super::failing_disk::FailingDisk;
use super::workspace::company;
use crate::dataset::RETENCION;
use crate::dataset_import::import_dataset_on;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Folder, rollback_on};
use crate::{
    DatasetEdition, DatasetImport, DatasetReport, DatasetWatcher, ImportError, NoProgress, Origin, SourceFile,
    rollback_dataset,
};

/// Imports a file on a day of November.
fn import(disk: &dyn Disk, registry: &Path, file: &Path, day: u8) -> Result<DatasetReport, ImportError> {
    let date = Date::new(2026, 11, day).unwrap();
    let source = SourceFile::local(file);
    let request = DatasetImport {
        source,
        date: Some(date),
        served_on: None,
        today: date,
        origin: Origin::Published,
        force: false,
    };
    import_dataset_on(disk, registry, &RETENCION, &request, &NoProgress)
}

/// A registry in which the list was imported on these days; the first company's resolution names the day.
fn imported(folder: &Path, days: impl IntoIterator<Item = u8>) -> PathBuf {
    let registry = folder.join("registry");
    let file = folder.join("list");
    for day in days {
        let rows = (0..3).map(|n| format!("{}|EMPRESA|01/01/2020|{day}|\n", company(n)));
        let text = format!("Ruc|Nombre/Razon|A partir del|Resolucion|\n{}", rows.collect::<String>());
        fs::write(&file, text).unwrap();
        import(&SystemDisk, &registry, &file, day).unwrap();
    }
    registry
}

/// The day that the edition that answers names.
fn day(registry: &Path) -> String {
    let report = DatasetWatcher::of(registry, &RETENCION).reopen().unwrap();
    assert!(report.skipped.is_empty(), "{report:?}");
    let edition: DatasetEdition = report.edition.unwrap();
    let rows = edition.lookup(company(0)).unwrap();
    let resolution = rows.first().unwrap().get(RETENCION.field("resolucion").unwrap());
    format!("{resolution:?}")
}

fn named(day: u8) -> String {
    format!("Text(\"{day}\")")
}

#[test]
fn any_failing_file_operation_of_an_adoption_of_a_dataset_leaves_a_whole_edition() {
    let builder = tempfile::tempdir().unwrap();
    let built = imported(builder.path(), [4]);
    let current = Folder::of(&built, &RETENCION).current().unwrap().unwrap();
    let mut states = [0; 2];
    for fail_at in 1.. {
        let here = tempfile::tempdir().unwrap();
        let registry = imported(here.path(), [3]);
        let disk = FailingDisk::new(fail_at, true);
        let result = import(&disk, &registry, &current, 4);
        let found = day(&registry);
        assert!(found == named(3) || found == named(4), "operation {fail_at}: {found}");
        assert!(result.is_err() || found == named(4), "operation {fail_at}: success without the edition");
        states[usize::from(found == named(4))] += 1;
        import(&SystemDisk, &registry, &current, 4).unwrap();
        assert_eq!(day(&registry), named(4), "operation {fail_at}: the next adoption");
        let editions = fs::read_dir(registry.join("datasets/retencion/editions")).unwrap().count();
        assert!(editions <= 2 && current.exists(), "operation {fail_at}: {editions} files");
        if !disk.reached() {
            break;
        }
    }
    assert!(states[0] > 5 && states[1] > 1, "{states:?}");
}

#[test]
fn any_failing_file_operation_of_a_rollback_of_a_dataset_leaves_a_whole_edition() {
    let mut states = [0; 2];
    for fail_at in 1.. {
        let here = tempfile::tempdir().unwrap();
        let registry = imported(here.path(), [1, 2, 3]);
        let disk = FailingDisk::new(fail_at, true);
        let result = rollback_on::<DatasetEdition>(&disk, &Folder::of(&registry, &RETENCION), &RETENCION);
        let found = day(&registry);
        assert!(found == named(3) || found == named(2), "operation {fail_at}: {found}");
        assert!(result.is_err() || found == named(2), "operation {fail_at}: success without the edition");
        states[usize::from(found == named(2))] += 1;
        if found == named(3) {
            rollback_dataset(&registry, &RETENCION).unwrap();
            assert_eq!(day(&registry), named(2), "operation {fail_at}: the next rollback");
        }
        if !disk.reached() {
            break;
        }
    }
    assert!(states[0] > 3 && states[1] > 0, "{states:?}");
}
