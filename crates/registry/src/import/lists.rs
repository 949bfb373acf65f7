//! The lists of a new edition of the padrón: those that have an edition of their own, and the parent's for the others.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::ImportError;
use super::parent::Parent;
use crate::checksum::{Checksum, parse_checksum};
use crate::folder::{Folder, open_best};
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
}

impl FlaggedLists {
    /// The lists of `origin` in the registry, else the parent's, so that an import without a list does not turn every
    /// SI into NO.
    pub(crate) fn of(registry: &Path, origin: Origin, parent: Option<&Parent>) -> Result<Self, ImportError> {
        let mut lists = parent
            .map(|parent| Self {
                row_ids: parent.lists.clone(),
                metas: parent.list_metas.clone(),
                checksums: Vec::new(),
            })
            .unwrap_or_default();
        for list in List::ALL {
            let folder = Folder::of(registry, list.dataset());
            let edition = open_best::<DatasetEdition>(&folder, list.dataset())?.edition;
            if let Some(edition) = edition.filter(|edition| edition.meta().origin == origin) {
                lists.take(list, &edition);
            }
        }
        Ok(lists)
    }

    /// Takes the list from its own edition, unless that turns out to be damaged.
    fn take(&mut self, list: List, edition: &DatasetEdition) {
        let row_ids: Result<Vec<u32>, _> = edition.iter_rucs().map(|ruc| ruc.map(row_id_of)).collect();
        let Ok(row_ids) = row_ids else { return };
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
    }
}
