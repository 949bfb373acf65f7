//! Editions in the folder of a server under test, made as the commands make them.

use std::path::Path;
use std::sync::LazyLock;

use kuraka_app::calendar;
use kuraka_domain::{Date, EditionOrigin};
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};
use kuraka_registry::{Import, NoProgress, SourceFile};
use kuraka_sandbox::sample;

use crate::app::now;
use crate::imported::Files;

/// The folder of the editions within the folder of a server.
pub(crate) const REGISTRY: &str = "data/registry";

/// The registry folder after an import of the sample. Imported once, because an import takes longer than most tests.
pub(crate) static SAMPLE: LazyLock<Files> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), sample::PADRON, None, EditionOrigin::Sample);
    Files::read(&folder.path().join(REGISTRY))
});

/// Publishes a padrón and the lists of the sample.
pub(crate) fn import(folder: &Path, padron: &[u8], date: Option<Date>, origin: EditionOrigin) {
    publish(folder, &RETENCION, ("AgenRet_TXT.txt", sample::WITHHOLDING), date, origin);
    publish(folder, &BUENOS_CONTRIBUYENTES, ("BueCont_TXT.txt", sample::GOOD_TAXPAYERS), date, origin);
    publish(folder, &PADRON, ("padron_reducido_ruc.txt", padron), date, origin);
}

/// Publishes a dataset's file in the registry below `folder`.
pub(crate) fn publish(
    folder: &Path,
    dataset: &'static Dataset,
    (name, bytes): (&str, &[u8]),
    date: Option<Date>,
    origin: EditionOrigin,
) {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    let request = Import { date, origin, ..Import::new(SourceFile::local(path), calendar::today(now())) };
    kuraka_registry::import(&folder.join(REGISTRY), dataset, &request, &NoProgress).unwrap();
}
