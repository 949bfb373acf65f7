//! The edition that a published file is compared with.

use std::path::Path;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::{DatasetEdition, FileVersion, OpenEdition};

use super::error::UpdateError;
use super::note::Note;
use crate::address::without_secrets;
use crate::registry::beside_calls::beside_calls;

/// A current edition that is intact and has every field.
pub(super) struct Current {
    label: String,
    /// The file that it was made from.
    version: FileVersion,
}

impl Current {
    /// The version of the file at `url` that this edition was made from, as far as it is known. The note is of a
    /// download from there.
    pub(super) fn made_from(&self, url: &str, note: Option<&Note>) -> Option<FileVersion> {
        let noted = note.filter(|note| note.label.as_ref() == Some(&self.label)).map(|note| &note.version);
        // An edition names the file's address without secrets, unless an earlier version of the program made it.
        let own = Some(&self.version).filter(|version| without_secrets(&version.name) == without_secrets(url));
        noted.or(own).map(|version| FileVersion { name: url.to_owned(), ..version.clone() })
    }

    /// Whether it was made from a file with the same name, which was perhaps not fetched from there.
    pub(super) fn is_of_file(&self, url: &str) -> bool {
        file_name(&self.version.name) == file_name(url)
    }
}

fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

/// The current edition of a dataset; `None` = there is none, or its file has to be imported again: because it is damaged,
/// or because this version reads more fields than the one that built it.
pub(super) async fn current(registry: &Path, dataset: &'static Dataset) -> Result<Option<Current>, UpdateError> {
    let registry = registry.to_owned();
    let reading = move || {
        let kept = kuraka_registry::dataset_editions(&registry, dataset)?.into_iter().find(|kept| kept.current);
        let usable = kept.filter(|kept| is_usable(dataset, &kept.path));
        Ok(usable.map(|kept| Current { label: kept.meta.label, version: kept.meta.source.version }))
    };
    beside_calls(reading).await.map_err(UpdateError::Stopped)?.map_err(UpdateError::Editions)
}

/// Whether an edition's file can be opened and has every field. Reads all of it.
fn is_usable(dataset: &'static Dataset, path: &Path) -> bool {
    if dataset.is_padron() {
        return OpenEdition::open(path).is_ok();
    }
    DatasetEdition::open(dataset, path).is_ok_and(|edition| edition.has_all_fields())
}
