//! The lists of a new edition of the padrón: those that have an edition of their own, and the parent's for the others.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::ImportError;
use super::parent::Parent;
use crate::checksum::{Checksum, parse_checksum};
use crate::folder::{Folder, OpenReport, open_best};
use crate::format::lists::Lists;
use crate::row_id::row_id_of;
use crate::{DatasetEdition, List, ListMeta, Origin};

/// The lists of an edition of the padrón.
#[derive(Debug, Default)]
pub(crate) struct FlaggedLists {
    pub(crate) row_ids: Lists,
    pub(crate) metas: BTreeMap<List, ListMeta>,
    /// Checksums of the files of the lists that have an edition of their own.
    pub(crate) checksums: Vec<Checksum>,
    /// Names of those whose current edition is damaged.
    pub(crate) damaged: Vec<&'static str>,
}

impl FlaggedLists {
    /// The lists of `origin` in the registry, else the parent's, so that an import without a list does not turn every
    /// SI into NO.
    pub(crate) fn of(registry: &Path, origin: Origin, parent: Option<&Parent>) -> Result<Self, ImportError> {
        let mut lists = parent
            .map(|parent| Self { row_ids: parent.lists.clone(), metas: parent.list_metas.clone(), ..Self::default() })
            .unwrap_or_default();
        for list in List::ALL {
            let folder = Folder::of(registry, list.dataset());
            let OpenReport { edition, skipped } = open_best::<DatasetEdition>(&folder, list.dataset())?;
            let edition = edition.filter(|edition| edition.meta().origin == origin);
            let is_taken = edition.is_none_or(|edition| lists.take(list, &edition));
            if !is_taken || !skipped.is_empty() {
                lists.damaged.push(list.dataset().name);
            }
        }
        Ok(lists)
    }

    /// Takes the list from its own edition; false = that turns out to be damaged.
    fn take(&mut self, list: List, edition: &DatasetEdition) -> bool {
        let row_ids: Result<Vec<u32>, _> = edition.iter_rucs().map(|ruc| ruc.map(row_id_of)).collect();
        let rises = |row_ids: &Vec<u32>| row_ids.is_sorted_by(|a, b| a < b);
        let Some(row_ids) = row_ids.ok().filter(rises) else { return false };
        let meta = edition.meta();
        self.checksums.extend(parse_checksum(&meta.source.sha256));
        self.metas.insert(
            list,
            ListMeta {
                source: meta.source.clone(),
                count: meta.rucs,
                skipped: meta.rejected,
                edition: meta.label.clone(),
            },
        );
        self.row_ids.insert(list, row_ids);
        true
    }
}
