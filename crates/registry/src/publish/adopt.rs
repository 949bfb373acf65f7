//! Publishes an edition that another machine has built.
//!
//! Every byte of the file is verified, and the guards of an import apply: an edition that shrank, is older or was
//! rolled back is refused. Only the sequence number, its position among this folder's publications, is rewritten.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use kuraka_domain::Date;

use super::adopt_error::AdoptError;
use super::guard::Guard;
use super::guards::{self, Comparison, Guards, Refusal, SAMPLED};
use super::label::is_label;
use super::publish_result::PublishResult;
use crate::changes::{self, Compared, Recorded};
use crate::checksum::{Checksum, checksum_of, hex};
use crate::dataset::PADRON;
use crate::edition::evenly;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder, RolledBack, copy, doing, next_sequence, open_best, publish, unfinished};
use crate::format::codes;
use crate::format::header::{Header, Identity};
use crate::{EditionError, List, OpenEdition};

/// The result of a successful adoption.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Whether there is a new edition.
    pub outcome: PublishResult,
    /// The edition's label.
    pub label: String,
    /// The edition's date.
    pub date: Date,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Guards that refused and were overridden.
    pub forced: Vec<Guard>,
    /// Label of the edition that was current before.
    pub previous: Option<String>,
    /// The recorded changes since that edition; `None` = there was none before, or nothing was published.
    pub changes: Option<Recorded>,
}

/// The result of examining a file.
struct Examined {
    adoption: Adoption,
    edition: OpenEdition,
    current: Option<OpenEdition>,
}

/// Makes the edition in `file` the current one of the registry in `folder`, which is created if it does not exist. The
/// file is moved there, so it must be on the same file system. A refused file is moved back. With a `checksum`, the
/// file must match it.
///
/// A crash at any moment leaves the previous edition or the new one, complete.
///
/// # Errors
/// [`AdoptError`]; nothing was published.
pub fn adopt(folder: &Path, file: &Path, checksum: Option<Checksum>, force: bool) -> Result<Adoption, AdoptError> {
    adopt_on(&SystemDisk, folder, Take::Move(file), checksum, force)
}

/// How the file of an edition comes into the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Take<'a> {
    /// By a rename. A refused file is moved back.
    Move(&'a Path),
    /// As a copy.
    Copy(&'a Path),
}

pub(crate) fn adopt_on(
    disk: &dyn Disk,
    path: &Path,
    take: Take<'_>,
    checksum: Option<Checksum>,
    force: bool,
) -> Result<Adoption, AdoptError> {
    let folder = Folder::new(path);
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(AdoptError::Busy { folder: path.to_owned() }) };
    folder.remove_unfinished(disk)?;
    // Taken first, so that no other process changes the file between verification and publication.
    let aside = unfinished(&folder.edition("fetched"));
    match take {
        Take::Move(file) => doing("renaming", file, disk.rename(file, &aside))?,
        Take::Copy(file) => copy(disk, file, &aside)?,
    }
    let adopted = examine(&folder, &aside, checksum, force).and_then(|examined| {
        let Examined { mut adoption, edition, current } = examined;
        if adoption.outcome == PublishResult::Published {
            let identity = renumber(disk, &aside, next_sequence(&folder)?, AdoptError::Edition)?;
            if let Some(current) = &current {
                adoption.changes =
                    Some(changes::record(disk, &folder, current.name(), Ok(current), &edition, &identity)?);
            }
            publish(&folder, disk, &aside, &adoption.label)?;
        }
        Ok(adoption)
    });
    if aside.exists() {
        // If this fails, the next publication removes the file.
        let _ = match take {
            Take::Move(file) => disk.rename(&aside, file),
            Take::Copy(_) => disk.remove(&aside),
        };
    }
    adopted
}

