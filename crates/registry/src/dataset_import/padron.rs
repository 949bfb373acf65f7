//! The padrón by the same function as the other datasets: its own importer, and the report in the common form.

use std::path::Path;

use super::DatasetReport;
use super::request::DatasetImport;
use crate::dataset::PADRON;
use crate::folder::disk::Disk;
use crate::import::import_on;
use crate::publish::{Take, adopt_on};
use crate::{ImportError, ImportReport, ImportRequest, Progress};

pub(super) fn import(
    disk: &dyn Disk,
    registry: &Path,
    request: &DatasetImport,
    is_edition: bool,
    progress: &dyn Progress,
) -> Result<DatasetReport, ImportError> {
    if is_edition {
        return adopt(disk, registry, request);
    }
    let DatasetImport { source, date, served_on, today, origin, force } = request.clone();
    let request = ImportRequest { padron: source, date, served_on, today, origin, force };
    import_on(disk, registry, &request, progress).map(DatasetReport::from)
}

/// Publishes a copy of the edition in the request's file.
fn adopt(disk: &dyn Disk, registry: &Path, request: &DatasetImport) -> Result<DatasetReport, ImportError> {
    let adopted = adopt_on(disk, registry, Take::Copy(&request.source.path), None, request.force)?;
    Ok(DatasetReport {
        outcome: adopted.outcome,
        adopted: true,
        rows: adopted.rows,
        rucs: adopted.rows,
        forced: adopted.forced,
        previous: adopted.previous,
        changes: adopted.changes,
        ..DatasetReport::of_edition(PADRON.name, adopted.label, adopted.date)
    })
}

impl From<ImportReport> for DatasetReport {
    fn from(report: ImportReport) -> Self {
        Self {
            outcome: report.outcome,
            date_origin: report.date_origin,
            rows: report.rows,
            rucs: report.rows,
            left_out: report.skipped,
            rejected: report.rejections.iter().map(|(reason, count)| (reason.as_str(), count)).collect(),
            rejects_file: report.rejects_file,
            forced: report.forced,
            text_bytes: report.text_bytes,
            index_bytes: report.index_bytes,
            previous: report.previous,
            changes: report.changes,
            ..Self::of_edition(PADRON.name, report.label, report.date)
        }
    }
}
