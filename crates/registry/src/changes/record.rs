//! Records the changes of a publication.

use std::io;
use std::path::PathBuf;

use kuraka_domain::Ruc;

use super::compare::{common_fields, compare};
use super::facts::{Counts, EditionName, ListFacts};
use super::file_name::FileName;
use super::stop::ComparisonStop;
use super::writer::{self, ListWriter};
use crate::Edition;
use crate::folder::disk::Disk;
use crate::folder::{FileError, Folder, doing};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedList {
    pub path: PathBuf,
    pub bytes: u64,
    pub counts: Counts,
    /// Why the editions could not be compared; there are no changes then.
    pub gap: Option<String>,
}

/// Writes the change list of the publication that makes `to` current in place of `from`. `old` and `new` are the opened
/// editions; the error says why the old one cannot be compared.
///
/// Call it before the edition `to` becomes current: no reader opens the list of an edition that is not current.
pub(crate) fn record(
    disk: &dyn Disk,
    folder: &Folder,
    (from, to): (&EditionName, &EditionName),
    (old, new): (Result<&Edition, String>, &Edition),
    is_rollback: bool,
) -> Result<RecordedList, FileError> {
    let name = FileName { number: to.number, from: from.label.clone(), to: to.label.clone() };
    let path = folder.changes().join(name.text());
    let common = old.as_ref().map_or_else(|_| Vec::new(), |old| common_fields(old, new));
    let fields = if common.is_empty() { new.field_names() } else { common };
    let mut facts = ListFacts {
        dataset: new.dataset().name.to_owned(),
        from: from.clone(),
        to: to.clone(),
        fields: fields.into_iter().map(str::to_owned).collect(),
        counts: Counts::default(),
        is_rollback,
        gap: None,
    };
    let forgotten = folder.forgotten()?;
    let mut written = writer::write(disk, &path, facts.clone(), |writer| write(old, new, &forgotten, writer));
    if let Err(ComparisonStop::Gap(reason)) = written {
        facts.gap = Some(reason);
        written = writer::write(disk, &path, facts.clone(), |_| Ok(()));
    }
    match written {
        Ok((counts, bytes)) => Ok(RecordedList { path, bytes, counts, gap: facts.gap }),
        Err(ComparisonStop::File(error)) => Err(error),
        Err(ComparisonStop::Gap(reason)) => doing("writing", &path, Err(io::Error::other(reason))),
    }
}

/// Writes all changes but those of forgotten persons.
fn write(
    old: Result<&Edition, String>,
    new: &Edition,
    forgotten: &[Ruc],
    writer: &mut ListWriter<'_, '_>,
) -> Result<(), ComparisonStop> {
    let old = old.map_err(ComparisonStop::Gap)?;
    if old.meta().origin != new.meta().origin {
        return Err(ComparisonStop::Gap("the sample and published data are not compared".to_owned()));
    }
    if common_fields(old, new).is_empty() {
        return Err(ComparisonStop::Gap("the editions have no field in common".to_owned()));
    }
    compare(old, new, |change| match forgotten.binary_search(&change.ruc) {
        Ok(_) => Ok(()),
        Err(_) => writer.push(change),
    })
}
