//! The steps of an import: read the files, apply the guards, write the edition, verify it, publish it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use kuraka_domain::Date;

use super::build::{Build, Built};
use super::error::ImportError;
use super::lists::FlaggedLists;
use super::padron;
use super::parent::Parent;
use super::progress::{Progress, Stage};
use super::report::{DateOrigin, ImportReport};
use super::request::ImportRequest;
use super::source::{Complete, Kind, Source};
use super::vocabulary::Vocabulary;
use crate::changes::{self, Compared, EditionName, Recorded};
use crate::checksum::{Checksum, hex};
use crate::dataset::PADRON;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{self, Folder, RolledBack, doing, next_sequence, open_best, replace, unfinished};
use crate::publish::guards::{self, Guards};
use crate::publish::label::label;
use crate::{List, ListMeta, Meta, OpenEdition, Origin, PublishResult};

/// No padrón is older; an earlier date in a zip is ignored.
const FIRST_YEAR: u16 = 2000;

/// Builds an edition from the file of `request` and makes it the current one of the registry in `folder`, which is
/// created if it does not exist. The lists are those of the registry: import their datasets first.
///
/// A crash at any moment leaves the previous edition or the new one, complete.
///
/// # Errors
/// [`ImportError`]; nothing was published and the current edition stays. Exception: if the last step, syncing the
/// folder, fails, the new edition may be current although an error is returned.
pub fn import(folder: &Path, request: &ImportRequest, progress: &dyn Progress) -> Result<ImportReport, ImportError> {
    import_on(&SystemDisk, folder, request, progress)
}

/// As [`import`], on a given disk.
pub(crate) fn import_on(
    disk: &dyn Disk,
    path: &Path,
    request: &ImportRequest,
    progress: &dyn Progress,
) -> Result<ImportReport, ImportError> {
    let folder = Folder::new(path);
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(ImportError::Busy { folder: path.to_owned() }) };
    folder.remove_unfinished(disk)?;
    let mut guards = Guards::new(PADRON.name, request.force);
    let current = open_best::<OpenEdition>(&folder, ())?.edition;
    let before = current.as_ref().map(Compared::name);
    let replaced = current.as_ref().map(|current| current.meta().clone());
    let made_from = replaced.as_ref().map(|replaced| replaced.padron.sha256.clone());
    let (parent, vocabulary) = parent_of(current, request.origin, &mut guards)?;

    let lists = FlaggedLists::of(path, request.origin, parent.as_ref())?;

    progress.stage(Stage::Reading);
    let name = &request.padron.version.name;
    let read = AtomicU64::new(0);
    let source = Source::open(&request.padron.path, Kind::Padron, &read)
        .map_err(|source| ImportError::Source { name: name.clone(), source })?;
    let (date, date_origin) = date_of(request, source.entry_date);
    guards.object(parent.as_ref().and_then(|parent| guards::older(date, parent.date)))?;
    let bytes = source.bytes;
    let rows = padron::read(source, vocabulary, name, &read, progress)?;
    let Complete { sha256, text_bytes } = rows.complete;

    let label = label(date, sha256, &lists.checksums);
    let same = replaced.filter(|replaced| !request.force && is_same(replaced, request.origin, &sha256, &lists.metas));
    let mut report = ImportReport {
        outcome: PublishResult::Unchanged,
        label: label.clone(),
        date,
        date_origin,
        rows: rows.accepted,
        skipped: rows.skipped,
        rejections: rows.rejects.counts,
        rejects_file: None,
        lists: lists.metas,
        damaged_lists: lists.damaged,
        forced: Vec::new(),
        text_bytes,
        index_bytes: 0,
        previous: before.as_ref().map(|before| before.label.clone()),
        changes: None,
    };
    if let Some(same) = same.filter(|same| same.label == label || date_origin != DateOrigin::Request) {
        return Ok(ImportReport { label: same.label, date: same.date, rows: same.rows, lists: same.lists, ..report });
    }
    let from = RolledBack::of(&folder)?;
    guards.object(guards::rolled_back(&label, &hex(&sha256), made_from.as_deref(), &from))?;

    let aside = unfinished(&folder.edition(&label));
    let built =
        Build { disk, aside: &aside, request, lists: lists.row_ids, parent: parent.as_ref(), sha256, bytes, progress }
            .run(rows, guards, next_sequence(&folder)?, &mut report)
            .and_then(|built| publish(disk, &folder, &aside, built, before, &mut report, progress));
    if built.is_err() {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&aside);
    }
    built.map(|()| report)
}

