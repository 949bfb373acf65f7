//! Records the changes of a publication.

use std::path::PathBuf;

use super::compare::{common_fields, compare};
use super::facts::{Counts, EditionName, ListFacts};
use super::file_name::FileName;
use super::kept::{current, lists, take_orphans};
use super::stop::Stop;
use super::writer::ListWriter;
use crate::Edition;
use crate::checksum::parse_checksum;
use crate::folder::disk::Disk;
use crate::folder::{FileError, Folder, absent_is_none, doing, move_into_place, unfinished};

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

/// Writes the list of changes from the edition `from` to `new`, and moves it into place. `old` is the opened edition `from`, or the reason why it cannot be compared.
///
/// Call it before `new` becomes the current edition. If that does not happen, the next call removes the list.
pub(crate) fn record(
    disk: &dyn Disk,
    folder: &Folder,
    from: EditionName,
    old: Result<&Edition, String>,
    new: &Edition,
) -> Result<Recorded, FileError> {
    let mut kept = lists(folder)?;
    let number = kept.last().map_or(1, |last| last.name.number.saturating_add(1));
    for orphan in take_orphans(folder, current(folder)?.as_ref(), &mut kept)? {
        doing("removing", &orphan.path, absent_is_none(disk.remove(&orphan.path)))?;
    }
    let to = new.name();
    let name = FileName { number, from: from.label.clone(), to: to.label.clone() };
    let path = folder.changes().join(name.text());
    let aside = unfinished(&path);
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
    let parent = parse_checksum(&from.identity).unwrap_or_default();
    let facts = ListFacts {
        dataset: new.dataset().name.to_owned(),
        from,
        to,
        fields: if fields.is_empty() { new.field_names() } else { fields }.into_iter().map(str::to_owned).collect(),
        counts: Counts::default(),
        gap,
    };
    let gap = facts.gap.clone();
    let (counts, bytes) = writer.finish(number, parent, facts)?;
    move_into_place(disk, &aside, &path)?;
    Ok(Recorded { path, bytes, counts, gap })
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
