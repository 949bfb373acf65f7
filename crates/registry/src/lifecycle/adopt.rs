//! Publishes an edition that another machine has built.
//!
//! Every byte is verified and the guards apply before its builder's change lists are looked at. The publication has the
//! builder's number, which replaces another one in the file.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::error::ImportError;
use super::guards::{Guards, SampleCounts};
use super::importing::{Importing, number_of};
use super::parent::Parent;
use super::report::ImportReport;
use crate::Edition;
use crate::changes::{self, MAX_NUMBER};
use crate::checksum::checksum_of;
use crate::folder::disk::Disk;
use crate::folder::{FileError, copy, doing, make_aside};
use crate::format::EditionError;
use crate::format::header::Header;
use crate::index::SampledRow;
use crate::label::is_label;
use crate::progress::Stage;
use crate::row_id::ruc_at;

/// Publishes a copy of the edition, under its label. `current` is open.
pub(super) fn adopt(importing: &Importing<'_>, current: Option<&Edition>) -> Result<ImportReport, ImportError> {
    let Importing { disk, folder, request, progress, .. } = *importing;
    progress.stage(Stage::Reading);
    make_aside(disk, &folder.edition("adopted"), |aside| {
        // Copied first, so that no other process changes the file after its verification.
        copy(disk, &request.source.path, aside)?;
        progress.stage(Stage::Verification);
        verified(importing, aside, current)
    })
}

fn verified(importing: &Importing<'_>, aside: &Path, current: Option<&Edition>) -> Result<ImportReport, ImportError> {
    let Importing { disk, folder, dataset, request, parent, .. } = *importing;
    importing.check_sha256(&doing("reading", aside, checksum_of(aside))?)?;
    let damaged = |source| ImportError::Edition { dataset: dataset.name, source };
    let new = Edition::open_adopted(dataset, aside).map_err(damaged)?;
    let meta = new.meta();
    if !is_label(&meta.label) {
        return Err(ImportError::Label { label: meta.label.clone() });
    }
    let previous = current.map(|current| current.label().to_owned());
    let mut report = ImportReport { previous, ..ImportReport::from_edition(dataset, meta) };
    let is_current = |current: &Edition| current.label() == report.label && new.has_content_of(current);
    if current.is_some_and(is_current) && !request.force {
        importing.keep(&mut report)?;
        return Ok(report);
    }
    let mut guards = Guards::new(dataset, request.force);
    let found = parent.map(|parent| found(&new, &parent.sample)).unwrap_or_default();
    guards.check(meta, request.today, parent, found, &folder.rolled_back()?)?;
    report.forced = guards.forced;
    report.index_bytes = doing("reading", aside, fs::metadata(aside))?.len();
    if let Some(lists) = &request.lists {
        report.lists_error = changes::adopt_lists(disk, folder, lists, (current, &new)).err();
    }
    // The lists may give the current edition another number.
    let parent = |current| Ok::<_, FileError>(Parent::new(current, number_of(folder, current)?));
    let parent = current.map(parent).transpose()?;
    let importing = &Importing { parent: parent.as_ref(), ..*importing };
    let number = number(importing, &new)?;
    drop(new);
    write_number(disk, aside, number, damaged)?;
    let new = Edition::open(dataset, aside).map_err(damaged)?;
    importing.publish(aside, &new, None, &mut report)?;
    Ok(report)
}

/// A row that cannot be read is absent.
fn found(new: &Edition, sample: &[SampledRow]) -> SampleCounts {
    let mut found = SampleCounts::default();
    for row in sample {
        let record = ruc_at(row.row_id).and_then(|ruc| new.record(ruc).ok().flatten());
        if let Some(record) = record {
            found.present += 1;
            found.changed += u64::from(new.state(&record) != row.state);
        }
    }
    found
}

/// The number of the builder's publication, by its list or else by the edition.
fn number(importing: &Importing<'_>, new: &Edition) -> Result<u64, FileError> {
    let parent = importing.parent.map_or(0, |parent| parent.name.number);
    // A parent that stands in for an unusable edition has a number of its own.
    let last = importing.folder.published()?.map_or(parent, |current| current.number);
    let list = changes::list_to(importing.folder, new.identity())?.map(|(_, facts)| facts.to.number);
    let theirs = list.filter(|number| *number > last);
    Ok(theirs.unwrap_or(importing.number()?.max(new.sequence().min(MAX_NUMBER - 1))))
}

/// Writes the number into the edition's header.
fn write_number(
    disk: &dyn Disk,
    path: &Path,
    sequence: u64,
    damaged: impl Fn(EditionError) -> ImportError,
) -> Result<(), ImportError> {
    let mut file = doing("opening", path, File::options().read(true).write(true).open(path))?;
    let mut front = Vec::new();
    doing("reading", path, (&mut file).take(Header::MAX_BYTES).read_to_end(&mut front))?;
    let (header, _) = Header::decode(&front).map_err(damaged)?;
    doing("writing", path, disk.write_front(&mut file, &Header { sequence, ..header }.encode()))?;
    Ok(doing("syncing", path, disk.sync(&file))?)
}
