//! What both import targets share: one padrón imported into a fresh folder.

use std::fs;

use kuraka_domain::Date;
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Edition, Import, ImportError, ImportReport, NoProgress, SourceFile, import, open_current};
use tempfile::TempDir;

/// Imports these bytes and opens what comes of them.
pub fn imported(padron: &[u8]) -> Result<(TempDir, ImportReport, Edition), ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("published");
    fs::write(&path, padron).unwrap();
    let request = Import { force: true, ..Import::new(SourceFile::local(path), Date::new(2026, 1, 1).unwrap()) };
    let report = import(folder.path(), &PADRON, &request, &NoProgress)?;
    let edition = open_current(folder.path(), &PADRON).unwrap().edition.unwrap();
    assert_eq!(edition.label(), report.label);
    Ok((folder, report, edition))
}
