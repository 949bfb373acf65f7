//! Builds an edition from a published file: read it, apply the guards, write the edition, verify it.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_domain::Date;

use super::builder::Builder;
use super::guards::{Candidate, judge, sample};
use super::publication::Publication;
use super::report::DatasetReport;
use super::request::DatasetImport;
use super::write::Written;
use crate::checksum::hex;
use crate::edition::field_metas;
use crate::folder::{RolledBack, next_sequence, unfinished};
use crate::import::{Vocabulary, is_plausible};
use crate::publish::guards::{self, Guards};
use crate::publish::label::label;
use crate::reader::{self, Report};
use crate::{Advance, DatasetEdition, DatasetMeta, DateOrigin, ImportError, Progress, Stage};

/// Rows between two reports of progress.
const REPORTED: u64 = 1 << 15;

/// Builds an edition from the request's file and publishes it.
pub(super) fn build(publication: &Publication<'_>, progress: &dyn Progress) -> Result<DatasetReport, ImportError> {
    let Publication { disk, folder, dataset, request, current } = *publication;
    progress.stage(Stage::Reading);
    let (builder, read) = read(publication, progress)?;
    let (date, date_origin) = date(request, builder.month(), read.entry_date);
    let label = label(date, read.sha256, &[]);
    let mut report = report_of(publication, &read, label.clone(), date, date_origin);
    if let Some(meta) = unchanged(publication, &report, &read) {
        let DatasetMeta { label, date, rows, rucs, repeated, .. } = meta.clone();
        return Ok(DatasetReport { label, date, rows, rucs, repeated, ..report });
    }
    let mut guards = Guards::new(dataset.name, request.force);
    // Rows that are left out unread do not excuse others.
    let (rejected, lines) = (read.bad_lines.total(), read.rows + read.bad_lines.total());
    guards.object(guards::rejected(dataset.guards, rejected, lines))?;

    progress.stage(Stage::Index);
    let aside = unfinished(&folder.edition(&label));
    let built = (|| {
        let sample = sample(current, request.origin);
        let written = Written::rows(disk, &aside, dataset, builder, &sample)?;
        (report.rows, report.rucs, report.repeated) = (written.rows, written.rucs, written.repeated);
        let candidate = Candidate {
            label: &label,
            sha256: &hex(&read.sha256),
            date,
            origin: request.origin,
            rows: written.rows,
            present: written.present,
        };
        judge(dataset, &candidate, current, sample.len(), &RolledBack::of(folder)?, &mut guards)?;
        report.forced = guards.forced;
        let parent = current.map_or([0; 32], DatasetEdition::identity);
        report.index_bytes = written.finish(&meta(publication, &report, &read), next_sequence(folder)?, parent)?;
        progress.stage(Stage::Verification);
        let new = DatasetEdition::open_and_read_back(dataset, &aside)
            .map_err(|source| ImportError::Verification { source })?;
        progress.stage(Stage::Publication);
        publication.publish(&aside, &new, read.bad_lines.rejects_file(), &mut report)
    })();
    if built.is_err() {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&aside);
    }
    built.map(|()| report)
}

/// The current edition's metadata, if it was made from the same bytes and has all fields. Such a file is published again
/// only for another day that an operator gives: servers send the same file with other dates.
fn unchanged<'a>(publication: &Publication<'a>, report: &DatasetReport, read: &Report) -> Option<&'a DatasetMeta> {
    let meta = publication.current?.meta();
    let is_same_day = meta.label == report.label || report.date_origin != DateOrigin::Request;
    let is_same_file = meta.source.sha256 == hex(&read.sha256) && meta.origin == publication.request.origin;
    let has_all_fields = meta.fields == field_metas(publication.dataset);
    (is_same_file && is_same_day && has_all_fields && !publication.request.force).then_some(meta)
}

/// Reads the file. Words keep the numbers that they have in the current edition of this origin.
fn read(publication: &Publication<'_>, progress: &dyn Progress) -> Result<(Builder, Report), ImportError> {
    let Publication { dataset, request, current, .. } = *publication;
    let mut vocabulary = Vocabulary::new();
    for word in current.iter().filter(|it| it.meta().origin == request.origin).flat_map(|it| it.dictionary()) {
        vocabulary.number(word)?;
    }
    let mut builder = Builder::new(dataset, vocabulary)?;
    let bytes_read = AtomicU64::new(0);
    let bytes_total = fs::metadata(&request.source.path).map_or(0, |file| file.len());
    let read = reader::read(dataset, &request.source.path, &bytes_read, |ruc, values| {
        builder.add(ruc, values)?;
        if builder.rows.is_multiple_of(REPORTED) {
            let bytes_read = bytes_read.load(Ordering::Relaxed);
            progress.advanced(Advance { bytes_read, bytes_total, rows: builder.rows });
        }
        Ok::<_, ImportError>(())
    })?;
    Ok((builder, read))
}

fn date(request: &DatasetImport, month: Option<Date>, entry: Option<Date>) -> (Date, DateOrigin) {
    let DatasetImport { date, served_on, today, .. } = *request;
    let found = [(month, DateOrigin::Rows), (served_on, DateOrigin::Server), (entry, DateOrigin::ZipEntry)];
    let plausible =
        found.into_iter().find_map(|(found, origin)| Some((found.filter(|it| is_plausible(*it, today))?, origin)));
    date.map(|date| (date, DateOrigin::Request)).or(plausible).unwrap_or((today, DateOrigin::Today))
}

fn report_of(
    publication: &Publication<'_>,
    read: &Report,
    label: String,
    date: Date,
    date_origin: DateOrigin,
) -> DatasetReport {
    DatasetReport {
        date_origin,
        rows: read.rows,
        left_out: read.left_out,
        rejected: read.bad_lines.iter().map(|(reason, count)| (reason.as_str(), count)).collect(),
        unread_values: read.unread_values.clone(),
        unlisted_values: read.unlisted_values.clone(),
        unlisted_wordings: read.unlisted_wordings.clone(),
        unknown_columns: read.unknown_columns.clone(),
        encoding: read.encoding,
        text_bytes: read.text_bytes,
        previous: publication.current.map(|current| current.label().to_owned()),
        ..DatasetReport::of_edition(publication.dataset.name, label, date)
    }
}

fn meta(publication: &Publication<'_>, report: &DatasetReport, read: &Report) -> DatasetMeta {
    DatasetMeta {
        dataset: publication.dataset.name.to_owned(),
        label: report.label.clone(),
        date: report.date,
        origin: publication.request.origin,
        rows: report.rows,
        rucs: report.rucs,
        repeated: report.repeated,
        left_out: report.left_out,
        rejected: report.rejected_lines(),
        source: publication.request.source.meta(read.sha256, read.file_bytes),
        encoding: report.encoding.map(|encoding| encoding.name().to_owned()),
        unknown_columns: report.unknown_columns.clone(),
        fields: field_metas(publication.dataset),
        forced: report.forced.iter().map(ToString::to_string).collect(),
    }
}
