//! Publishes an edition that another machine has built.
//!
//! Every byte of the file is verified, and the guards of an import apply. Only the sequence number, its position among
//! this folder's publications, is rewritten.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::error::ImportError;
use super::guards::{Found, Guards};
use super::publication::Publication;
use super::report::ImportReport;
use crate::Edition;
use crate::checksum::checksum_of;
use crate::folder::disk::Disk;
use crate::folder::{copy, doing, unfinished};
use crate::format::EditionError;
use crate::format::header::Header;
use crate::index::SampledRow;
use crate::label::is_label;
use crate::progress::Stage;
use crate::row_id::ruc_at;

/// Publishes a copy of the edition in the request's file, whose label it keeps. `current` is the open current edition.
pub(super) fn adopt(publication: &Publication<'_>, current: Option<&Edition>) -> Result<ImportReport, ImportError> {
    let Publication { disk, folder, request, progress, .. } = *publication;
    progress.stage(Stage::Reading);
    let aside = unfinished(&folder.edition("adopted"));
    // Copied first, so that no other process changes the file between verification and publication.
    let adopted = copy(disk, &request.source.path, &aside).map_err(ImportError::from).and_then(|()| {
        progress.stage(Stage::Verification);
        verified(publication, &aside, current)
    });
    if aside.exists() {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&aside);
    }
    adopted
}

fn verified(
    publication: &Publication<'_>,
    aside: &Path,
    current: Option<&Edition>,
) -> Result<ImportReport, ImportError> {
    let Publication { disk, folder, dataset, request, parent, .. } = *publication;
    publication.check_sha256(&doing("reading", aside, checksum_of(aside))?)?;
    let damaged = |source| ImportError::Edition { dataset: dataset.name, source };
    let new = Edition::open_adopted(dataset, aside).map_err(damaged)?;
    let meta = new.meta();
    if !is_label(&meta.label) {
        return Err(ImportError::Label { label: meta.label.clone() });
    }
    let previous = current.map(|current| current.label().to_owned());
    let mut report = ImportReport { previous, ..ImportReport::of_edition(dataset, meta) };
    let is_current = |current: &Edition| current.label() == report.label && new.has_content_of(current);
    if current.is_some_and(is_current) && !request.force {
        publication.keep(&mut report)?;
        return Ok(report);
    }
    let mut guards = Guards::new(dataset, request.force);
    let found = parent.map(|parent| found(&new, &parent.sample)).unwrap_or_default();
    guards.check(meta, request.today, parent, found, &folder.rolled_back()?)?;
    report.forced = guards.forced;
    report.index_bytes = doing("reading", aside, fs::metadata(aside))?.len();
    drop(new);
    renumber(disk, aside, publication.next_sequence()?, damaged)?;
    let new = Edition::open(dataset, aside).map_err(damaged)?;
    publication.publish(aside, &new, None, &mut report)?;
    Ok(report)
}

/// What became of the sampled rows of the current edition. A row that cannot be read is absent.
fn found(new: &Edition, sample: &[SampledRow]) -> Found {
    let mut found = Found::default();
    for row in sample {
        let record = ruc_at(row.row_id).and_then(|ruc| new.record(ruc).ok().flatten());
        if let Some(record) = record {
            found.present += 1;
            found.changed += u64::from(new.state(&record) != row.state);
        }
    }
    found
}

/// Replaces the sequence number of the folder that built the edition by this folder's next one.
fn renumber(
    disk: &dyn Disk,
    path: &Path,
    sequence: u64,
    damaged: impl Fn(EditionError) -> ImportError,
) -> Result<(), ImportError> {
    let mut file = doing("opening", path, File::options().read(true).write(true).open(path))?;
    let mut front = Vec::new();
    doing("reading", path, (&mut file).take(Header::LONGEST).read_to_end(&mut front))?;
    let (header, _) = Header::decode(&front).map_err(damaged)?;
    doing("writing", path, disk.write_front(&mut file, &Header { sequence, ..header }.encode()))?;
    Ok(doing("syncing", path, disk.sync(&file))?)
}
