//! Opens a history file: checks every byte, then decodes every section.

use std::path::{Path, PathBuf};

use super::event::Codec;
use super::facts::Facts;
use super::file::History;
use crate::dataset::Dataset;
use crate::edition::Container;
use crate::folder::Folder;
use crate::format::EditionError;
use crate::format::header::{META, Magic};

/// The first eight bytes.
pub(super) const MAGIC: Magic = *b"\x89KURHIS\n";
/// Memory that an open history takes at most, in tenths of its file's length. A young one is little but words.
const MEMORY: usize = 40;
/// Bytes of the longest facts that are read: editions of ten years.
const LONGEST_FACTS: usize = 1 << 20;

impl History {
    /// Opens and verifies the history of `dataset` in the registry in `registry`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused. [`EditionError::Io`] if there
    /// is none.
    pub fn open(registry: &Path, dataset: &'static Dataset) -> Result<Self, EditionError> {
        Self::open_file(dataset, &Folder::of(registry, dataset).history())
    }

    /// As [`History::open`], of the file at `path`.
    pub(super) fn open_file(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let (container, facts) = Container::open((MAGIC, MEMORY), path, |container| {
            container.section(META, |section| read_facts(section, dataset))
        })?;
        let codec = Codec::of(dataset.history.unwrap_or_default().iter().copied());
        Ok(Self { container, facts, codec })
    }

    /// The path of the file of `dataset` in the registry in `registry`, whether it exists or not.
    #[must_use]
    pub fn path(registry: &Path, dataset: &'static Dataset) -> PathBuf {
        Folder::of(registry, dataset).history()
    }
}

fn read_facts(section: &[u8], dataset: &'static Dataset) -> Option<Facts> {
    (section.len() <= LONGEST_FACTS).then_some(())?;
    let facts: Facts = serde_json::from_slice(section).ok()?;
    let is_of_dataset = facts.dataset == dataset.name && dataset.history.is_some_and(|fields| facts.fields == fields);
    (is_of_dataset && !facts.editions.is_empty()).then_some(facts)
}
