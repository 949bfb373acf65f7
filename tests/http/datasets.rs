//! The registry of the bundled sample with a piece of every dataset, imported once for all tests.

use std::path::PathBuf;
use std::sync::LazyLock;

use kuraka_app::calendar;
use kuraka_registry::dataset::named;
use kuraka_registry::{DatasetImport, NoProgress, Origin, SourceFile, import_dataset};
use kuraka_sandbox::sample;
use tempfile::TempDir;

use crate::app::{REGISTRY, import, now};

static IMPORTED: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), sample::PADRON, None, Origin::Sample);
    for piece in sample::datasets().unwrap() {
        let path = folder.path().join(piece.file_name);
        std::fs::write(&path, piece.bytes).unwrap();
        let source = SourceFile::local(path);
        let request = DatasetImport {
            source,
            date: None,
            served_on: None,
            today: calendar::today(now()),
            origin: Origin::Sample,
            force: true,
        };
        let dataset = named(piece.dataset).unwrap();
        import_dataset(&folder.path().join(REGISTRY), dataset, &request, &NoProgress).unwrap();
    }
    folder
});

/// The folder of its editions.
pub(crate) fn registry() -> PathBuf {
    IMPORTED.path().join(REGISTRY)
}
