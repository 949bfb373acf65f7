//! Reads change lists.

use std::path::Path;

use kuraka_domain::Ruc;

use super::change::Change;
use super::codec;
use super::facts::{Counts, ListFacts};
use crate::block_file::{BlockError, BlockFile, FileKind};
use crate::row_id::{row_id_of, ruc_at};

pub(super) const KIND: FileKind = FileKind { magic: *b"\x89KURCHG\n", name: "change list" };

#[derive(Debug)]
pub struct ChangeList {
    file: BlockFile,
    facts: ListFacts,
    is_reversed: bool,
}

impl ChangeList {
    /// Opens and verifies the list, reading all of it.
    ///
    /// # Errors
    /// [`BlockError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, BlockError> {
        let (file, facts) = BlockFile::open(path, KIND)?;
        Ok(Self { file, facts, is_reversed: false })
    }

    /// Opens the list without its changes: each block is verified when it is read.
    ///
    /// # Errors
    /// [`BlockError`] if anything but a block is damaged.
    pub fn open_front(path: &Path) -> Result<Self, BlockError> {
        let (file, facts) = BlockFile::open_index(path, KIND)?;
        Ok(Self { file, facts, is_reversed: false })
    }

    pub const fn facts(&self) -> &ListFacts {
        &self.facts
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// By rising row id: by prefix of the RUC, then by number. A block that cannot be read is an error.
    pub fn changes(&self) -> impl Iterator<Item = Result<Change, BlockError>> {
        (0..self.blocks()).flat_map(|block| {
            let (changes, error) =
                self.block(block).map_or_else(|error| (Vec::new(), Some(error)), |found| (found, None));
            changes.into_iter().map(Ok).chain(error.map(Err))
        })
    }

    pub const fn blocks(&self) -> usize {
        self.file.count()
    }

    /// The taxpayer of a block's first change; `None` = there is no such block.
    pub fn first(&self, block: usize) -> Option<Ruc> {
        self.file.first(block).and_then(ruc_at)
    }

    /// A block's changes, by rising row id.
    ///
    /// # Errors
    /// [`BlockError`].
    pub fn block(&self, block: usize) -> Result<Vec<Change>, BlockError> {
        let change = |(row_id, mut bytes): (u32, &[u8])| {
            let kind = codec::decode(&mut bytes, self.facts.fields.len()).filter(|_| bytes.is_empty())?;
            let change = Change { ruc: ruc_at(row_id)?, kind };
            Some(if self.is_reversed { change.reversed() } else { change })
        };
        let changes = self.file.block(block)?.rows().map(change).collect::<Option<_>>();
        changes.ok_or_else(|| self.file.damaged("a change cannot be read"))
    }

    pub(super) fn has(&self, ruc: Ruc) -> Result<bool, BlockError> {
        Ok(self.file.get(row_id_of(ruc))?.is_some())
    }

    /// The changes back to the previous edition. A new taxpayer's rows are there only if the list has them.
    pub(super) fn reversed(self) -> Self {
        let ListFacts { from, to, counts, .. } = self.facts.clone();
        let counts = Counts { new: counts.gone, gone: counts.new, ..counts };
        let facts = ListFacts { from: to, to: from, counts, is_rollback: true, ..self.facts };
        Self { facts, is_reversed: !self.is_reversed, ..self }
    }
}

/// Its changes are not verified.
pub(crate) fn facts(path: &Path) -> Result<ListFacts, BlockError> {
    Ok(ChangeList::open_front(path)?.facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_file;
    use crate::changes::EditionName;
    use crate::folder::disk::SystemDisk;

    #[test]
    fn bytes_that_are_not_exactly_one_change_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        let date = kuraka_domain::Date::new(2026, 11, 20).unwrap();
        let edition = EditionName { number: 1, label: String::new(), date, identity: String::new(), taxpayers: 0 };
        let facts = ListFacts {
            dataset: String::new(),
            from: edition.clone(),
            to: edition,
            fields: Vec::new(),
            counts: Counts::default(),
            is_rollback: false,
            gap: None,
        };
        let read = |change: &[u8]| {
            let written = block_file::write(&SystemDisk, &path, KIND, |rows| rows.push(0, change).map(|()| &facts));
            written.unwrap();
            ChangeList::open(&path).unwrap().changes().collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(read(&[0]).unwrap().len(), 1);
        // Nothing; a byte more; a field that there is not.
        for change in [&[][..], &[0, 0], &[1 << 2 | 2, 5, 0, 0]] {
            let error = read(change).unwrap_err().to_string();
            assert!(error.ends_with("a change cannot be read"), "{change:?}: {error}");
        }
    }
}
