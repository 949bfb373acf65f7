//! The registry of the bundled sample with a piece of every dataset, imported once for all tests.

use std::path::PathBuf;
use std::sync::LazyLock;

use kuraka_registry::Origin;
use kuraka_registry::dataset::named;
use kuraka_sandbox::sample;
use tempfile::TempDir;

use crate::app::{REGISTRY, publish};

static IMPORTED: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for piece in sample::datasets().unwrap() {
        let dataset = named(piece.dataset).unwrap();
        publish(folder.path(), dataset, (piece.file_name, &piece.bytes), None, Origin::Sample);
    }
    folder
});

/// The folder of its editions.
pub(crate) fn registry() -> PathBuf {
    IMPORTED.path().join(REGISTRY)
}