/// The effect that publishing this file would have.
fn examine(folder: &Folder, file: &Path, checksum: Option<Checksum>, force: bool) -> Result<Examined, AdoptError> {
    if let Some(wanted) = checksum {
        let found = doing("reading", file, checksum_of(file))?;
        if found != wanted {
            return Err(AdoptError::Checksum { found: hex(&found), wanted: hex(&wanted) });
        }
    }
    let edition = OpenEdition::open_adopted(file).map_err(AdoptError::Edition)?;
    let label = edition.label().to_owned();
    if !is_label(&label) {
        return Err(AdoptError::Label { label });
    }
    let current = open_best::<OpenEdition>(folder, ())?.edition;
    let previous = current.as_ref().map(|current| current.label().to_owned());
    let (rows, date) = (edition.rows(), edition.meta().date);
    let is_current =
        |current: &OpenEdition| current.label() == label && edition.contents().is_that_of(current.contents());
    if current.as_ref().is_some_and(is_current) && !force {
        let (outcome, forced) = (PublishResult::Unchanged, Vec::new());
        let adoption = Adoption { outcome, label, date, rows, forced, previous, changes: None };
        return Ok(Examined { adoption, edition, current });
    }
    let mut guards = Guards::new(PADRON.name, force);
    judge(&edition, current.as_ref(), &mut guards)?;
    let made_from = |edition: &OpenEdition| edition.meta().padron.sha256.clone();
    let replaced = current.as_ref().map(made_from);
    let from = RolledBack::of(folder)?;
    guards.object(guards::rolled_back(&label, &made_from(&edition), replaced.as_deref(), &from))?;
    let (outcome, forced) = (PublishResult::Published, guards.forced);
    let adoption = Adoption { outcome, label, date, rows, forced, previous, changes: None };
    Ok(Examined { adoption, edition, current })
}

/// The guards of an import, as far as they apply to a finished edition.
fn judge(edition: &OpenEdition, current: Option<&OpenEdition>, guards: &mut Guards) -> Result<(), Refusal> {
    guards.object(guards::no_rows(edition.rows()))?;
    let Some(current) = current else { return Ok(()) };
    let (new, old) = (edition.meta(), current.meta());
    if new.origin != old.origin {
        return guards.object(guards::sample_over_published(new.origin, current.label()));
    }
    guards.object(guards::older(new.date, old.date))?;
    guards.object(guards::shrunk(PADRON.guards, edition.rows(), current.rows()))?;
    let sample = evenly(current.rows(), SAMPLED).filter_map(|ordinal| current.row(ordinal).ok().flatten());
    let mut found = Comparison::default();
    for old in sample {
        found.sampled += 1;
        if let Ok(Some(new)) = edition.lookup(old.ruc) {
            found.present += 1;
            found.changed += u64::from(codes::state(&new) != codes::state(&old));
        }
    }
    guards.object(guards::keys_gone(found, guards::PADRON_KEYS_KEPT))?;
    guards.object(guards::values_changed(found))?;
    for list in List::ALL {
        let is_gone = old.lists.contains_key(&list) && new.lists.get(&list).is_none_or(|list| list.count == 0);
        guards.object(is_gone.then(|| Guard::EmptyList { name: format!("of {}", list.title) }))?;
    }
    Ok(())
}

/// Replaces the sequence number of the folder that built the edition by this folder's next one. Returns the identity
/// that the file has then.
pub(crate) fn renumber<E: From<FileError>>(
    disk: &dyn Disk,
    path: &Path,
    sequence: u64,
    damaged: impl Fn(EditionError) -> E,
) -> Result<Identity, E> {
    let mut file = doing("opening", path, File::options().read(true).write(true).open(path))?;
    let mut front = Vec::new();
    doing("reading", path, (&mut file).take(Header::LONGEST).read_to_end(&mut front))?;
    let (header, _) = Header::decode(&front).map_err(&damaged)?;
    let renumbered = Header { sequence, ..header }.encode();
    doing("writing", path, disk.write_front(&mut file, &renumbered))?;
    doing("syncing", path, disk.sync(&file))?;
    Ok(Header::decode(&renumbered).map_err(damaged)?.1)
}
