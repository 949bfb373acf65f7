//! Records the changes of a publication.

use std::path::PathBuf;

use super::compare::{common_fields, compare};
use super::facts::{Counts, EditionName, ListFacts};
use super::file_name::FileName;
use super::stop::Stop;
use super::writer::ListWriter;
use crate::Edition;
use crate::checksum::parse_checksum;
use crate::folder::disk::Disk;
use crate::folder::{FileError, Folder, move_into_place, unfinished};

/// The list of changes that was written for a publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its changes.
    pub counts: Counts,
    /// Why the editions could not be compared, so that the list has no changes.
    pub gap: Option<String>,
}

/// Writes the list of changes of the publication that makes the edition `to` the current one in place of `from`, and moves
/// it into place. `old` and `new` are the opened editions; the error is the reason why the old one cannot be compared.
///
/// Call it before `to` becomes the current edition: until then nobody reads the list.
pub(crate) fn record(
    disk: &dyn Disk,
    folder: &Folder,
    (from, to): (&EditionName, &EditionName),
    (old, new): (Result<&Edition, String>, &Edition),
    is_rollback: bool,
) -> Result<Recorded, FileError> {
    let name = FileName { number: to.number, from: from.label.clone(), to: to.label.clone() };
    let path = folder.changes().join(name.text());
    let aside = unfinished(&path);
    let write = || {
        let mut writer = ListWriter::create(disk, &aside)?;
        let fields = old.as_ref().map_or_else(|_| new.field_names(), |old| common_fields(old, new));
        let gap = match write(old, new, &mut writer) {
            Ok(()) => None,
            Err(Stop::File(error)) => return Err(error),
            Err(Stop::Gap(reason)) => {
                writer = ListWriter::create(disk, &aside)?;
                Some(reason)
            }
        };
        let fields = if fields.is_empty() { new.field_names() } else { fields };
        let facts = ListFacts {
            dataset: new.dataset().name.to_owned(),
            from: from.clone(),
            to: to.clone(),
            fields: fields.into_iter().map(str::to_owned).collect(),
            counts: Counts::default(),
            is_rollback,
            gap: gap.clone(),
        };
        let parent = parse_checksum(&from.identity).unwrap_or_default();
        let (counts, bytes) = writer.finish(to.number, parent, facts)?;
        move_into_place(disk, &aside, &path)?;
        Ok((counts, bytes, gap))
    };
    match write() {
        Ok((counts, bytes, gap)) => Ok(Recorded { path, bytes, counts, gap }),
        Err(error) => {
            // A rollback goes on without its list, and may need the room.
            let _ = disk.remove(&aside);
            Err(error)
        }
    }
}

/// Writes every change.
fn write(old: Result<&Edition, String>, new: &Edition, writer: &mut ListWriter<'_>) -> Result<(), Stop> {
    let old = old.map_err(Stop::Gap)?;
    if old.meta().origin != new.meta().origin {
        return Err(Stop::Gap("the sample and published data are not compared".to_owned()));
    }
    if common_fields(old, new).is_empty() {
        return Err(Stop::Gap("the editions have no field in common".to_owned()));
    }
    compare(old, new, |change| writer.push(change))
}
