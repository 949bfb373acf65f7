//! Builds an edition from a published file: reads, writes, applies the guards, verifies.

use std::path::Path;

use kuraka_domain::Date;

use super::error::ImportError;
use super::guards::{Guards, SampleCounts};
use super::importing::Importing;
use super::report::{DateOrigin, ImportReport};
use super::request::Import;
use crate::checksum::{hex, parse_checksum};
use crate::dataset::{RecordForm, RowsPerRuc};
use crate::edition::field_metas;
use crate::folder::make_aside;
use crate::format::header::{META, NAMES, WORDS};
use crate::index::{self, IndexWriter, Records, Vocabulary};
use crate::label::label;
use crate::names::{self, Companies};
use crate::progress::Stage;
use crate::reader::{Reason, RefusedLine};
use crate::row_id::ruc_at;
use crate::{Edition, Meta, SourceMeta};

/// Without the index of names.
const SECTIONS: usize = 5;
/// An earlier date in a zip is ignored.
const FIRST_YEAR: u16 = 2000;

/// Known words keep their numbers.
pub(super) fn build(importing: &Importing<'_>, vocabulary: Vocabulary) -> Result<ImportReport, ImportError> {
    let Importing { disk, folder, dataset, request, parent, progress } = *importing;
    progress.stage(Stage::Reading);
    let (records, read) = index::read::<ImportError>(dataset, &request.source.path, vocabulary, progress)?;
    importing.check_sha256(&read.sha256)?;
    let (date, date_origin, implausible_date) = date(request, records.month, read.entry_date);
    let label = label(date, &read.sha256);
    let previous = parent.map(|parent| parent.meta.label.clone());
    let of_file = ImportReport::from_file(dataset, label.clone(), date, date_origin, read);
    let mut report = ImportReport { previous, implausible_date, ..of_file };
    if let Some(same) = unchanged(importing, &report) {
        let mut report = report.with_counts(same);
        importing.keep(&mut report)?;
        return Ok(report);
    }
    progress.stage(Stage::Index);
    make_aside(disk, &folder.edition(&label), |aside| {
        write(importing, aside, records, &mut report)?;
        progress.stage(Stage::Verification);
        let new = Edition::open_built(dataset, aside).map_err(|source| ImportError::Verification { source })?;
        importing.publish(aside, &new, report.read.bad_lines.rejects_file(), &mut report)?;
        Ok(report)
    })
}

/// The current edition's metadata, if it was made from the same bytes with all fields. Such a file is published again
/// only for another day that an operator gives: servers send the same file with other dates.
fn unchanged<'a>(importing: &Importing<'a>, report: &ImportReport) -> Option<&'a Meta> {
    let Importing { parent, request, dataset, .. } = *importing;
    let meta = &parent?.meta;
    let is_same_day = meta.label == report.label || report.date_origin != DateOrigin::Request;
    let is_same_file = meta.source.sha256 == hex(report.read.sha256) && meta.origin == request.origin;
    let has_all_fields = meta.fields == field_metas(dataset);
    let has_names = parent?.has_names || !has_names(importing);
    (is_same_file && is_same_day && has_all_fields && has_names && !request.force).then_some(meta)
}

fn has_names(importing: &Importing<'_>) -> bool {
    importing.request.names && importing.dataset.records() == RecordForm::Summary
}

/// Writes the edition to `aside` and completes the report, unless a guard refuses.
fn write(
    importing: &Importing<'_>,
    aside: &Path,
    records: Records,
    report: &mut ImportReport,
) -> Result<(), ImportError> {
    let Importing { disk, dataset, request, parent, .. } = *importing;
    let is_indexed = has_names(importing);
    let mut index = IndexWriter::create(disk, aside, SECTIONS + usize::from(is_indexed))?;
    let mut companies = Companies::default();
    let mut found = SampleCounts::default();
    let parent_of_origin = parent.filter(|parent| parent.meta.origin == request.origin);
    let sample = parent_of_origin.map_or([].as_slice(), |parent| &parent.sample);
    let words = records.sort(dataset, sample, is_indexed, |sorted| {
        companies.append(&sorted.companies);
        report.rows += sorted.rows;
        report.rucs += sorted.rucs;
        found.present += sorted.present;
        found.changed += sorted.changed;
        if dataset.rows == RowsPerRuc::Unique {
            let refused = |row_id: &u32| RefusedLine::new(Reason::Repeated, ruc_at(*row_id));
            sorted.repeated.iter().for_each(|row_id| report.read.bad_lines.add(None, 0, &refused(row_id)));
        } else {
            report.repeated += sorted.repeated.len() as u64;
        }
        index.buckets(&sorted)
    })?;
    let mut guards = Guards::new(dataset, request.force);
    let lines = report.rejected_lines();
    guards.check_lines(lines, report.rows + report.repeated + lines)?;
    let mut meta = meta(importing, report);
    guards.check(&meta, request.today, parent, found, &importing.folder.rolled_back()?)?;
    meta.forced = guards.forced.iter().map(ToString::to_string).collect();
    report.forced = guards.forced;
    index.end_rows()?;
    index.section(WORDS, &words.encode())?;
    if is_indexed {
        index.section(NAMES, &names::build(companies, |number| words.word(number), words.count()))?;
    }
    // Texts and numbers always have a JSON form.
    index.section(META, &serde_json::to_vec(&meta).unwrap_or_default())?;
    let parent = parent.and_then(|parent| parse_checksum(&parent.name.identity)).unwrap_or_default();
    report.index_bytes = index.finish(importing.number()?, parent)?;
    Ok(())
}

/// The edition's date, and the first one that was implausible. `month` is the rows', `entry` the zip entry's.
fn date(request: &Import, month: Option<Date>, entry: Option<Date>) -> (Date, DateOrigin, Option<Date>) {
    let Import { date, served_on, today, .. } = *request;
    let found = [(month, DateOrigin::Rows), (served_on, DateOrigin::Server), (entry, DateOrigin::ZipEntry)];
    let is_plausible = |date: &Date| date.year() >= FIRST_YEAR && *date <= today;
    if let Some(date) = date {
        return (date, DateOrigin::Request, None);
    }
    let mut found = found.into_iter().filter_map(|(found, origin)| Some((found?, origin)));
    let first = found.clone().next().map(|(date, _)| date);
    let (date, origin) = found.find(|(date, _)| is_plausible(date)).unwrap_or((today, DateOrigin::Today));
    (date, origin, first.filter(|first| !is_plausible(first)))
}

fn meta(importing: &Importing<'_>, report: &ImportReport) -> Meta {
    let Importing { dataset, request, .. } = *importing;
    let read = &report.read;
    Meta {
        dataset: dataset.name.to_owned(),
        label: report.label.clone(),
        date: report.date,
        origin: request.origin,
        rows: report.rows,
        rucs: report.rucs,
        repeated: report.repeated,
        left_out: report.left_out,
        rejected: report.rejected_lines(),
        source: SourceMeta {
            version: request.source.version.clone(),
            sha256: hex(read.sha256),
            bytes: read.file_bytes,
        },
        encoding: read.encoding.map(|encoding| encoding.name().to_owned()),
        unknown_columns: read.unknown_columns.clone(),
        fields: field_metas(dataset),
        forced: Vec::new(),
    }
}
