//! The lists of a new edition: those in the request, and the previous edition's for the others.

use std::collections::BTreeMap;

use super::error::ImportError;
use super::parent::Parent;
use super::read_list::{ReadList, read_list};
use super::request::SourceFile;
use crate::checksum::Checksum;
use crate::format::lists::Lists;
use crate::publish::guards::Guards;
use crate::{Guard, List, ListMeta};

/// The lists of a request, read.
pub(crate) struct GivenLists(BTreeMap<List, ReadList>);

impl GivenLists {
    /// Reads the files. A guard refuses an empty list.
    pub(crate) fn read(files: &BTreeMap<List, SourceFile>, guards: &mut Guards) -> Result<Self, ImportError> {
        let read = files.iter().map(|(&list, file)| Ok((list, read_list(file)?)));
        let lists: BTreeMap<List, ReadList> = read.collect::<Result<_, ImportError>>()?;
        for list in lists.values().filter(|list| list.row_ids.is_empty()) {
            guards.object(Some(Guard::EmptyList { name: list.meta.source.version.name.clone() }))?;
        }
        Ok(Self(lists))
    }

    pub(crate) fn checksums(&self) -> Vec<Checksum> {
        self.0.values().map(|list| list.sha256).collect()
    }

    /// The lists of the new edition: those in the request, else the parent's, so that an import without a list does not
    /// turn every SI into NO.
    pub(crate) fn over(self, parent: Option<&Parent>, label: &str) -> (Lists, BTreeMap<List, ListMeta>) {
        let (mut lists, mut metas) =
            parent.map(|parent| (parent.lists.clone(), parent.list_metas.clone())).unwrap_or_default();
        for (list, read) in self.0 {
            lists.insert(list, read.row_ids);
            metas.insert(list, ListMeta { edition: label.to_owned(), ..read.meta });
        }
        (lists, metas)
    }
}
