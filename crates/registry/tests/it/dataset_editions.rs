//! Each dataset from its published file to an edition and its lookups, row for row as the reader hands them on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicU64;

use kuraka_domain::Ruc;
use kuraka_registry::dataset::{Dataset, RowsPerRuc};
use kuraka_registry::reader::{ReadError, read};
use kuraka_registry::{
    DatasetEdition, DatasetImport, DatasetReport, ImportError, NoProgress, Origin, SourceFile, dataset_editions,
    import_dataset,
};

use crate::workspace::{Workspace, date};

pub(crate) fn request(path: &Path) -> DatasetImport {
    DatasetImport {
        source: SourceFile::local(path),
        date: None,
        served_on: None,
        today: date("2026-11-20"),
        origin: Origin::Published,
        force: false,
    }
}

impl Workspace {
    /// Imports a file of this name.
    pub(crate) fn try_dataset(
        &self,
        dataset: &'static Dataset,
        name: &str,
        content: &[u8],
    ) -> Result<DatasetReport, ImportError> {
        import_dataset(&self.registry(), dataset, &request(&self.file(name, content)), &NoProgress)
    }

    /// The current edition of a dataset.
    pub(crate) fn dataset(&self, dataset: &'static Dataset) -> DatasetEdition {
        let kept = dataset_editions(&self.registry(), dataset).unwrap();
        DatasetEdition::open(dataset, &kept.iter().find(|it| it.current).unwrap().path).unwrap()
    }
}

/// Imports the file, and compares every row with what the reader hands on.
pub(crate) fn check(dataset: &'static Dataset, name: &str, content: &[u8]) {
    let workspace = Workspace::new();
    let path = workspace.file(name, content);
    let mut expected: BTreeMap<Ruc, Vec<String>> = BTreeMap::new();
    let read_rows = read(dataset, &path, &AtomicU64::new(0), |ruc, values| {
        let rows = expected.entry(ruc).or_default();
        let row = format!("{values:?}");
        if dataset.rows == RowsPerRuc::Many && !rows.contains(&row) || rows.is_empty() {
            rows.push(row);
        }
        Ok::<(), ReadError>(())
    });
    let read_rows = read_rows.unwrap().rows;
    let request = DatasetImport { force: true, ..request(&path) };
    let report = import_dataset(&workspace.registry(), dataset, &request, &NoProgress).unwrap();
    let edition = workspace.dataset(dataset);
    let rows: usize = expected.values().map(Vec::len).sum();
    assert_eq!((report.rows, report.rucs), (rows as u64, expected.len() as u64), "{}", dataset.name);
    assert_eq!(report.repeated, read_rows - report.rows);
    assert_eq!((edition.rows(), edition.rucs()), (report.rows, report.rucs));
    let found: BTreeMap<Ruc, Vec<String>> = edition
        .iter()
        .map(Result::unwrap)
        .map(|(ruc, rows)| (ruc, rows.iter().map(|row| format!("{:?}", row.values())).collect()))
        .collect();
    assert_eq!(found, expected, "{}", dataset.name);
    for (ruc, rows) in &expected {
        let found = edition.lookup(*ruc).unwrap();
        assert_eq!(&found.iter().map(|row| format!("{:?}", row.values())).collect::<Vec<_>>(), rows);
    }
    let rucs: BTreeSet<Ruc> = edition.iter_rucs().map(Result::unwrap).collect();
    assert!(rucs.iter().eq(expected.keys()));
    assert!(edition.lookup(crate::workspace::company(9_999)).unwrap().is_empty());
}
