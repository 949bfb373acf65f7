//! The registry of the bundled sample with a piece of every dataset, imported once for all tests, and changes of a
//! server's registry.

use std::fs::File;
use std::path::PathBuf;
use std::sync::LazyLock;

use kuraka_adapters::datasets::exchange_rates::write_sample;
use kuraka_domain::{Date, EditionOrigin};
use kuraka_registry::dataset::{Dataset, named};
use kuraka_sandbox::sample;
use tempfile::TempDir;

use crate::app::{App, REGISTRY, publish};

static IMPORTED: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for piece in sample::datasets().unwrap() {
        let dataset = named(piece.dataset).unwrap();
        publish(folder.path(), dataset, (piece.file_name, &piece.bytes), None, EditionOrigin::Sample);
    }
    write_sample(&folder.path().join(REGISTRY), sample::EXCHANGE_RATE_SERIES, sample::EXCHANGE_RATE_TEXTS).unwrap();
    folder
});

/// The folder of its editions.
pub(crate) fn registry() -> PathBuf {
    IMPORTED.path().join(REGISTRY)
}

/// Publishes the sample's piece of a dataset in a server's registry.
pub(crate) fn publish_sample(app: &App, dataset: &'static Dataset) {
    publish_piece(app, dataset, None, EditionOrigin::Sample);
}

/// As [`publish_sample`], as the publisher's file of this day.
pub(crate) fn publish_dated(app: &App, dataset: &'static Dataset, date: Date) {
    publish_piece(app, dataset, Some(date), EditionOrigin::Published);
}

fn publish_piece(app: &App, dataset: &'static Dataset, date: Option<Date>, origin: EditionOrigin) {
    let piece = sample::datasets().unwrap().into_iter().find(|piece| piece.dataset == dataset.name).unwrap();
    let registry = app.registry_dir();
    let folder = registry.ancestors().nth(2).unwrap();
    publish(folder, dataset, (piece.file_name, &piece.bytes), date, origin);
    app.refresh();
}

/// Empties the file of a dataset's current edition while the server answers from it.
pub(crate) fn truncate(app: &App, dataset: &'static Dataset) {
    let kept = kuraka_registry::editions(&app.registry_dir(), dataset).unwrap();
    let current = kept.into_iter().find(|kept| kept.current).unwrap();
    File::options().write(true).open(current.path).unwrap().set_len(0).unwrap();
    drop(app.registry.replace_damaged());
}