/// Moves a verified file to its place and makes it current.
fn publish(
    disk: &dyn Disk,
    folder: &Folder,
    aside: &Path,
    built: Built,
    before: Option<EditionName>,
    report: &mut ImportReport,
    progress: &dyn Progress,
) -> Result<(), ImportError> {
    if let Some(before) = before {
        progress.stage(Stage::Changes);
        report.changes = Some(record_changes(disk, folder, before, &built.edition)?);
    }
    progress.stage(Stage::Publication);
    let rejects_path = folder.rejects_of(&report.label);
    if let Some(text) = built.rejects {
        replace(disk, &rejects_path, text.as_bytes())?;
        report.rejects_file = Some(rejects_path);
    } else if rejects_path.exists() {
        doing("removing", &rejects_path, disk.remove(&rejects_path))?;
    }
    folder::publish(folder, disk, aside, &report.label)?;
    report.outcome = PublishResult::Published;
    Ok(())
}

/// Records what changed since the edition `before`, which is opened again: it was closed during the import.
fn record_changes(
    disk: &dyn Disk,
    folder: &Folder,
    before: EditionName,
    new: &OpenEdition,
) -> Result<Recorded, ImportError> {
    // The pages of one edition at a time.
    new.contents().forget_pages();
    let old = OpenEdition::open(&folder.edition(&before.label)).map_err(|error| error.to_string());
    let old = old.and_then(|old| if old.name() == before { Ok(old) } else { Err("its file was replaced".to_owned()) });
    let old = old.inspect(|old| old.contents().forget_pages());
    let old = old.as_ref().map_err(|reason| format!("the edition before cannot be read: {reason}"));
    Ok(changes::record(disk, folder, before, old, new, &new.identity())?)
}

/// The parent edition and its dictionary. The sample and real data have nothing in common.
fn parent_of(
    current: Option<OpenEdition>,
    origin: Origin,
    guards: &mut Guards,
) -> Result<(Option<Parent>, Vocabulary), ImportError> {
    let Some(current) = current else { return Ok((None, Vocabulary::new())) };
    if current.meta().origin != origin {
        guards.object(guards::sample_over_published(origin, current.label()))?;
        return Ok((None, Vocabulary::new()));
    }
    let (parent, vocabulary) = Parent::new(&current)?;
    Ok((Some(parent), vocabulary))
}

/// Whether the edition with this metadata was made from the same padrón and has the same lists.
fn is_same(meta: &Meta, origin: Origin, padron: &Checksum, lists: &BTreeMap<List, ListMeta>) -> bool {
    let files = |lists: &BTreeMap<List, ListMeta>| -> Vec<(List, String)> {
        lists.iter().map(|(list, meta)| (*list, meta.source.sha256.clone())).collect()
    };
    meta.origin == origin && meta.padron.sha256 == hex(padron) && files(&meta.lists) == files(lists)
}

/// Whether a file may be of this date.
pub(crate) fn is_plausible(date: Date, today: Date) -> bool {
    date.year() >= FIRST_YEAR && date <= today
}

fn date_of(request: &ImportRequest, entry: Option<Date>) -> (Date, DateOrigin) {
    let found = [(request.served_on, DateOrigin::Server), (entry, DateOrigin::ZipEntry)];
    let plausible = found
        .into_iter()
        .find_map(|(found, origin)| Some((found.filter(|&it| is_plausible(it, request.today))?, origin)));
    let given = request.date.map(|date| (date, DateOrigin::Request));
    given.or(plausible).unwrap_or((request.today, DateOrigin::Today))
}
