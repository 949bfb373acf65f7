//! Publishes an edition of a dataset that another machine has built.

use std::fs;
use std::path::Path;

use super::guards::{Candidate, judge, sample};
use super::publication::Publication;
use super::report::DatasetReport;
use crate::folder::{RolledBack, copy, doing, next_sequence, unfinished};
use crate::publish::guards::Guards;
use crate::publish::label::is_label;
use crate::publish::renumber;
use crate::row_id::ruc_at;
use crate::{DatasetEdition, ImportError, Progress, Stage};

/// Publishes a copy of the edition in the request's file, whose label it keeps.
pub(super) fn adopt(publication: &Publication<'_>, progress: &dyn Progress) -> Result<DatasetReport, ImportError> {
    let Publication { disk, folder, request, .. } = *publication;
    progress.stage(Stage::Reading);
    let aside = unfinished(&folder.edition("fetched"));
    let adopted = copy(disk, &request.source.path, &aside).map_err(ImportError::from).and_then(|()| {
        progress.stage(Stage::Verification);
        examine(publication, &aside, progress)
    });
    if aside.exists() {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&aside);
    }
    adopted
}

fn examine(publication: &Publication<'_>, aside: &Path, progress: &dyn Progress) -> Result<DatasetReport, ImportError> {
    let Publication { disk, folder, dataset, request, current } = *publication;
    let distrusted = |source| ImportError::Edition { dataset: dataset.name, source };
    let new = DatasetEdition::open_and_read_back(dataset, aside).map_err(distrusted)?;
    let meta = new.meta().clone();
    if !is_label(&meta.label) {
        return Err(ImportError::Label { label: meta.label.clone() });
    }
    let mut report = DatasetReport {
        adopted: true,
        rows: meta.rows,
        rucs: meta.rucs,
        repeated: meta.repeated,
        left_out: meta.left_out,
        previous: current.map(|current| current.label().to_owned()),
        ..DatasetReport::of_edition(dataset.name, meta.label.clone(), meta.date)
    };
    let is_current =
        |current: &DatasetEdition| current.label() == report.label && new.contents().is_that_of(current.contents());
    if current.is_some_and(is_current) && !request.force {
        return Ok(report);
    }
    let sample = sample(current, meta.origin);
    let is_present =
        |row_id: &&u32| ruc_at(**row_id).is_some_and(|ruc| new.lookup(ruc).is_ok_and(|rows| !rows.is_empty()));
    let candidate = Candidate {
        label: &meta.label,
        sha256: &meta.source.sha256,
        date: meta.date,
        origin: meta.origin,
        rows: meta.rows,
        present: sample.iter().filter(is_present).count() as u64,
    };
    let mut guards = Guards::new(dataset.name, request.force);
    judge(dataset, &candidate, current, sample.len(), &RolledBack::of(folder)?, &mut guards)?;
    report.forced = guards.forced;
    report.index_bytes = doing("reading", aside, fs::metadata(aside))?.len();
    drop(new);
    renumber(disk, aside, next_sequence(folder)?, distrusted)?;
    let new = DatasetEdition::open(dataset, aside).map_err(distrusted)?;
    progress.stage(Stage::Publication);
    publication.publish(aside, &new, None, &mut report)?;
    Ok(report)
}
